import { expect, test } from "bun:test";
import type { Proof, ReplyPart, StopReason } from "../exchange.ts";
import { isEmptyReply } from "./emptiness.ts";

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
  [[{ kind: "text", text: "a" }], "malformed", false],
  [[{ kind: "refusal", text: "no" }], "stop", false],
  [[{ kind: "call", id: "c", name: "f", input: "", isCustom: false }], "calls", false],
  [[], "length", false],
  [[], "context", false],
  [[], "filter", false],
  [[], "pause", false],
  [[], "stop-sequence", false],
])("X-U28 %j with %s is empty: %p", (parts, stop, isEmpty) => {
  const choice = { parts, stop, stopSequence: null };
  expect(isEmptyReply({ id: null, choices: [choice], usage: null })).toBe(isEmpty);
  const said = { parts: [{ kind: "text" as const, text: "a" }], stop, stopSequence: null };
  expect(isEmptyReply({ id: null, choices: [choice, said], usage: null })).toBe(false);
});
