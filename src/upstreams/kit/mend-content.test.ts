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

describe("X-H23 ids of calls that the model does not know", () => {
  const message =
    "Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field.";
  const withId = { functionCall: { id: "c1", name: "look", args: {} }, thoughtSignature: "s" };
  const answer = { functionResponse: { id: "c1", name: "look", response: { output: "seen" } } };

  test("are left out of the calls and of their results", () => {
    const body = bodyOf(question, model(words, withId), { role: "user", parts: [answer] });
    const before = structuredClone(body);
    const bare = bodyOf(question, model(words, { ...call, thoughtSignature: "s" }), answered);
    expect(mend(body, { ...refusal, message })).toEqual(bare);
    const ofResult = message.replace("function_call", "function_response");
    expect(mend(body, { ...refusal, message: ofResult })).toEqual(bare);
    expect(body).toEqual(before);
  });

  test("are not looked for in other refusals, or where there are none", () => {
    expect(mend(bodyOf(question, model(call)), { ...refusal, message })).toBeNull();
    const other = message
      .replace('"id"', '"seed"')
      .replace("contents[1].parts[0].function_call", "x");
    expect(mend(bodyOf(question, model(withId)), { ...refusal, message: other })).toBeNull();
  });
});
