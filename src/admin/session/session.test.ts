import { expect, test } from "bun:test";
import { readSessions } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { createDatabase } from "../../store/database.ts";
import { openPlane, refusal, thrown, type Plane } from "../fixtures/control-plane.ts";
import { changeUser, disableUser } from "../user/change.ts";
import { changePassword } from "../user/password.ts";
import { endSession, signOut } from "./end.ts";
import { listSessionViews } from "./list.ts";
import { signIn, type SignedIn } from "./open.ts";
import type { Visitor } from "./visitor.ts";

const password = "a long password";
const visitor: Visitor = { ip: "192.0.2.1", agent: "Browser", session: null };
const all = { query: { p: 1, page_size: 20 } };

/** The session of alice, who has no second factor. */
async function enter({ control }: Plane, from: Partial<Visitor> = {}): Promise<SignedIn> {
  const entered = await signIn(
    control,
    { ...visitor, ...from },
    { body: { username: "alice", password } },
  );
  if ("self" in entered) return entered;
  throw new Error("a second factor was asked for");
}

/** Signs alice in and says who she then is. */
async function alice(plane: Plane, from: Partial<Visitor> = {}) {
  const { control } = plane;
  const { secret } = await enter(plane, from);
  return { secret, operator: await control.sessions.operator(secret) };
}

async function sessionCount({ control }: Plane, { accountId }: Operator): Promise<number> {
  return (await readSessions(control.database, accountId)).length;
}

test("U3 name and password open a session that shows who one is", async () => {
  await using plane = await openPlane();
  const { accountId } = await plane.person("alice");
  const { self, secret } = await enter(plane);
  expect(self).toMatchObject({ id: accountId, username: "alice", role: "user", quota_micros: 0 });
  expect(JSON.stringify(self)).not.toContain("argon2");
  const operator = await plane.control.sessions.operator(secret);
  expect(operator).toMatchObject({ accountId, username: "alice", role: "user" });
  const { items } = await listSessionViews(plane.control, operator, all);
  expect(items).toMatchObject([{ current: true, ip: "192.0.2.1", agent: "Browser" }]);
});

test("hazard F17 a name that is not there and a disabled account are a wrong password", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId } = await plane.person("alice");
  const wrong = await refusal(
    signIn(control, visitor, { body: { username: "alice", password: "wrong" } }),
  );
  expect(wrong).toEqual({ code: "invalid_credentials", param: null });
  expect(
    await refusal(signIn(control, visitor, { body: { username: "nobody", password } })),
  ).toEqual(wrong);
  await disableUser(control, root, { id: accountId });
  expect(
    await refusal(signIn(control, visitor, { body: { username: "alice", password } })),
  ).toEqual(wrong);
});

test("hazard F17 tries are slowed by name and address, before anything is looked up", async () => {
  await using plane = await openPlane();
  await plane.person("alice");
  const codes = new Set<string>();
  for (let at = 0; at < 8; at++) {
    const body = { username: "alice", password: "wrong" };
    codes.add((await refusal(signIn(plane.control, visitor, { body }))).code);
  }
  expect([...codes]).toEqual(["invalid_credentials", "rate_limit_exceeded"]);
  const right = { username: "alice", password };
  expect((await refusal(signIn(plane.control, visitor, { body: right }))).code).toBe(
    "rate_limit_exceeded",
  );
  await alice(plane, { ip: "198.51.100.7" });
});

test("hazard F17 the right password of a disabled account counts as a wrong one", async () => {
  await using plane = await openPlane();
  const { accountId: id } = await plane.person("alice");
  await disableUser(plane.control, plane.root, { id });
  const codes: string[] = [];
  for (let at = 0; at < 8; at++) {
    codes.push(
      (await refusal(signIn(plane.control, visitor, { body: { username: "alice", password } })))
        .code,
    );
  }
  expect(codes.at(-1)).toBe("rate_limit_exceeded");
});

test("hazard F17 a try that the gateway could not judge is not held against anyone", async () => {
  await using plane = await openPlane();
  await plane.person("alice");
  const { store } = plane.control;
  const broken = { ...store, read: () => Promise.reject(new Error("the disk is gone")) };
  const control = { ...plane.control, database: createDatabase(broken) };
  for (let at = 0; at < 20; at++) {
    const work = () => signIn(control, visitor, { body: { username: "alice", password } });
    expect(await thrown(work)).toBe("the disk is gone");
  }
  await alice(plane);
});

test("hazard F10 whoever signs in again gets another session for the old one", async () => {
  await using plane = await openPlane();
  await plane.person("alice");
  const first = await alice(plane);
  const second = await alice(plane, { session: first.secret });
  expect(second.secret).not.toBe(first.secret);
  const { code } = await refusal(plane.control.sessions.operator(first.secret));
  expect(code).toBe("invalid_api_key");
  const planted = await alice(plane, { session: "sst-planted-by-someone-else" });
  expect(planted.secret).not.toContain("planted");
  expect(await sessionCount(plane, second.operator)).toBe(2);
});

test("hazard F12 signing out ends one session, another can be ended by its id", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  await plane.person("alice");
  const first = await alice(plane);
  const second = await alice(plane);
  const id = second.operator.sessionId ?? "";
  expect(await endSession(control, first.operator, { id })).toEqual({ id });
  expect((await refusal(control.sessions.operator(second.secret))).code).toBe("invalid_api_key");
  await signOut(control, first.operator);
  expect((await refusal(control.sessions.operator(first.secret))).code).toBe("invalid_api_key");
});

test("hazard G1 a session of another is like one that is not there", async () => {
  await using plane = await openPlane();
  await plane.person("alice");
  const { operator } = await alice(plane);
  const theirs = await refusal(
    endSession(plane.control, plane.root, { id: operator.sessionId ?? "" }),
  );
  expect(theirs.code).toBe("not_found");
  for (const id of ["ses_00000000000000000000000000", "", "x", operator.accountId]) {
    expect(await refusal(endSession(plane.control, plane.root, { id }))).toEqual(theirs);
  }
  expect(await sessionCount(plane, operator)).toBe(1);
});

test("hazard F12 another password ends every session and opens a new one", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  await plane.person("alice");
  const first = await alice(plane);
  const second = await alice(plane);
  const wrong = { current_password: "not it at all", new_password: "another password" };
  expect(await refusal(changePassword(control, first.operator, { visitor, body: wrong }))).toEqual({
    code: "invalid_credentials",
    param: "current_password",
  });
  const body = { current_password: password, new_password: "another password" };
  const again = await changePassword(control, first.operator, { visitor, body });
  for (const { secret } of [first, second]) {
    expect((await refusal(control.sessions.operator(secret))).code).toBe("invalid_api_key");
  }
  const operator = await control.sessions.operator(again?.secret ?? "");
  expect(operator.accountId).toBe(first.operator.accountId);
  expect(await sessionCount(plane, operator)).toBe(1);
  const byToken = { ...operator };
  delete byToken.sessionId;
  const back = { current_password: "another password", new_password: password };
  expect(await changePassword(control, byToken, { visitor, body: back })).toBeNull();
  expect(await sessionCount(plane, operator)).toBe(0);
  await alice(plane);
});

test("hazard F12 a role, a password or a status that an admin changes ends the sessions", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId: id } = await plane.person("alice");
  const changes = [
    { role: "admin" },
    { password },
    { status: "disabled" },
    { status: "enabled" },
  ] as const;
  for (const body of changes) {
    const isOpen = "status" in body && body.status === "enabled";
    const { operator } = isOpen ? { operator: root } : await alice(plane);
    await changeUser(control, root, { id, body });
    expect(await sessionCount(plane, operator)).toBe(0);
  }
  const { operator } = await alice(plane);
  await changeUser(control, root, { id, body: { role: "admin", concurrency: 3 } });
  expect(await sessionCount(plane, operator)).toBe(1);
});

test("hazard F12 who signs in while the password changes is not let in with the old one", async () => {
  await using plane = await openPlane();
  const { control, root } = plane;
  const { accountId: id } = await plane.person("alice");
  const change = changeUser(control, root, { id, body: { password: "another password" } });
  const tries = Array.from({ length: 4 }, () => alice(plane).catch(() => null));
  await Promise.all([change, ...tries]);
  const rows = await readSessions(control.database, id);
  expect(rows).toEqual([]);
});
