import { expect, test } from "bun:test";
import { findAccount } from "../../identity/queries.ts";
import { openPlane, refusal, type Plane } from "../fixtures/control-plane.ts";
import { createLink, makeLink, signInByLink } from "./link.ts";
import { tryLink } from "./try-link.ts";
import type { Visitor } from "./visitor.ts";

const visitor: Visitor = { ip: "192.0.2.1", agent: "Browser", session: null };
const baseUrl = () => "http://127.0.0.1:3000";
const over = { code: "invalid_state", param: null };

const textOf = (url: string) => url.slice(url.indexOf("#link=") + "#link=".length);

async function linkFor({ control, root }: Plane, id: string): Promise<string> {
  return textOf((await createLink({ people: control, baseUrl }, root, { id })).url);
}

test("a link is short, and only its digest is in the database", async () => {
  await using plane = await openPlane();
  const { accountId } = await plane.person("alice");
  const link = await linkFor(plane, accountId);
  // 130 bits, in letters that nothing breaks a line at.
  expect(link).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
  const rows = await plane.control.database.selectFrom("sign_in_link").selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows).toLowerCase()).not.toContain(link);
});

test("of many who come with one link at once, one gets in", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const { accountId } = await plane.person("alice");
  const link = await linkFor(plane, accountId);
  const tries = Array.from({ length: 5 }, () => signInByLink(control, visitor, { body: { link } }));
  const ends = await Promise.allSettled(tries);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusal(signInByLink(control, visitor, { body: { link } }))).toEqual(over);
  expect(await control.database.selectFrom("sign_in_link").selectAll().execute()).toEqual([]);
});

test("a link is over after 15 minutes, and then forgotten", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const { accountId } = await plane.person("alice");
  const { clock, random, database } = control;
  const account = await findAccount(database, accountId);
  if (!account) throw new Error("alice is not there");
  const agoMs = 15 * 60_000;
  const past = { ...clock, nowMs: () => clock.nowMs() - agoMs };
  const { url } = await makeLink({ database, random, clock: past }, baseUrl(), account);
  const link = textOf(url);
  expect(await refusal(signInByLink(control, visitor, { body: { link } }))).toEqual(over);
  await control.secondFactors.expire();
  expect(await database.selectFrom("sign_in_link").selectAll().execute()).toEqual([]);
});

test("hazard G17 a refused link is on record under its account, another text under none", async () => {
  await using plane = await openPlane();
  const { control } = plane;
  const { accountId } = await plane.person("alice");
  const { clock, random, database } = control;
  const account = await findAccount(database, accountId);
  if (!account) throw new Error("alice is not there");
  const past = { ...clock, nowMs: () => clock.nowMs() - 15 * 60_000 };
  const { url } = await makeLink({ database, random, clock: past }, baseUrl(), account);
  for (const link of [textOf(url), "0123456789abcdefghjkmnpqrs"]) {
    expect(await refusal(tryLink(control, visitor, { body: { link } }))).toEqual(over);
  }
  const entries = await database
    .selectFrom("audit_entry")
    .select(["target_id", "actor_id"])
    .where("action", "=", "user.sign_in_refused")
    .orderBy("id")
    .execute();
  expect(entries).toEqual([
    { target_id: accountId, actor_id: accountId },
    { target_id: "unknown", actor_id: null },
  ]);
});
