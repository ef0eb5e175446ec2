// A conversation whose calls another vendor's model made.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { RequestFault } from "../upstream.ts";
import { mendContent as mend } from "./mend-content.ts";

const refusal: RequestFault = {
  blame: "request",
  status: 400,
  type: "invalid_request_error",
  code: null,
  param: null,
  message: "Function call is missing a thought_signature in functionCall parts.",
};
const thoughtSignature = "skip_thought_signature_validator";
const call = { functionCall: { name: "look", args: {} } };
const words = { text: "Hello." };
const question = { role: "user", parts: [{ text: "Hi" }] };
const result = { functionResponse: { name: "look", response: { output: "seen" } } };
const answered = { role: "user", parts: [result] };

const bodyOf = (...contents: JsonObject[]): JsonObject => ({ contents });
const model = (...parts: JsonObject[]): JsonObject => ({ role: "model", parts });

describe("X-H04 a missing signature", () => {
  test("is mended on the first call of each step", () => {
    const body = bodyOf(question, model(words, call, call), answered, model(call), answered);
    const before = structuredClone(body);
    const signed = { ...call, thoughtSignature };
    expect(mend(body, refusal)).toEqual(
      bodyOf(question, model(words, signed, call), answered, model(signed), answered),
    );
    expect(body).toEqual(before);
  });

  test("is mended once where a step came in pieces", () => {
    const pieces = [model(words), model(call), model(call), model({ text: "" })];
    const signed = model({ ...call, thoughtSignature });
    expect(mend(bodyOf(question, ...pieces, answered), refusal)).toEqual(
      bodyOf(question, model(words), signed, model(call), model({ text: "" }), answered),
    );
  });

  test("may be told of in other words, and be written in snake case", () => {
    const message =
      "Function call `look` in the `1.` content block is missing a `thought_signature`.";
    const snake = { function_call: { name: "look", args: {} } };
    expect(mend(bodyOf(question, model(snake), answered), { ...refusal, message })).toEqual(
      bodyOf(question, model({ ...snake, thoughtSignature }), answered),
    );
  });

  test("is not mended where there is nothing to mend", () => {
    const own = model({ ...call, thoughtSignature: "b3du" });
    const snake = model({ ...call, thought_signature: "b3du" });
    for (const said of [own, snake, model(words)]) {
      expect(mend(bodyOf(question, said, answered), refusal)).toBeNull();
    }
    expect(mend({}, refusal)).toBeNull();
  });

  test("is told from other refusals", () => {
    const body = bodyOf(question, model(call), answered);
    expect(mend(body, { ...refusal, message: "Invalid argument." })).toBeNull();
    expect(mend(body, { ...refusal, status: 413 })).toBeNull();
  });
});

describe("X-H20 a signature that was made elsewhere", () => {
  const foreign = { thoughtSignature: "Zm9yZWlnbg==" };
  const thought = { text: "Hm.", thought: true, ...foreign };
  const snake = { text: "Yes.", thought_signature: "Zm9yZWlnbg==" };

  test.each([
    "Thought signature is not valid.",
    "Corrupted thought signature.",
    "Invalid `thought_signature`.",
  ])("is taken away, and calls are excused: %s", (message) => {
    const fault = { ...refusal, message };
    const body = bodyOf(
      question,
      model(thought, { ...call, ...foreign }, call),
      answered,
      model(snake),
    );
    const mended = mend(body, fault);
    expect(mended).toEqual(
      bodyOf(
        question,
        model({ ...call, thoughtSignature }, call),
        answered,
        model({ text: "Yes." }),
      ),
    );
    // There is none where the word is not taken either.
    const bare = mended && mend(mended, fault);
    expect(bare).toEqual(bodyOf(question, model(call, call), answered, model({ text: "Yes." })));
    expect(bare && mend(bare, fault)).toBeNull();
  });

  test("goes with a turn of nothing else", () => {
    const message = "Thought signature is not valid.";
    expect(mend(bodyOf(question, model(thought), question), { ...refusal, message })).toEqual(
      bodyOf(question, question),
    );
  });
});
