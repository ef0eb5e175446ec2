import { expect, test } from "bun:test";
import { inFlags } from "./flag-words.ts";

test.each([
  [
    "base_url 127.0.0.1 is a private address. Add allow_private: true to use it.",
    "127.0.0.1 is a private address. Add --allow-private to use it.",
  ],
  [
    "output_micros_per_million is required in a price of tokens",
    "--output is required in a price of tokens",
  ],
  [
    "models must be named, since nobody lists the models at this address",
    "--models must be named, since nobody lists the models at this address",
  ],
  ["quota_micros must be 0 or more", "--quota must be 0 or more"],
  ["There is no channel of that name.", "There is no channel of that name."],
])("%s is said by its flags", (said, expected) => {
  expect(inFlags(said)).toBe(expected);
});
