import { expect, test } from "bun:test";
import { weighPrompt } from "./weigh-prompt.ts";

const picture = "iVBORw0KGgo".repeat(40);

test("a picture is left out as far as it is held for as one", () => {
  const json = JSON.stringify({ a: "words", b: `data:image/png;base64,${picture}` });
  const { text, tokens } = weighPrompt(json, picture.length);
  expect(text).toBe('{"a":"words","b":""}');
  expect(tokens).toBeLessThan(64);
});

test("what only looks like a picture is a token for each byte", () => {
  const json = JSON.stringify({ a: picture, b: picture });
  expect(weighPrompt(json, picture.length).tokens).toBe(picture.length + 4);
});

test.each([
  ["汉字，", 6],
  ["かな", 4],
  ["한글", 4],
  ["Привет", 12],
  ["ქართული", 21],
  ["😀", 4],
  ["déjà “vu”", 0],
])("%s is not counted, and taken for %d tokens", (word, most) => {
  const { text, tokens } = weighPrompt(JSON.stringify(word), 0);
  expect(tokens).toBe(most);
  expect(text).toBe(most === 0 ? JSON.stringify(word) : '" "');
});
