import { expect, test } from "bun:test";
import { openPlane, refusal, type Plane } from "../../admin/fixtures/control-plane.ts";
import type { AccountId } from "../../core/ids.ts";
import { permissions } from "../roles/permissions.ts";
import { readSessions } from "./queries.ts";
import { Sessions } from "./sessions.ts";

const limits = { idleMs: 1000, absoluteMs: 5000 };
const browser = { ip: "192.0.2.1", agent: "Browser" };

/** Sessions on a clock that only the test moves. */
function openSessions({ control, root }: Plane) {
  const time = { nowMs: 1_800_000_000_000 };
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  return { time, sessions: new Sessions({ ...control, clock, limits }), accountId: root.accountId };
}

/** The moment of last use that is written down, once it is another. */
async function nextTouch({ control }: Plane, id: AccountId, seenAtMs: number): Promise<number> {
  for (;;) {
    const [row] = await readSessions(control.database, id);
    if (row && row.seen_at_ms !== seenAtMs) return row.seen_at_ms;
  }
}

test("a session is known by its text alone, of which only the digest is kept", async () => {
  await using plane = await openPlane();
  const { sessions, accountId } = openSessions(plane);
  const { id, secret } = await sessions.open(accountId, browser, null);
  expect(secret).toMatch(/^sst-[\w-]{43}$/);
  const may = new Set(permissions);
  const operator = { accountId, username: "root", role: "root", may, sessionId: id } as const;
  expect(await sessions.operator(secret)).toEqual(operator);
  const [row] = await sessions.list(accountId);
  expect(row).toMatchObject({ id, ...browser });
  expect(JSON.stringify(row)).not.toContain(secret);
  for (const wrong of [row?.hash ?? "", id, "", secret.slice(1), `${secret}x`, "x".repeat(1e6)]) {
    expect((await refusal(sessions.operator(wrong))).code).toBe("invalid_api_key");
  }
});

test("hazard F13 a session that is not used ends, and one that is used goes on", async () => {
  await using plane = await openPlane();
  const { time, sessions, accountId } = openSessions(plane);
  const { secret } = await sessions.open(accountId, browser, null);
  const openedAtMs = time.nowMs;
  time.nowMs += 900;
  await sessions.operator(secret);
  expect(await nextTouch(plane, accountId, openedAtMs)).toBe(time.nowMs);
  time.nowMs += 999;
  await sessions.operator(secret);
  await nextTouch(plane, accountId, openedAtMs + 900);
  time.nowMs += 1000;
  expect((await refusal(sessions.operator(secret))).code).toBe("invalid_api_key");
  expect(await sessions.list(accountId)).toEqual([]);
});

test("hazard F13 a session ends after its longest time however much it is used", async () => {
  await using plane = await openPlane();
  const { time, sessions, accountId } = openSessions(plane);
  const { secret } = await sessions.open(accountId, browser, null);
  const endsAtMs = time.nowMs + limits.absoluteMs;
  for (let seenAtMs = time.nowMs; time.nowMs + 900 < endsAtMs;) {
    time.nowMs += 900;
    await sessions.operator(secret);
    seenAtMs = await nextTouch(plane, accountId, seenAtMs);
  }
  time.nowMs = endsAtMs;
  expect((await refusal(sessions.operator(secret))).code).toBe("invalid_api_key");
});

test("what has ended by itself is deleted, and nothing else", async () => {
  await using plane = await openPlane();
  const { time, sessions, accountId } = openSessions(plane);
  await sessions.open(accountId, browser, null);
  time.nowMs += 600;
  const { id } = await sessions.open(accountId, browser, null);
  time.nowMs += 600;
  await sessions.expire();
  const rows = await readSessions(plane.control.database, accountId);
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test("a session that takes another's place ends it", async () => {
  await using plane = await openPlane();
  const { sessions, accountId } = openSessions(plane);
  const first = await sessions.open(accountId, browser, null);
  const second = await sessions.open(accountId, browser, first.secret);
  expect((await refusal(sessions.operator(first.secret))).code).toBe("invalid_api_key");
  expect((await sessions.operator(second.secret)).sessionId).toBe(second.id);
});

test("an account has a bounded number of sessions: the oldest make room", async () => {
  await using plane = await openPlane();
  const { time, sessions, accountId } = openSessions(plane);
  const agent = "x".repeat(5000);
  const first = await sessions.open(accountId, { ...browser, agent }, null);
  for (let at = 0; at < 50; at++) {
    time.nowMs++;
    await sessions.open(accountId, browser, null);
  }
  expect(await sessions.list(accountId)).toHaveLength(50);
  expect((await refusal(sessions.operator(first.secret))).code).toBe("invalid_api_key");
});

test("a session ends only for the account it belongs to", async () => {
  await using plane = await openPlane();
  const { sessions, accountId } = openSessions(plane);
  const { accountId: other } = await plane.person("other");
  const { id, secret } = await sessions.open(accountId, browser, null);
  expect(await sessions.end(other, id)).toBe(false);
  await sessions.operator(secret);
  expect(await sessions.end(accountId, id)).toBe(true);
  expect(await sessions.end(accountId, id)).toBe(false);
  expect((await refusal(sessions.operator(secret))).code).toBe("invalid_api_key");
});
