import { expect, test } from "bun:test";
import { readKeys } from "./texts.ts";

const first = '{"client_id":"a","client_secret":"b, c"}';

test.each([
  ["one a line", "a\n b \n", ["a", "b"]],
  ["with commas between", "a, b", ["a", "b"]],
  [
    "as an object with line breaks",
    '{\n  "a": "b",\n  "c": "d"\n}\n',
    ['{\n  "a": "b",\n  "c": "d"\n}'],
  ],
  ["as objects, one a line", `${first}\nplain\n${first}`, [first, "plain", first]],
])("keys are typed %s", (_how, text, keys) => {
  expect(readKeys(text)).toEqual(keys);
});
