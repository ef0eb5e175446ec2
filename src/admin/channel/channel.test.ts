import { expect, test } from "bun:test";
import type { RequestId } from "../../core/ids.ts";
import {
  findChannel,
  readChannelKeys,
  setKeyStatus,
  writeChannel,
} from "../../distribution/queries.ts";
import { existing, readChannelId } from "../input.ts";
import { auditCalls } from "../audit/contract.ts";
import { listAuditViews } from "../audit/list.ts";
import { asked } from "../fixtures/asked.ts";
import { alterChannel, makeChannel } from "../fixtures/channels.ts";
import { openPlane, refusal, type Plane } from "../fixtures/control-plane.ts";
import { trialBody } from "./input-contract.ts";
import { listChannelViews } from "./list.ts";
import { prepareSaved, runTrial } from "./probe.ts";
import type { ChannelNeeds } from "./needs.ts";
import { readChannel } from "./read.ts";
import { removeChannel } from "./remove.ts";

const input = {
  name: "main",
  type: "openai",
  base_url: "https://api.vendor.test",
  key: "vendor-key-one-abcd",
  models: ["chatA", "chatB"],
};

const scope = {
  requestId: "req_test" as RequestId,
  signal: new AbortController().signal,
  startedAtMs: 0,
  hops: 0,
};

/** An upstream that takes only this key, and counts what reaches it. */
function startVendor(rightKey: string) {
  const bodies: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      bodies.push(await request.json());
      const isRight = request.headers.get("authorization") === `Bearer ${rightKey}`;
      const message = `no such key: ${request.headers.get("authorization")}`;
      return isRight
        ? Response.json({ choices: [{ message: { content: "pong" } }], usage: {} })
        : Response.json({ error: { message } }, { status: 401 });
    },
  });
  return {
    url: server.url.origin,
    bodies,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function testChannel(
  needs: ChannelNeeds,
  operator: Parameters<typeof runTrial>[1],
  trial: Parameters<typeof prepareSaved>[1],
) {
  return await runTrial(needs, operator, await prepareSaved(needs, trial));
}

test("N11 a channel is made with its defaults, and requests find it at once", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const made = await makeChannel(control, root, input);
  expect(made).toMatchObject({
    name: "main",
    groups: ["default"],
    priority: 0,
    weight: 1,
    status: "enabled",
    allow_private: false,
    model_mapping: {},
    health: { ejected: false },
    in_flight: 0,
  });
  expect(control.channels.candidates("chatA", "default")).toHaveLength(1);
  expect(await readChannel(control, root, { id: made.id })).toEqual(made);
  const list = await listChannelViews(control, root, {
    query: { p: 1, page_size: 10 },
  });
  expect(list).toEqual({ items: [made], total: 1, page: 1, page_size: 10 });
});

test("hazard G11 a channel's key is sealed in the database and never comes back", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const made = await makeChannel(control, root, input);
  expect(made.keys).toEqual([
    { last4: "abcd", status: "enabled", reason: null, rests_until: null, rests_for: null },
  ]);
  expect(JSON.stringify(made)).not.toContain("vendor-key");
  const [row] = await readChannelKeys(control.database);
  expect(JSON.stringify(row)).not.toContain("vendor-key");
  expect(control.seal.open(row?.sealed ?? "", made.id)).toBe("vendor-key-one-abcd");
});

test("two channels of one name are a conflict, made or renamed", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  await makeChannel(control, root, input);
  expect((await refusal(makeChannel(control, root, input))).code).toBe("conflict");
  const other = await makeChannel(control, root, { ...input, name: "other" });
  const rename = alterChannel(control, root, { id: other.id, body: { name: "main" } });
  expect((await refusal(rename)).code).toBe("conflict");
  expect(control.channels.all).toHaveLength(2);
});

test("N11 a change keeps what it does not name and replaces maps whole", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, {
    ...input,
    priority: 7,
    concurrency: 3,
    surcharges: { default: "ignore", audio: "refuse" },
    model_mapping: { chatA: "a-1", chatB: "b-1" },
  });
  const body = { model_mapping: { chatA: "a-2" }, concurrency: null, status: "disabled" };
  const changed = await alterChannel(control, root, { id, body });
  expect(changed).toMatchObject({
    priority: 7,
    concurrency: null,
    surcharges: { default: "ignore", audio: "refuse" },
    model_mapping: { chatA: "a-2" },
    status: "disabled",
    keys: [{ last4: "abcd" }],
  });
  expect(control.channels.all).toHaveLength(0);
  await alterChannel(control, root, { id, body: { status: "enabled" } });
  expect(control.channels.all[0]?.settings.keys[0]?.text).toBe("vendor-key-one-abcd");
  await alterChannel(control, root, { id, body: { surcharges: { default: "price" } } });
  expect(control.channels.all[0]?.settings.surcharges).toEqual({ default: "price" });
});

test("hazard G8 a channel moves to another address only with its key", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, input);
  const change = (body: object) => alterChannel(control, root, { id, body });
  const elsewhere = { base_url: "https://evil.test" };
  expect(await refusal(change(elsewhere))).toEqual({ code: "invalid_request", param: "key" });
  expect((await refusal(change({ allow_private: true }))).param).toBe("key");
  const moved = await change({ ...elsewhere, key: "another-key-wxyz" });
  expect(moved.base_url).toBe("https://evil.test");
  expect(moved.keys).toEqual([
    { last4: "wxyz", status: "enabled", reason: null, rests_until: null, rests_for: null },
  ]);
});

test("hazard G11 a proxy is sealed, shown without its credentials, and changed only with the key", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const proxy = "http://user:proxy-word@proxy.test:3128";
  const made = await makeChannel(control, root, { ...input, proxy });
  expect(made).toMatchObject({ proxy: "http://proxy.test:3128", http2: false });
  const { id } = made;
  const row = await findChannel(control.database, readChannelId(id));
  expect(JSON.stringify(row)).not.toMatch(/proxy-word|proxy\.test/);
  const settings = () => control.channels.all[0]?.settings;
  expect(settings()?.transport).toEqual({ proxy, isHttp2: false });
  const change = (body: object) => alterChannel(control, root, { id, body });
  await change({ priority: 3 });
  expect(settings()).toMatchObject({ priority: 3, transport: { proxy } });
  expect((await findChannel(control.database, readChannelId(id)))?.proxy).toBe(row?.proxy ?? "");
  for (const other of ["http://evil.test:1", null]) {
    expect((await refusal(change({ proxy: other }))).param).toBe("key");
  }
  expect((await refusal(change({ http2: true }))).param).toBe("http2");
  const direct = await change({ proxy: null, http2: true, key: "another-key-wxyz" });
  expect(direct).toMatchObject({ proxy: null, http2: true });
  expect(settings()?.transport).toEqual({ proxy: null, isHttp2: true });
  const notes = await listAuditViews(control, root, asked(auditCalls.list, "p=1&page_size=10"));
  expect(JSON.stringify(notes)).not.toContain("proxy-word");
});

test("a channel whose proxy cannot be read any more goes no other way", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, { ...input, proxy: "http://proxy.test:1" });
  const row = existing(await findChannel(control.database, readChannelId(id)));
  const damaged = { ...row, proxy: control.seal.close("http://proxy.test:1", "another channel") };
  await writeChannel(control.store, control.database, damaged, null);
  await control.reload.channels();
  expect(control.channels.all[0]?.settings.keys[0]?.isEnabled).toBe(false);
  const change = (body: object) => alterChannel(control, root, { id, body });
  expect((await refusal(change({ key: "another-key-wxyz" }))).param).toBe("proxy");
  await change({ key: "another-key-wxyz", proxy: "http://proxy.test:2" });
  expect(control.channels.all[0]?.settings).toMatchObject({
    transport: { proxy: "http://proxy.test:2" },
    keys: [{ isEnabled: true }],
  });
});

test("hazard G9 a private address needs permission, also when it comes by a change", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const loopback = { ...input, base_url: "http://127.0.0.1:9" };
  expect((await refusal(makeChannel(control, root, loopback))).param).toBe("base_url");
  const { id } = await makeChannel(control, root, { ...loopback, allow_private: true });
  const body = { allow_private: false, key: "any" };
  expect((await refusal(alterChannel(control, root, { id, body }))).param).toBe("base_url");
});

test("headers that the gateway sets itself are refused", async () => {
  await using plane = await openPlane();
  for (const name of ["Host", "authorization", "X-Forwarded-For", "Connection", "content-length"]) {
    const made = makeChannel(plane.control, plane.root, { ...input, headers: { [name]: "x" } });
    expect((await refusal(made)).param).toBe(`headers.${name}`);
  }
});

test("hazard G3 unknown fields are refused by name", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, input);
  const change = alterChannel(control, root, { id, body: { id: "chn_other" } });
  expect(await refusal(change)).toEqual({ code: "invalid_request", param: "id" });
});

test("a removed channel is gone, with its keys", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, input);
  await removeChannel(control, root, { id });
  expect(control.channels.all).toHaveLength(0);
  expect(await readChannelKeys(control.database)).toEqual([]);
  expect((await refusal(readChannel(control, root, { id }))).code).toBe("not_found");
  expect((await refusal(removeChannel(control, root, { id }))).code).toBe("not_found");
});

async function disabledChannel({ control, root }: Plane, url: string): Promise<string> {
  const { id } = await makeChannel(control, root, {
    ...input,
    base_url: url,
    allow_private: true,
    keys: ["first-key-abcdefgh", "second-key-ijklmnop"],
    key: undefined,
  });
  const place = { channelId: readChannelId(id), position: 1, last4: "mnop" };
  await setKeyStatus(control.database, place, "disabled", "refused");
  const live = control.channels.find(place.channelId);
  live?.health.failed(control.clock.monotonicMs());
  return id;
}

test("a test that succeeds enables the key again and ends an ejection", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  await using vendor = startVendor("second-key-ijklmnop");
  const id = await disabledChannel(plane, vendor.url);
  expect((await readChannel(control, root, { id })).health.ejected).toBe(true);
  const result = await testChannel(control, root, { id, body: { model: "chatB" }, scope });
  expect(result).toMatchObject({ ok: true, status: 200, model: "chatB", key: 1 });
  expect(result.message).toStartWith('It answered "pong"');
  expect(vendor.bodies).toEqual([
    { model: "chatB", messages: [{ role: "user", content: "ping" }], max_tokens: 16 },
  ]);
  const after = await readChannel(control, root, { id });
  expect(after.health.ejected).toBe(false);
  expect(after.keys[1]).toEqual({
    last4: "mnop",
    status: "enabled",
    reason: null,
    rests_until: null,
    rests_for: null,
  });
});

test("hazard H3 a test that fails says why, without the key, and changes nothing", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  await using vendor = startVendor("neither");
  const id = await disabledChannel(plane, vendor.url);
  const result = await testChannel(control, root, { id, body: {}, scope });
  expect(result).toMatchObject({ ok: false, status: 401, key: 1 });
  expect(result.message).toContain("no such key");
  expect(result.message).not.toContain("second-key");
  expect((await readChannel(control, root, { id })).keys[1]?.status).toBe("disabled");
});

test("a test of an address where nobody listens fails without a status", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const vendor = startVendor("any");
  const id = await disabledChannel(plane, vendor.url);
  await vendor[Symbol.asyncDispose]();
  const result = await testChannel(control, root, { id, body: {}, scope });
  expect(result).toMatchObject({ ok: false, status: null });
});

test("hazard G10 a test takes no address and no model that is not the channel's", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, input);
  const ask = async (fields: object) => {
    const body = trialBody.parse({ ...fields });
    return await testChannel(control, root, { id, body, scope });
  };
  expect((await refusal(ask({ base_url: "http://evil.test" }))).param).toBe("base_url");
  expect((await refusal(ask({ model: "dear" }))).param).toBe("model");
  expect((await refusal(ask({ key: 5 }))).param).toBe("key");
});
