import { expect, test } from "bun:test";
import { micros } from "../../core/money.ts";
import type { KeyId } from "../../core/ids.ts";
import { setGroup } from "../group/write.ts";
import { openPlane, refusal, thrown } from "../fixtures/control-plane.ts";
import { changeUser } from "../user/change.ts";
import { changeKey } from "./change.ts";
import { createKey } from "./create.ts";
import { listKeyViews } from "./list.ts";
import { readKey } from "./read.ts";
import { revokeKey } from "./revoke.ts";

const all = new URLSearchParams();

test("N12 a key is shown whole once, and afterwards only enough to recognise it", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const alice = await plane.person("alice");
  const made = await createKey(control, alice, { name: "laptop" });
  expect(made).toMatchObject({
    name: "laptop",
    account: "alice",
    group: "default",
    unlimited: true,
    quota_micros: null,
    models: null,
    status: "enabled",
  });
  expect((await control.authenticator.caller(made.key, { ip: "" })).username).toBe("alice");
  const { key: text, ...view } = made;
  expect(await readKey(control, alice, { id: made.id })).toEqual(view);
  const list = await listKeyViews(control, alice, all);
  expect(list.items).toEqual([view]);
  expect(JSON.stringify(list)).not.toContain(text);
});

test("hazard A13 the database holds no key, only its digest", async () => {
  await using plane = await openPlane();
  const { key } = await createKey(plane.control, plane.root, { name: "laptop" });
  const rows = await plane.control.database.selectFrom("api_key").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(key.slice(8, -4));
});

test("N12 every field of a key reaches the caller", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const made = await createKey(control, root, {
    name: "narrow",
    quota_micros: 500,
    models: ["chatA"],
    allow_ips: ["10.0.0.0/8"],
    expires_at: 4_000_000_000,
    requests_per_minute: 5,
  });
  const caller = await control.authenticator.caller(made.key, { ip: "10.1.2.3" });
  expect([...(caller.models ?? [])]).toEqual(["chatA"]);
  expect(caller.expiresAtMs).toBe(4_000_000_000_000);
  expect(caller.rates[0]?.rule.requestsPerMinute).toBe(5);
  expect(await thrown(() => control.authenticator.caller(made.key, { ip: "11.1.2.3" }))).toContain(
    "not valid",
  );
  expect((await control.balances.key(made.id as KeyId))?.limitMicros).toBe(500);
});

test("a change holds for the very next request, the limit in memory included", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id, key } = await createKey(control, root, { name: "k", models: ["chatA"] });
  await control.authenticator.caller(key, { ip: "" });
  const balance = await control.balances.key(id as KeyId);
  const body = { quota_micros: 1000, models: null, expires_at: "2090-01-01T00:00:00Z" };
  const changed = await changeKey(control, root, { id, body });
  expect(changed).toMatchObject({ quota_micros: 1000, unlimited: false, models: null, name: "k" });
  expect(balance?.limitMicros).toBe(1000);
  expect((await control.authenticator.caller(key, { ip: "" })).models).toBeNull();
  const freed = await changeKey(control, root, { id, body: { unlimited: true } });
  expect(freed).toMatchObject({ quota_micros: null, unlimited: true, expires_at: 3786912000 });
  expect(balance?.limitMicros).toBeNull();
});

test("what is done to one key leaves the others known", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const first = await createKey(control, root, { name: "first of two" });
  const known = await control.authenticator.caller(first.key, { ip: "" });
  const { id } = await createKey(control, root, { name: "second" });
  await changeKey(control, root, { id, body: { name: "other" } });
  await revokeKey(control, root, { id });
  // At once, and not after a look into the database.
  expect(control.authenticator.knownCaller(first.key, { ip: "" })).toBe(known);
});

test("hazard A10 a disabled key is refused at once and works again when enabled", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id, key } = await createKey(control, root, { name: "k" });
  await changeKey(control, root, { id, body: { status: "disabled" } });
  expect(await thrown(() => control.authenticator.caller(key, { ip: "" }))).toContain("not valid");
  await changeKey(control, root, { id, body: { status: "enabled" } });
  expect((await control.authenticator.caller(key, { ip: "" })).keyId as string).toBe(id);
  const wrong = changeKey(control, root, { id, body: { status: "asleep" } });
  expect((await refusal(wrong)).param).toBe("status");
});

test("a revoked key is gone from lists and refused, and what it spent stays", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { id, key } = await createKey(control, root, { name: "k" });
  const caller = await control.authenticator.caller(key, { ip: "" });
  const account = await control.balances.account(caller.accountId);
  const balance = await control.balances.key(caller.keyId);
  if (!account || !balance) throw new Error("no balance");
  const reservation = await control.ledger.admit({
    id: "req_1",
    account,
    key: balance,
    group: "default",
    model: "chatA",
    micros: micros(50),
    price: "0/0/0/0/0",
  });
  await control.ledger.post(reservation, micros(40), "1/1/0/0").written;
  expect((await readKey(control, root, { id })).used_micros).toBe(40);
  await revokeKey(control, root, { id });
  expect(await thrown(() => control.authenticator.caller(key, { ip: "" }))).toContain("not valid");
  const { items } = await listKeyViews(control, root, all);
  expect(items.map(({ name }) => name)).toEqual(["first"]);
  expect((await refusal(readKey(control, root, { id }))).code).toBe("not_found");
  expect((await refusal(revokeKey(control, root, { id }))).code).toBe("not_found");
});

test("A9 hazard G1 another account's key is as unknown as one that never was", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const alice = await plane.person("alice");
  const bob = await plane.person("bob");
  const { id } = await createKey(control, alice, { name: "k" });
  const attempts = [
    () => readKey(control, bob, { id }),
    () => changeKey(control, bob, { id, body: { name: "mine" } }),
    () => revokeKey(control, bob, { id }),
    () => readKey(control, bob, { id: "key_00000000000000000000000000" }),
  ];
  for (const attempt of attempts) expect((await refusal(attempt())).code).toBe("not_found");
  expect((await listKeyViews(control, bob, all)).total).toBe(0);
});

test("a user makes keys for itself alone, and learns of nobody else", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const alice = await plane.person("alice");
  for (const account of ["root", "nobody-at-all"]) {
    const made = createKey(control, alice, { name: "k", account });
    expect(await refusal(made)).toEqual({ code: "permission_denied", param: "account" });
    const listed = listKeyViews(control, alice, new URLSearchParams({ account }));
    expect((await refusal(listed)).code).toBe("permission_denied");
  }
  const own = await createKey(control, alice, { name: "k", account: "alice" });
  expect(own.account).toBe("alice");
});

test("hazard G4 an admin makes keys for users and itself, never for root or another admin", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const admin = await plane.person("ann", "admin");
  await plane.person("other", "admin");
  await plane.person("alice");
  for (const account of ["alice", "ann"]) {
    expect((await createKey(control, admin, { name: "k", account })).account).toBe(account);
  }
  for (const account of ["root", "other"]) {
    const made = createKey(control, admin, { name: "k", account });
    expect((await refusal(made)).code).toBe("permission_denied");
  }
  const { id } = await createKey(control, root, { name: "rich" });
  expect((await readKey(control, admin, { id })).name).toBe("rich");
  expect((await refusal(revokeKey(control, admin, { id }))).code).toBe("permission_denied");
  const missing = createKey(control, admin, { name: "k", account: "nobody" });
  expect(await refusal(missing)).toEqual({ code: "invalid_request", param: "account" });
});

test("an admin sees every key, or those of one account", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  await createKey(control, alice, { name: "hers" });
  expect((await listKeyViews(control, root, all)).total).toBe(2);
  const { items } = await listKeyViews(control, root, new URLSearchParams("account=alice"));
  expect(items.map(({ name }) => name)).toEqual(["hers"]);
});

test("a key's group exists, and an ordinary user's is the account's own", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  await setGroup(control, root, { name: "vip", multiplier: 0.5 });
  const missing = createKey(control, root, { name: "k", group: "no such" });
  expect(await refusal(missing)).toEqual({ code: "invalid_request", param: "group" });
  const cheap = createKey(control, alice, { name: "k", group: "vip" });
  expect(await refusal(cheap)).toEqual({ code: "permission_denied", param: "group" });
  const { id } = await createKey(control, alice, { name: "k" });
  const change = changeKey(control, alice, { id, body: { group: "vip" } });
  expect((await refusal(change)).param).toBe("group");
  const given = await createKey(control, root, { name: "k2", group: "vip", account: "alice" });
  expect((await control.authenticator.caller(given.key, { ip: "" })).multiplierPpm).toBe(500_000);
  await changeUser(control, root, { id: alice.accountId, body: { group: "vip" } });
  expect((await changeKey(control, alice, { id, body: { group: "vip" } })).group).toBe("vip");
});

test("hazard G3 a key cannot be given a text, an owner or a past by its fields", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  for (const field of ["key", "hash", "account_id", "used_micros", "declared"]) {
    const made = createKey(control, root, { name: "k", [field]: "x" });
    expect(await refusal(made)).toEqual({ code: "invalid_request", param: field });
  }
  const { id } = await createKey(control, root, { name: "k" });
  const moved = changeKey(control, root, { id, body: { account: "alice" } });
  expect((await refusal(moved)).param).toBe("account");
});
