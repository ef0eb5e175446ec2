// An account's own things: its tasks, its callbacks, and what they are signed with. And what an
// operator may try of a channel without paying for it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventually } from "../../harness/books.ts";
import { Browser, password } from "../../harness/browser.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import {
  create,
  idOf,
  prompt,
  query,
  quickPolls,
  reaches,
  slowPrompt,
  starts,
  startVideoVendors,
  type VideoVendors,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const model = "videoC-2-0-260128";
let vendors: VideoVendors;
let gateway: Gateway;
const calls: { path: string; headers: Headers; text: string }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname: path } = new URL(request.url);
    calls.push({ path, headers: request.headers, text: await request.text() });
    return new Response(null, { status: 204 });
  },
});

beforeAll(async () => {
  vendors = startVideoVendors();
  const media = `media: { private_hosts: [ "127.0.0.1:${receiver.port}" ] }`;
  gateway = await startGateway({ config: [quickPolls, vendors.config, media].join("\n") });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
  await receiver.stop(true);
});

interface Owner {
  username: string;
  key: string;
  at: Browser;
}

async function newOwner(): Promise<Owner> {
  const username = `owner-${crypto.randomUUID().slice(0, 8)}`;
  const body = { username, password, quota_micros: 1_000_000_000 };
  await gateway.control("POST", "/api/user", body);
  const at = await new Browser(gateway.url).signIn(username);
  const { key } = await at.ask<{ key: string }>("POST", "/api/token", { name: "own" });
  return { username, key, at };
}

interface Listed {
  items: JsonObject[];
  total: number;
}

describe("one's own tasks", () => {
  test("N10 A9 are listed with what they cost, and nothing of where they run", async () => {
    const [alice, bob] = [await newOwner(), await newOwner()];
    const done = idOf(await create(gateway, { model, prompt, duration: 4 }, { key: alice.key }));
    await reaches(gateway, done, "completed", alice.key);
    const slow = { model, prompt: slowPrompt, duration: 4 };
    const open = idOf(await create(gateway, slow, { key: alice.key }));
    const { items, total } = await alice.at.ask<Listed>("GET", "/api/task/self");
    expect(total).toBe(2);
    expect(items.map(({ id }) => id)).toEqual([open, done]);
    expect(items[1]).toMatchObject({ kind: "video", model, state: "completed", held_micros: 0 });
    expect(Number(items[1]?.["micros"])).toBeGreaterThan(0);
    expect(items[0]).toMatchObject({ micros: null, completed_at: null });
    expect(Number(items[0]?.["held_micros"])).toBeGreaterThan(0);
    const hidden = ["channel", "channel_id", "upstream_model", "loss_micros", "account"];
    for (const item of items) expect(hidden.filter((name) => name in item)).toEqual([]);
    expect(await bob.at.ask("GET", "/api/task/self")).toMatchObject({ items: [], total: 0 });
    const others = await bob.at.call(`GET`, `/api/task/self?account=${alice.username}`);
    expect(others).toMatchObject({ success: false, param: "account" });
  });

  test("N10 are found by state, kind and model, and are gone when they are deleted", async () => {
    const { key, at } = await newOwner();
    const id = idOf(await create(gateway, { model, prompt, duration: 4 }, { key }));
    await reaches(gateway, id, "completed", key);
    const count = async (filter: string) =>
      (await at.ask<Listed>("GET", `/api/task/self?${filter}`)).total;
    expect(await count("state=completed")).toBe(1);
    expect(await count("state=failed")).toBe(0);
    expect(await count("kind=video")).toBe(1);
    expect(await count("kind=image")).toBe(0);
    expect(await count(`model=${model}`)).toBe(1);
    expect(await count("model=other")).toBe(0);
    for (const filter of ["state=lost", "kind=sound"]) {
      const answer = await at.call("GET", `/api/task/self?${filter}`);
      expect(answer).toMatchObject({ success: false, code: "invalid_request" });
    }
    await query(gateway, `/v1/videos/${id}`, { key, method: "DELETE" });
    expect(await count("")).toBe(0);
  });
});

/** The signatures of a call that are right for this secret. */
function isSignedBy({ headers, text }: (typeof calls)[number], secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const said = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${text}`;
  const wanted = `v1,${createHmac("sha256", key).update(said).digest("base64")}`;
  return (headers.get("webhook-signature") ?? "").split(" ").includes(wanted);
}

async function callBack({ key }: Owner): Promise<(typeof calls)[number]> {
  const path = `/${crypto.randomUUID()}`;
  const webhook_url = `http://127.0.0.1:${receiver.port}${path}`;
  idOf(await create(gateway, { model, prompt, duration: 4, webhook_url }, { key }));
  return await eventually("the callback", async () => calls.find((call) => call.path === path));
}

describe("one's own callbacks", () => {
  test("N15 A9 are listed for their owner alone", async () => {
    const [alice, bob] = [await newOwner(), await newOwner()];
    await callBack(alice);
    const delivered = await eventually("the delivery", async () => {
      const { items } = await alice.at.ask<Listed>("GET", "/api/webhook/self");
      return items.find(({ delivered_at }) => delivered_at !== null);
    });
    expect(delivered).toMatchObject({ event: "video.completed", attempts: 1, status: 204 });
    expect(Object.keys(delivered)).not.toContain("account");
    const task = String(delivered["task_id"]);
    const of = (at: Browser) => at.ask<Listed>("GET", `/api/webhook/self?task=${task}`);
    expect((await of(alice.at)).total).toBe(1);
    expect(await of(bob.at)).toMatchObject({ items: [], total: 0 });
  });

  test("hazard H13 a new secret signs at once, and the one before signs along for a while", async () => {
    const [alice, bob] = [await newOwner(), await newOwner()];
    const read = ({ at }: Owner) =>
      at.ask<{ secret: string; overlaps: boolean }>("GET", "/api/webhook-secret");
    const rotate = ({ at }: Owner) => at.ask<{ secret: string }>("POST", "/api/webhook-secret", {});
    const first = await read(alice);
    const ofBob = await read(bob);
    expect(first.overlaps).toBe(false);
    const plain = await callBack(alice);
    expect(plain.headers.get("webhook-signature")?.split(" ")).toHaveLength(1);
    expect(isSignedBy(plain, first.secret)).toBe(true);
    const second = await rotate(alice);
    expect(second).toMatchObject({ overlaps: true });
    expect(second.secret).not.toBe(first.secret);
    expect(await read(alice)).toEqual(second as typeof first);
    const both = await callBack(alice);
    expect([first, second].map(({ secret }) => isSignedBy(both, secret))).toEqual([true, true]);
    const third = await rotate(alice);
    const last = await callBack(alice);
    const all = [first, second, third].map(({ secret }) => isSignedBy(last, secret));
    expect(all).toEqual([false, true, true]);
    expect(await read(bob)).toEqual(ofBob);
  });
});

interface Test {
  ok: boolean;
  status: number | null;
  message: string;
  checked: string;
  model: string;
}

describe("a test of a channel", () => {
  const tryIt = (id: unknown, body: object = {}) =>
    gateway.control<Test>("POST", `/api/channel/${String(id)}/test`, body);

  const isVideo = (name: string) => /^(?:video|omni|manxue)/.test(name);

  test("N10 starts no work where work is paid for by the piece, and says so", async () => {
    const { items } = await gateway.control<Listed>("GET", "/api/channel?page_size=100");
    const started = starts(vendors).length;
    expect(items.length).toBeGreaterThan(4);
    for (const { id, type, models } of items) {
      const names = Array.isArray(models) ? models : [];
      const result = await tryIt(id, { model: names.find((name) => isVideo(String(name))) });
      expect([type, result.ok, result.message]).toEqual([type, true, expect.any(String)]);
      expect(["key", "address"]).toContain(result.checked);
      expect(result.message).toContain(result.checked === "key" ? "No work" : "address answers");
    }
    expect(starts(vendors).length).toBe(started);
  });

  test("hazard H3 a refused key fails it, without the key in the answer", async () => {
    using vendor = new Vendor((request, reply) => {
      const isGood = request.headers["authorization"] === "Bearer sk-good-0123456789";
      const error = {
        message: `bad ${request.headers["authorization"]}`,
        type: "authorized_error",
      };
      reply.json(isGood ? { tasks: [] } : { type: "error", error }, isGood ? 200 : 401);
    });
    const made = await gateway.control<{ id: string }>("POST", "/api/channel", {
      ...vendor.channel({ type: "minimax", models: ["videoD-h3-768p"] }),
      key: undefined,
      keys: ["sk-good-0123456789", "sk-bad-0123456789"],
    });
    const good = await tryIt(made.id, { key: 0 });
    expect(good).toMatchObject({ ok: true, status: 200, checked: "key" });
    const bad = await tryIt(made.id, { key: 1 });
    expect(bad).toMatchObject({ ok: false, status: 401 });
    expect(JSON.stringify(bad)).not.toContain("sk-bad");
    expect(new Set(vendor.requests.map(({ path }) => path.split("?")[0]))).toEqual(
      new Set(["/v2/query/video_generation"]),
    );
    await gateway.control("DELETE", `/api/channel/${made.id}`);
  });

  test("N10 asks text for a few tokens, and a vendor that is down is put aside by failing it", async () => {
    let isDown = false;
    using vendor = new Vendor((_request, reply) =>
      isDown ? reply.json({ error: { message: "down" } }, 503) : reply.json(completion("x")),
    );
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", {
      ...vendor.channel({ models: ["some-text", "videoB-2"] }),
    });
    expect(await tryIt(id)).toMatchObject({ ok: true, checked: "answer", model: "some-text" });
    expect(vendor.requests[0]?.body).toMatchObject({ max_tokens: 16 });
    await tryIt(id, { model: "videoB-2" });
    expect(vendor.requests[1]).toMatchObject({ path: "/v1/models", text: "" });
    isDown = true;
    // Each node judges by what it has met itself.
    const nodes = gateway.nodeUrls.length;
    for (let count = 0; count < 5 * nodes; count++) {
      expect(await tryIt(id)).toMatchObject({ ok: false });
    }
    const health = async () =>
      (await gateway.control<{ health: object }>("GET", `/api/channel/${id}`)).health;
    expect(await health()).toMatchObject({ ejected: true });
    isDown = false;
    for (let count = 0; count < nodes; count++) expect(await tryIt(id)).toMatchObject({ ok: true });
    expect(await health()).toMatchObject({ ejected: false });
    await gateway.control("DELETE", `/api/channel/${id}`);
  });
});
