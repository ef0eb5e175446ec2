import { expect, test } from "bun:test";
import { storable, storableDocument } from "./storable.ts";

test("a value keeps everything but the character 0", () => {
  expect(["a\0b", "plain", 5, null].map(storable)).toEqual(["a\ufffdb", "plain", 5, null]);
});

test.each([
  ["the character 0", "a\0b", "a\ufffdb"],
  ["half of a character", "a\ud83d b \udc00", "a\ufffd b \ufffd"],
  ["a whole one", "a😀b", "a😀b"],
  ["text that only looks like an escape", "a\\u0000b \\ud800", "a\\u0000b \\ud800"],
  ["a backslash before the character 0", "\\\0", "\\\ufffd"],
  ["other escapes", 'line\n"quoted" \u0001', 'line\n"quoted" \u0001'],
])("a document with %s is what the server takes", (_name, text, taken) => {
  const document = storableDocument(JSON.stringify([text]));
  expect(JSON.parse(document)).toEqual([taken]);
});
