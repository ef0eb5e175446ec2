import { expect, test } from "bun:test";
import { readDestination } from "./destination.ts";
import { renderHead } from "./request-text.ts";

const destination = readDestination("https://vendor.test/v1/chat?a=b");

test.each([
  ["GET", null, true, "GET /v1/chat?a=b HTTP/1.1\r\nhost: vendor.test\r\naccept: */*\r\n\r\n"],
  [
    "POST",
    12,
    true,
    "POST /v1/chat?a=b HTTP/1.1\r\nhost: vendor.test\r\naccept: */*\r\ncontent-length: 12\r\n\r\n",
  ],
  [
    "DELETE",
    null,
    false,
    "DELETE /v1/chat?a=b HTTP/1.1\r\nhost: vendor.test\r\naccept: */*\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
  ],
] as const)(
  "the head of a %s with %p bytes on a connection that is kept (%p) says so",
  (method, bodyBytes, isKept, text) => {
    expect(renderHead({ method, headers: {} }, destination, { bodyBytes, isKept })).toBe(text);
  },
);

test("a caller may say what it accepts, in any spelling", () => {
  const headers = { Accept: "text/event-stream", "X-Empty": "" };
  const head = renderHead({ method: "GET", headers }, destination, {
    bodyBytes: null,
    isKept: true,
  });
  expect(head.split("\r\n")).toEqual([
    "GET /v1/chat?a=b HTTP/1.1",
    "host: vendor.test",
    "Accept: text/event-stream",
    "X-Empty: ",
    "",
    "",
  ]);
});

test("a caller may say the host, and nothing that ends a line", () => {
  const render = (headers: Record<string, string>) =>
    renderHead({ method: "POST", headers }, destination, { bodyBytes: 20, isKept: true });
  const lines = "POST /v1/chat?a=b HTTP/1.1\r\nhost: other.test\r\nx-a: 1\r\naccept: */*\r\n";
  expect(render({ "x-a": "1", host: "other.test" })).toBe(`${lines}content-length: 20\r\n\r\n`);
  expect(() => render({ "x-a": "1\r\n2" })).toThrow("InvalidHeader");
});
