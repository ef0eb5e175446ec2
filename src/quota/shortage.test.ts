import { expect, test } from "bun:test";
import type { AccountId, KeyId } from "../core/ids.ts";
import { microsMax } from "../core/money.ts";
import { shortOfAccount, shortOfKey } from "./shortage.ts";

const unused = { uses: 0, isForgotten: false, unwrittenMicros: 0 };
const used = { ...unused, heldMicros: 0, spentMicros: 900_000 };
const key = { ...used, id: "key_1" as KeyId, accountId: "acc_1" as AccountId };
const account = { ...used, id: "acc_1" as AccountId, unlimited: false, grantedMicros: 0 };

test("what an account needs and has left is told in dollars, with the field to lower", () => {
  const error = shortOfAccount(
    { micros: 1_280_000, lower: "max_tokens" },
    { ...account, availableMicros: 100_000 },
  );
  expect([error.code, error.param, error.message]).toEqual([
    "insufficient_user_quota",
    "max_tokens",
    "Not enough quota: the request can cost up to $1.28, and this account has $0.10 left. " +
      "Lower max_tokens, or add credit.",
  ]);
});

test("what running requests hold is told, since it may come back", () => {
  const { message } = shortOfAccount(
    { micros: 5 },
    { ...account, availableMicros: 1, heldMicros: 2_000_000 },
  );
  expect(message).toContain("has $0.000001 left ($2.00 is held for what is running). Please add");
});

test("a key's own limit is told apart from its account's money", () => {
  const error = shortOfKey({ micros: 200_000, lower: "n" }, { ...key, limitMicros: 1_000_000 });
  expect([error.code, error.param]).toEqual(["insufficient_quota", "n"]);
  expect(error.message).toContain("this API key has $0.10 left of its limit. Lower n, or raise");
});

test("an amount that cannot be counted is not a matter of credit", () => {
  const { message } = shortOfAccount({ micros: microsMax }, { ...account, availableMicros: 1 });
  expect(message).toContain("no account can hold that much. Please ask for less.");
});

test("a member is not told what its organisation has", () => {
  const { message } = shortOfAccount(
    { micros: 1_280_000, lower: "max_tokens", shortageWords: { hidesAccount: true } },
    { ...account, availableMicros: 100_000, heldMicros: 70_000 },
  );
  expect(message).toBe(
    "Not enough quota: the request can cost up to $1.28, and your organisation has not enough " +
      "left for it. Lower max_tokens, or ask it for more credit.",
  );
});
