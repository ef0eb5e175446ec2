import { expect, test } from "bun:test";
import { openPlane } from "../admin/fixtures/control-plane.ts";
import { endChore, forgetChores, takeChore } from "./chores.ts";

test("a chore is one's who asks, once in a period, and others are not concerned", async () => {
  await using plane = await openPlane();
  const { database } = plane.control;
  const ask = (name: string, nowMs: number) => takeChore(database, { name, nowMs, periodMs: 1000 });
  const first = await Promise.all([ask("media", 5000), ask("media", 5000), ask("media", 5001)]);
  expect(first.filter((isMine) => isMine)).toHaveLength(1);
  expect(await ask("verify", 5001)).toBe(true);
  expect(await ask("media", 5999)).toBe(false);
  expect(await ask("media", 6001)).toBe(true);
  expect(await ask("media", 6002)).toBe(false);
});

test("a chore that was ended is anybody's again, and what nobody ended is forgotten", async () => {
  await using plane = await openPlane();
  const { database } = plane.control;
  const ask = (name: string, nowMs: number) => takeChore(database, { name, nowMs, periodMs: 1000 });
  for (const name of ["end one", "end two", "media"]) expect(await ask(name, 5000)).toBe(true);
  await endChore(database, "end one");
  expect([await ask("end one", 5001), await ask("end two", 5001)]).toEqual([true, false]);
  await forgetChores(database, "end ", 5001);
  const left = await database.selectFrom("chore").select("name").orderBy("name").execute();
  expect(left.map(({ name }) => name)).toEqual(["end one", "media"]);
});
