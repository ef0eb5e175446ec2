// Rights of one account, key or token over its own things, and the ends that those must not
// outlive.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway } from "../harness/gateway.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { assertUp } from "./observe.ts";

const keysMax = 210;
const vendor = new Vendor((_request, reply) => reply.json(completion("hello")));
const chat = { model: "chatA", messages: [{ role: "user", content: "hi" }] };
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ config: `accounts: { keys_max: ${keysMax} }` });
  await gateway.control("POST", "/api/group", { name: "other" });
  await gateway.control("POST", "/api/channel", vendor.channel({ groups: ["other"] }));
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

interface Person {
  id: string;
  username: string;
}

async function person(): Promise<Person> {
  const username = `p-${crypto.randomUUID().slice(0, 8)}`;
  const fields = { username, password: "correct horse battery", quota_micros: 1_000_000_000 };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", fields);
  return { id, username };
}

interface NewKey {
  id: string;
  key: string;
  group_is_own: boolean;
}

async function keyOf({ username }: Person, fields: object = {}) {
  const body = { name: "a key", account: username, ...fields };
  return await gateway.control<NewKey>("POST", "/api/token", body);
}

async function statusOf(key: string): Promise<number> {
  return (await gateway.post("/v1/chat/completions", chat, key)).status;
}

test("a burst of 200 keys that were never seen is served, every one of them", async () => {
  const owner = await person();
  const keys: string[] = [];
  for (let at = 0; at < 200; at++) keys.push((await keyOf(owner)).key);
  const statuses = await Promise.all(
    keys.map(async (key) => (await gateway.get("/v1/models", key)).status),
  );
  expect(statuses).toEqual(keys.map(() => 200));
}, 60_000);

test("an account has so many keys and no more, until it gives one up", async () => {
  const owner = await person();
  const keys: { id: string }[] = [];
  for (let at = 0; at < keysMax; at++) keys.push(await keyOf(owner));
  const body = { name: "one more", account: owner.username };
  const refused = await gateway.controlEnvelope("POST", "/api/token", body);
  expect(refused.success).toBe(false);
  expect(refused.message).toContain(`at most ${keysMax} keys`);
  await gateway.control("DELETE", `/api/token/${keys[0]?.id}`);
  await keyOf(owner);
  // Another account is not concerned.
  await keyOf(await person());
}, 60_000);

test("a key goes where its account goes, unless it has a group of its own", async () => {
  const owner = await person();
  const follows = await keyOf(owner);
  const stays = await keyOf(owner, { group: "default" });
  expect([follows.group_is_own, stays.group_is_own]).toEqual([false, true]);
  expect([await statusOf(follows.key), await statusOf(stays.key)]).toEqual([503, 503]);
  await gateway.control("PATCH", `/api/user/${owner.id}`, { group: "other" });
  expect([await statusOf(follows.key), await statusOf(stays.key)]).toEqual([200, 503]);
  await gateway.control("PATCH", `/api/token/${stays.id}`, { group: null });
  expect(await statusOf(stays.key)).toBe(200);
  await gateway.control("PATCH", `/api/token/${follows.id}`, { group: "other" });
  await gateway.control("PATCH", `/api/user/${owner.id}`, { group: "default" });
  expect([await statusOf(follows.key), await statusOf(stays.key)]).toEqual([200, 503]);
});

test("a user cannot pin a key to the group that the account is in today", async () => {
  const owner = await person();
  await gateway.control("PATCH", `/api/user/${owner.id}`, { group: "other" });
  const path = `/api/user/${owner.id}/token`;
  const { token } = await gateway.control<{ token: string }>("POST", path);
  const asked = { name: "pinned", group: "other" };
  const made = await gateway.controlEnvelope("POST", "/api/token", asked, token);
  const { key, id } = made.data as { key: string; id: string };
  expect(await statusOf(key)).toBe(200);
  await gateway.controlEnvelope("PATCH", `/api/token/${id}`, { group: "other" }, token);
  await gateway.control("PATCH", `/api/user/${owner.id}`, { group: "default" });
  expect(await statusOf(key)).toBe(503);
});

test("an access token cannot make one that outlives it", async () => {
  const owner = await person();
  const expires_at = Math.floor(Date.now() / 1000) + 3600;
  const path = `/api/user/${owner.id}/token`;
  const { token } = await gateway.control<{ token: string }>("POST", path, { expires_at });
  const make = (body: object, at = "/api/access-token") =>
    gateway.controlEnvelope("POST", at, body, token);
  expect(await make({ expires_at: expires_at + 1 })).toMatchObject({ success: false });
  expect(await make({ expires_at: expires_at + 1 }, path)).toMatchObject({ success: false });
  expect(await make({})).toMatchObject({ success: true, data: { expires_at } });
  expect(await make({}, path)).toMatchObject({ success: true, data: { expires_at } });
});
