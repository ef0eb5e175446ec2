import { expect, test } from "bun:test";
import { decodeOpenaiStop } from "./finish-reasons.ts";

test.each([
  ["stop", "stop", "calls"],
  [null, "stop", "calls"],
  ["", "stop", "calls"],
  ["tool_calls", "stop", "calls"],
  ["end_turn", "stop", "calls"],
  ["length", "length", "length"],
  ["model_length", "context", "context"],
  ["insufficient_system_resource", "length", "length"],
  ["content_filter", "filter", "filter"],
  ["content_filter: hate", "filter", "filter"],
  ["sensitive", "filter", "filter"],
  ["error", "other", "calls"],
  ["something_new", "other", "calls"],
] as const)("X-U30 %p is %s, and with calls %s", (word, stop, withCalls) => {
  expect(decodeOpenaiStop(word, false)).toBe(stop);
  expect(decodeOpenaiStop(word, true)).toBe(withCalls);
});
