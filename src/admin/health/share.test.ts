import { expect, test } from "bun:test";
import { roundedShare } from "./share.ts";

test("a share is 1 only where nothing is missing", () => {
  const shares = [
    roundedShare(1, 3),
    roundedShare(99_999, 100_000),
    roundedShare(7, 7),
    roundedShare(0, 9),
  ];
  expect(shares).toEqual([0.3333, 0.9999, 1, 0]);
});
