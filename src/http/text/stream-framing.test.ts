import { expect, test } from "bun:test";
import { googleFraming } from "./stream-framing.ts";

test.each([
  ["", null, "events"],
  ["", "*/*", "events"],
  ["", "text/event-stream", "events"],
  ["", "application/json, text/event-stream", "events"],
  ["", "application/json, */*;q=0.8", "events"],
  ["", "text/plain", "events"],
  ["", "application/json", "array"],
  ["", "Application/JSON; charset=utf-8", "array"],
  ["alt=sse", "application/json", "events"],
  ["alt=json", "*/*", "array"],
  ["alt=json", "text/event-stream", "array"],
  ["%24alt=json%3Benum-encoding%3Dint", null, "array"],
  ["$alt=sse", "application/json", "events"],
  ["alt=jsonp", null, "events"],
] as const)("%p with Accept %p is framed as %s", (query, accept, framing) => {
  const headers = new Headers(accept === null ? {} : { accept });
  expect(googleFraming(new URLSearchParams(query), headers)).toBe(framing);
});
