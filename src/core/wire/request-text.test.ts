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

test("headers that are frozen are read once, and differ by nothing but the request", () => {
  const headers = Object.freeze({ "x-a": "1", host: "other.test" });
  const render = (bodyBytes: number) =>
    renderHead({ method: "POST", headers }, destination, { bodyBytes, isKept: true });
  const lines = "POST /v1/chat?a=b HTTP/1.1\r\nhost: other.test\r\nx-a: 1\r\naccept: */*\r\n";
  expect(render(1)).toBe(`${lines}content-length: 1\r\n\r\n`);
  expect(render(20)).toBe(`${lines}content-length: 20\r\n\r\n`);
  const bad = Object.freeze({ "x-a": "1\r\n2" });
  for (const _time of [1, 2]) {
    expect(() =>
      renderHead({ method: "GET", headers: bad }, destination, { bodyBytes: null, isKept: true }),
    ).toThrow("InvalidHeader");
  }
});

test("headers that are not frozen may change between two requests", () => {
  const headers: Record<string, string> = { "x-a": "1" };
  const asked = { method: "GET", headers } as const;
  renderHead(asked, destination, { bodyBytes: null, isKept: true });
  headers["x-a"] = "2";
  expect(renderHead(asked, destination, { bodyBytes: null, isKept: true })).toContain("x-a: 2\r\n");
});
