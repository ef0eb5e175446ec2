import { expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { Overruns } from "./overruns.ts";

const account = (spentMicros: number) => ({ id: "acc_1" as AccountId, spentMicros });

test("an account that overran its wallet five times by more than a tenth of what it paid waits", () => {
  const overruns = new Overruns();
  const heard = [1, 2, 3, 4, 5].map(() => overruns.note(account(1000), 500));
  expect(heard).toEqual([false, false, false, false, true]);
  // An operator let it go on: it begins anew.
  expect(overruns.note(account(1000), 500)).toBe(false);
});

test("an account that pays for nearly all it uses does not wait", () => {
  const overruns = new Overruns();
  for (let times = 0; times < 50; times++) {
    expect(overruns.note(account(1_000_000), 1000)).toBe(false);
  }
});
