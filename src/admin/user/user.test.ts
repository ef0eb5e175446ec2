import { expect, test } from "bun:test";
import { findAccountByName } from "../../identity/queries.ts";
import { createKey } from "../key/create.ts";
import { isPassword } from "../passwords.ts";
import { openPlane, refusal, thrown } from "../fixtures/control-plane.ts";
import { createUserToken, revokeUserTokens } from "./access-token.ts";
import { changeUser, disableUser } from "./change.ts";
import { userCalls } from "./contract.ts";
import { createUser } from "./create.ts";
import { creditUser } from "./credit.ts";
import { listUserViews } from "./list.ts";
import { readSelf, readUser } from "./read.ts";

const password = "a long password";
const never = "acc_00000000000000000000000000";

test("N19 an account is made with its quota as a grant of the ledger", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const made = await createUser(control, root, {
    body: { username: "alice", password, quota_micros: 700 },
  });
  expect(made).toMatchObject({
    username: "alice",
    role: "user",
    group: "default",
    status: "enabled",
    quota_micros: 700,
    held_micros: 0,
    used_micros: 0,
  });
  await control.store.applied();
  const entries = await control.database.selectFrom("entry").selectAll().execute();
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ kind: "grant", micros: 700, actor: "root" });
  expect(await readUser(control, root, { id: made.id })).toEqual(made);
  expect((await listUserViews(control, root, { query: { p: 1, page_size: 20 } })).total).toBe(2);
});

test("N19 self shows what is left, and root has no limit", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  await creditUser(control, root, { id: alice.accountId, body: { micros: 5, reason: "gift" } });
  expect(await readSelf(control, alice)).toEqual({
    id: alice.accountId,
    kind: "person",
    username: "alice",
    role: "user",
    permissions: [],
    group: "default",
    quota_micros: 5,
    held_micros: 0,
    used_micros: 0,
    email: null,
    email_pending: null,
    display_name: null,
    language: null,
    zone: null,
    low_balance_micros: null,
    notice_url: null,
  });
  expect((await readSelf(control, root)).quota_micros).toBeNull();
});

test("names, passwords and groups of accounts are checked", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const make = (fields: object) =>
    refusal(
      (async () => {
        const body = userCalls.create.body.parse({ password, ...fields });
        return await createUser(control, root, { body });
      })(),
    );
  for (const username of ["", "a b", "x".repeat(65), "é"]) {
    expect((await make({ username })).param).toBe("username");
  }
  expect((await make({ username: "a", password: "short" })).param).toBe("password");
  expect((await make({ username: "a", group: "none" })).param).toBe("group");
  expect((await make({ username: "a", quota_micros: -1 })).param).toBe("quota_micros");
  expect((await make({ username: "a", quota_micros: 1e15 + 1 })).param).toBe("quota_micros");
  expect((await make({ username: "a", id: never })).param).toBe("id");
  expect((await make({ username: "root" })).code).toBe("conflict");
});

test("hazard G4 only root gives roles, and edits whoever has one", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const admin = await plane.person("ann", "admin");
  const user = await plane.person("alice");
  const made = createUser(control, admin, { body: { username: "b", password, role: "admin" } });
  expect(await refusal(made)).toEqual({ code: "permission_denied", param: "role" });
  const change = (id: string, body: object) =>
    refusal(changeUser(control, admin, { id, body: { ...body } }));
  expect((await change(root.accountId, { password })).code).toBe("permission_denied");
  expect((await change(admin.accountId, { role: "root" })).code).toBe("permission_denied");
  expect((await change(user.accountId, { role: "admin" })).code).toBe("permission_denied");
  const credit = creditUser(control, admin, {
    id: admin.accountId,
    body: { micros: 5, reason: "for me" },
  });
  expect((await refusal(credit)).code).toBe("permission_denied");
  const promoted = await changeUser(control, root, { id: user.accountId, body: { role: "admin" } });
  expect(promoted.role).toBe("admin");
  const own = changeUser(control, root, { id: root.accountId, body: { role: "user" } });
  expect((await refusal(own)).code).toBe("permission_denied");
});

test("hazard G4 the last root cannot be disabled", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  expect((await refusal(disableUser(control, root, { id: root.accountId }))).code).toBe("conflict");
  const second = await plane.person("second", "root");
  expect((await disableUser(control, root, { id: second.accountId })).status).toBe("disabled");
  expect((await refusal(disableUser(control, root, { id: root.accountId }))).code).toBe("conflict");
});

test("hazard A10 a disabled account is locked out with its keys and tokens", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  const { key } = await createKey(control, alice, { body: { name: "k" } });
  const { token } = await createUserToken(control, alice, { id: alice.accountId, body: {} });
  await control.authenticator.caller(key, { ip: "" });
  await disableUser(control, root, { id: alice.accountId });
  expect(await thrown(() => control.authenticator.caller(key, { ip: "" }))).toContain("not valid");
  expect(await thrown(() => control.authenticator.operator(token))).toContain("not valid");
});

test("a change of an account reaches its limits and its password, never its money", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId: id } = await plane.person("alice");
  const body = { password: "another password", requests_per_minute: 9 };
  expect((await changeUser(control, root, { id, body })).requests_per_minute).toBe(9);
  const row = await findAccountByName(control.database, "alice");
  expect(await isPassword("another password", row?.password_hash ?? "")).toBe(true);
  const lifted = await changeUser(control, root, { id, body: { requests_per_minute: null } });
  expect(lifted.requests_per_minute).toBeNull();
  for (const field of ["quota_micros", "username", "created_at", "password_hash"]) {
    const change = (async () => userCalls.change.body.parse({ [field]: 1 }))();
    expect(await refusal(change)).toEqual({ code: "invalid_request", param: field });
  }
  expect((await changeUser(control, root, { id, body: {} })).username).toBe("alice");
});

test("N19 hazard B17 a credit is booked with its reason and takes back at most what is left", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId: id } = await plane.person("alice");
  const credit = async (micros: number, reason = "by hand") => {
    const body = userCalls.credit.body.parse({ micros, reason });
    return await creditUser(control, root, { id, body });
  };
  expect(await credit(1000)).toMatchObject({ micros: 1000, quota_micros: 1000 });
  expect(await credit(-300)).toMatchObject({ micros: -300, quota_micros: 700 });
  expect(await credit(-5000)).toMatchObject({ micros: -700, quota_micros: 0 });
  expect((await control.balances.account(id))?.availableMicros).toBe(0);
  for (const micros of [0, 1.5, 1e15 + 1, -1e15 - 1, Number.NaN]) {
    expect((await refusal(credit(micros))).param).toBe("micros");
  }
  expect((await refusal(credit(5, ""))).param).toBe("reason");
  const stranger = creditUser(control, root, { id: never, body: { micros: 1, reason: "x" } });
  expect((await refusal(stranger)).code).toBe("not_found");
});

test("an account's money cannot grow beyond what sums hold", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId: id } = await plane.person("alice");
  const body = { micros: 1e15, reason: "much" };
  for (let times = 0; times < 4; times++) await creditUser(control, root, { id, body });
  expect((await refusal(creditUser(control, root, { id, body }))).param).toBe("micros");
  expect((await readUser(control, root, { id })).quota_micros).toBe(4e15);
});

test("hazard B14 the same credit sent many times at once is booked once", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId: id } = await plane.person("alice");
  const { accountId: other } = await plane.person("bob");
  const body = { micros: 100, reason: "invoice", id: "invoice-42" };
  const credits = Array.from({ length: 10 }, () => creditUser(control, root, { id, body }));
  const [first, ...others] = await Promise.all(credits);
  const booked = { id: "invoice-42", micros: 100, quota_micros: 100 };
  const at = { booked_at: expect.any(Number) };
  expect(first).toEqual({ ...booked, ...at, repeated: false });
  for (const credit of others) expect(credit).toEqual({ ...booked, ...at, repeated: true });
  const dearer = creditUser(control, root, { id, body: { ...body, micros: 200 } });
  expect(await refusal(dearer)).toEqual({ code: "conflict", param: "id" });
  const elsewhere = creditUser(control, root, { id: other, body });
  expect((await refusal(elsewhere)).code).toBe("conflict");
  expect(control.ledger.isFaulted).toBe(false);
  expect((await readUser(control, root, { id })).quota_micros).toBe(100);
});

test("an access token is made by its account or root, and all are revoked together", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const alice = await plane.person("alice");
  const bob = await plane.person("bob");
  const admin = await plane.person("ann", "admin");
  const id = alice.accountId;
  const make = (who: typeof root) => createUserToken(control, who, { id, body: { name: "ci" } });
  const own = await make(alice);
  const byRoot = await make(root);
  expect(own).toMatchObject({ name: "ci", expires_at: null });
  expect((await control.authenticator.operator(byRoot.token)).username).toBe("alice");
  expect((await refusal(make(bob))).code).toBe("not_found");
  expect((await refusal(make(admin))).code).toBe("permission_denied");
  const spent = await createUserToken(
    { ...control, clock: { ...control.clock, nowMs: () => 0 } },
    alice,
    { id, body: { expires_at: 1 } },
  );
  expect(await thrown(() => control.authenticator.operator(spent.token))).toContain("not valid");
  expect((await refusal(revokeUserTokens(control, bob, { id }))).code).toBe("not_found");
  expect(await revokeUserTokens(control, alice, { id })).toEqual({ revoked: 3 });
  expect(await thrown(() => control.authenticator.operator(own.token))).toContain("not valid");
});
