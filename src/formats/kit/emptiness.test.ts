import { expect, test } from "bun:test";
import type { Proof, ReplyPart, StopReason } from "../exchange.ts";
import { isEmptyReply, isNoAnswer } from "./emptiness.ts";

const proof: Proof = { dialect: "messages", data: "x" };
const thought = { kind: "reasoning", text: "", isRedacted: false } as const;

test.each<[ReplyPart[], StopReason, boolean]>([
  [[], "stop", true],
  [[], "calls", true],
  [[], "malformed", true],
  [[{ kind: "text", text: "" }], "stop", true],
  [[{ ...thought, proof: null }], "stop", true],
  [[{ ...thought, proof: { ...proof, data: "" } }], "stop", true],
  [[{ ...thought, proof }], "stop", false],
  [[{ ...thought, text: "hm", proof }], "malformed", true],
  [[{ kind: "text", text: "a" }], "malformed", false],
  [[{ kind: "refusal", text: "no" }], "stop", false],
  [[{ kind: "call", id: "c", name: "f", input: "", isCustom: false }], "calls", false],
  [[], "length", false],
  [[], "context", false],
  [[], "filter", false],
  [[], "pause", false],
  [[], "stop-sequence", false],
  [[], "other", false],
])("X-U28 %j with %s is empty: %p", (parts, stop, isEmpty) => {
  const choice = { parts, stop, stopSequence: null };
  expect(isEmptyReply({ id: null, choices: [choice], usage: null })).toBe(isEmpty);
  const said = { parts: [{ kind: "text" as const, text: "a" }], stop, stopSequence: null };
  expect(isEmptyReply({ id: null, choices: [choice, said], usage: null })).toBe(false);
});

const counted = (outputTokens: number) => ({
  inputTokens: 10,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

test("X-U28 nothing is an answer where it was counted, or may be one, unless it was unreadable", () => {
  const isEmpty = true as const;
  expect(isNoAnswer({ usage: counted(2), isEmpty }, {})).toBe(false);
  expect(isNoAnswer({ usage: counted(0), isEmpty }, {})).toBe(true);
  expect(isNoAnswer({ usage: null, isEmpty }, {})).toBe(true);
  // The start of a message counts a token that is yet to come.
  expect(isNoAnswer({ usage: counted(1), isOutputUntold: true, isEmpty }, {})).toBe(true);
  expect(isNoAnswer({ usage: null, isEmpty }, { mayBeEmpty: true })).toBe(false);
  const unreadable = { usage: counted(2), isEmpty, isUnreadable: true as const };
  expect(isNoAnswer(unreadable, { mayBeEmpty: true })).toBe(true);
  expect(isNoAnswer(unreadable, { takesAny: true })).toBe(false);
  expect(isNoAnswer({ usage: null }, {})).toBe(false);
});
