import { expect, test } from "bun:test";
import { hiddenValue } from "../../config/entities.ts";
import { findChannel, sealPlainHeaders, writeChannel } from "../../distribution/queries.ts";
import { auditCalls } from "../audit/contract.ts";
import { listAuditViews } from "../audit/list.ts";
import { asked } from "../fixtures/asked.ts";
import { alterChannel, makeChannel } from "../fixtures/channels.ts";
import { openPlane, refusal } from "../fixtures/control-plane.ts";
import { existing, readChannelId } from "../input.ts";
import { copyChannel } from "./batch.ts";
import { discoverBody } from "./input-contract.ts";
import { readChannel } from "./read.ts";
import { exportChannels, importChannels } from "./yaml.ts";

const input = {
  name: "main",
  type: "openai",
  base_url: "https://api.vendor.test",
  key: "vendor-key-abcd",
  models: ["chatA"],
  headers: { "X-Api-Key": "header-canary", "x-team": "red-canary" },
};
const plain = { "x-api-key": "header-canary", "x-team": "red-canary" };

async function open() {
  const plane = await openPlane();
  const { control, root } = plane;
  const { id } = await makeChannel(control, root, input);
  return {
    id,
    control,
    root,
    row: async () => existing(await findChannel(control.database, readChannelId(id))),
    settings: () => control.channels.find(readChannelId(id))?.settings,
    change: (body: object) => alterChannel(control, root, { id, body }),
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

test("hazard G11 header values are sealed where they are kept, and shown nowhere", async () => {
  await using at = await open();
  const { id, control, root } = at;
  expect(at.settings()?.headers).toEqual(plain);
  expect(JSON.stringify(await at.row())).not.toContain("canary");
  const view = await readChannel(control, root, { id });
  expect(view.headers).toEqual({ "x-api-key": hiddenValue, "x-team": hiddenValue });
  const { yaml } = await exportChannels(control, root);
  expect(yaml).toContain("x-api-key: ${MAIN_X_API_KEY}");
  const page = asked(auditCalls.list, "p=1&page_size=10");
  const notes = JSON.stringify(await listAuditViews(control, root, page));
  expect(notes).toContain("x-api-key");
  for (const text of [JSON.stringify(view), yaml, notes]) expect(text).not.toContain("canary");
});

test("a change keeps what is hidden unless it names another value, and leaves out what it leaves out", async () => {
  await using at = await open();
  const before = (await at.row()).headers;
  await at.change({ priority: 3 });
  expect((await at.row()).headers).toBe(before);
  await at.change({ headers: { "X-API-Key": hiddenValue, "x-team": hiddenValue } });
  expect((await at.row()).headers).toBe(before);
  await at.change({ headers: { "x-api-key": hiddenValue, "x-more": "new" } });
  expect(at.settings()?.headers).toEqual({ "x-api-key": "header-canary", "x-more": "new" });
  await at.change({ headers: null });
  expect(at.settings()?.headers).toEqual({});
  const nothing = at.change({ headers: { "x-api-key": hiddenValue } });
  expect((await refusal(nothing)).param).toBe("headers.x-api-key");
});

test("what stands for a hidden value is no value of a new channel or a draft", async () => {
  await using at = await open();
  const hidden = { ...input, name: "other", headers: { "x-api-key": hiddenValue } };
  const made = makeChannel(at.control, at.root, hidden);
  expect((await refusal(made)).param).toBe("headers.x-api-key");
  expect(() => discoverBody.parse(hidden)).toThrow("headers.x-api-key");
});

test("hazard G8 hidden headers go only where they were meant to go", async () => {
  await using at = await open();
  const away = { base_url: "https://elsewhere.test", key: "my-own-key-wxyz" };
  const hidden = { "x-api-key": hiddenValue };
  const tries = [away, { ...away, headers: hidden }, { ...away, headers: { ...hidden, a: "b" } }];
  for (const body of tries) expect((await refusal(at.change(body))).param).toBe("headers");
  expect(at.settings()).toMatchObject({ baseUrl: input.base_url, headers: plain });
  await at.change({ ...away, headers: { "x-team": "blue" } });
  expect(at.settings()).toMatchObject({ baseUrl: away.base_url, headers: { "x-team": "blue" } });
});

test("a copy has the values, and the file's words leave them as they are", async () => {
  await using at = await open();
  const copy = await copyChannel(at.control, at.root, { id: at.id, body: { name: "copy" } });
  await alterChannel(at.control, at.root, { id: copy.id, body: { status: "enabled" } });
  const settingsOf = (id: string) => at.control.channels.find(readChannelId(id))?.settings;
  expect(settingsOf(copy.id)?.headers).toEqual(plain);
  const { yaml } = await exportChannels(at.control, at.root);
  await importChannels(at.control, at.root, { body: { yaml } });
  expect(at.settings()?.headers).toEqual(plain);
  const renamed = { yaml: yaml.replaceAll("name: main", "name: third") };
  const fresh = importChannels(at.control, at.root, { body: renamed });
  expect((await refusal(fresh)).code).toBe("invalid_request");
});

test("what an earlier version kept in clear is used, and sealed by a start", async () => {
  await using at = await open();
  const { control } = at;
  const old = { ...(await at.row()), headers: JSON.stringify(plain) };
  await writeChannel(control.store, control.database, old, null);
  await control.reload.channels();
  expect(at.settings()?.headers).toEqual(plain);
  await sealPlainHeaders(control.database, control.seal);
  const sealed = (await at.row()).headers;
  expect(sealed).not.toContain("canary");
  await sealPlainHeaders(control.database, control.seal);
  expect((await at.row()).headers).toBe(sealed);
  await control.reload.channels();
  expect(at.settings()?.headers).toEqual(plain);
});

test("a channel whose headers another secret sealed is not used until they are named again", async () => {
  await using at = await open();
  const { control } = at;
  const sealed = control.seal.close("header-canary", "another channel");
  const headers = JSON.stringify({ "x-api-key": { sealed } });
  await writeChannel(control.store, control.database, { ...(await at.row()), headers }, null);
  await control.reload.channels();
  expect(at.settings()?.keys[0]?.isEnabled).toBe(false);
  expect((await refusal(at.change({ priority: 2 }))).param).toBe("headers");
  await at.change({ headers: { "x-api-key": "again" } });
  expect(at.settings()).toMatchObject({
    headers: { "x-api-key": "again" },
    keys: [{ isEnabled: true }],
  });
});
