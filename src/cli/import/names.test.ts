import { expect, test } from "bun:test";
import { entityNames, respell, TakenNames, usernames } from "./names.ts";

test("a name that is good stays, and of another what is left is taken", () => {
  expect(respell("alice@example.com", usernames, "x")).toBe("alice@example.com");
  expect(respell("-dash-", usernames, "x")).toBe("-dash-");
  expect(respell("José Ñandú", usernames, "x")).toBe("Jose-Nandu");
  expect(respell("王小明", usernames, "user-4")).toBe("user-4");
  expect(respell(" my channel ", entityNames, "x")).toBe("my channel");
  expect(respell("a".repeat(80), entityNames, "x")).toHaveLength(64);
});

test("whoever is second gets a number, whatever the capitals", () => {
  const taken = new TakenNames(["Root"]);
  expect([taken.take("root"), taken.take("ROOT"), taken.take("other")]).toEqual([
    "root-2",
    "ROOT-3",
    "other",
  ]);
  const long = "b".repeat(64);
  taken.take(long);
  expect(taken.take(long)).toBe(`${"b".repeat(62)}-2`);
});
