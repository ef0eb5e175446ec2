import { expect, test } from "bun:test";
import { openPlane } from "../admin/fixtures/control-plane.ts";
import { takeChore } from "./chores.ts";

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
