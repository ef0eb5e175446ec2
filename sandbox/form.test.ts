import { expect, test } from "bun:test";
import { FormError, readFields } from "./form.ts";

const type = 'multipart/form-data; boundary="b"';

function read(text: string) {
  return readFields(type, new TextEncoder().encode(text));
}

test("fields come in their order, files with their bytes", async () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("file[]", new Blob([new Uint8Array([13, 10, 0, 255])], { type: "image/png" }), "x");
  form.append("a", "2\r\n");
  const sent = new Response(form);
  const contentType = sent.headers.get("content-type") ?? "";
  expect(readFields(contentType, await sent.bytes())).toEqual([
    ["a", "1"],
    ["file[]", { type: "image/png", bytes: Buffer.from([13, 10, 0, 255]) }],
    ["a", "2\r\n"],
  ]);
});

test("what is no form is left alone", () => {
  expect(readFields("application/json", new Uint8Array())).toBeNull();
});

test.each([
  ["", "boundary"],
  ["--b\r\nno end", "end"],
  ["--b\r\nno blank line\r\n--b--", "content"],
  ["--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--", "name"],
])("a broken form is refused: %j", (text, why) => {
  expect(() => read(text)).toThrow(FormError);
  expect(() => read(text)).toThrow(why);
  expect(() => readFields("multipart/form-data", new Uint8Array())).toThrow(FormError);
});
