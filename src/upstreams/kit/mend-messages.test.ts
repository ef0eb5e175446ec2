// A conversation whose thinking was signed elsewhere.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";
import { mendMessages as mend } from "./mend-messages.ts";

const refusal: RequestFault = {
  blame: "request",
  status: 400,
  type: "invalid_request_error",
  code: null,
  param: null,
  message: "messages.1.content.0: Invalid `signature` in `thinking` block",
};
const thinking = { type: "thinking", thinking: "hm", signature: "of another" };
const redacted = { type: "redacted_thinking", data: "xx" };
const call = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "seen" };
const words = { type: "text", text: "Hello." };
const question = { role: "user", content: "Hi" };

const bodyOf = (...messages: JsonObject[]): JsonObject => ({ model: "m", messages });

describe("a refused signature", () => {
  test("is mended by leaving out all thinking of earlier turns", () => {
    const body = bodyOf(
      question,
      { role: "assistant", content: [thinking, redacted, words] },
      question,
    );
    const before = structuredClone(body);
    expect(mend(body, refusal)).toEqual(
      bodyOf(question, { role: "assistant", content: [words] }, question),
    );
    expect(body).toEqual(before);
  });

  test("may be one of encrypted thinking", () => {
    const body = bodyOf(question, { role: "assistant", content: [redacted, words] }, question);
    const message = "messages.1.content.0: Invalid `data` in `redacted_thinking` block";
    expect(mend(body, { ...refusal, message })).toEqual(
      bodyOf(question, { role: "assistant", content: [words] }, question),
    );
  });

  test("leaves no message without content", () => {
    const body = bodyOf(question, { role: "assistant", content: [thinking] }, question);
    expect(mend(body, refusal)).toEqual(bodyOf(question, question));
  });

  test("cannot be mended where there is no thinking", () => {
    const plain = bodyOf(question, { role: "assistant", content: [words] });
    expect(mend(plain, refusal)).toBeNull();
    expect(mend({ model: "m" }, refusal)).toBeNull();
    expect(mend({ model: "m", messages: [null, "x", {}] }, refusal)).toBeNull();
  });
});

describe("thinking of the turn to come", () => {
  const turn = [
    question,
    { role: "assistant", content: [thinking, call] },
    { role: "user", content: [result] },
  ];
  const enabled = { type: "enabled", budget_tokens: 1024 };

  test("is given up while a turn with a budget waits for its tools", () => {
    const mended = mend({ ...bodyOf(...turn), thinking: enabled }, refusal);
    expect(mended).toEqual(
      bodyOf(question, { role: "assistant", content: [call] }, { role: "user", content: [result] }),
    );
  });

  test("stays on otherwise", () => {
    const adaptive = { type: "adaptive" };
    const waiting = { ...bodyOf(...turn), thinking: adaptive };
    expect(mend(waiting, refusal)).toMatchObject({ thinking: adaptive });
    const ended = { ...bodyOf(...turn, { role: "assistant", content: "So." }, question) };
    expect(mend({ ...ended, thinking: enabled }, refusal)).toMatchObject({ thinking: enabled });
  });
});

test("nothing else is mended", () => {
  const body = bodyOf(question, { role: "assistant", content: [thinking, words] });
  for (const message of ["max_tokens: Field required", "thinking: Field required", "signature"]) {
    expect(mend(body, { ...refusal, message })).toBeNull();
  }
  expect(mend(body, { ...refusal, status: 413 })).toBeNull();
});
