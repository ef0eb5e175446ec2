import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { pngOf } from "../kit/fixtures/files.ts";
import { plainRequest } from "../kit/fixtures/shapes.ts";
import { readResponsesRequest, responsesRequestTexts } from "./read.ts";
import { sealCall, sealReasoning, sealSummary } from "./sealed.ts";

function refusal(body: JsonObject): string | null {
  try {
    readResponsesRequest(body);
    return "was accepted";
  } catch (error) {
    return error instanceof GatewayError ? error.param : String(error);
  }
}

describe("what is read", () => {
  test("a text is taken as input", () => {
    expect(readResponsesRequest({ model: "m", input: "hi" })).toEqual(plainRequest);
  });

  test("X-P07 the bound on the output is kept, and 0 is no bound", () => {
    const bound = (most: number) =>
      readResponsesRequest({ model: "m", input: "hi", max_output_tokens: most }).outputTokensMax;
    expect(bound(40)).toBe(40);
    expect(bound(0)).toBeNull();
  });

  test("encoded data is counted as media wherever it stands", () => {
    const png = pngOf().toString("base64");
    const image = `data:image/png;base64,${png}`;
    const { mediaParts, mediaBytes } = readResponsesRequest({
      model: "m",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "what is this?" },
            { type: "input_image", image_url: image },
            { type: "input_image", image_url: "https://example.com/a.png" },
            { type: "input_file", filename: "a.pdf", file_data: "B".repeat(50) },
          ],
        },
        {
          type: "function_call_output",
          call_id: "c",
          output: [{ type: "input_image", image_url: image }],
        },
        { type: "image_generation_call", id: "ig_1", result: png },
      ],
    });
    expect(mediaParts).toBe(5);
    // A document's words may be as many as its bytes, so these stay in the count.
    expect(mediaBytes).toBe(2 * image.length + png.length);
  });

  test("a previous response binds the request to its maker", () => {
    const { origins } = readResponsesRequest({ model: "m", previous_response_id: "resp_1" });
    expect(origins.required).toEqual({ id: "resp_1", param: "previous_response_id" });
  });

  test("every item that is referred to binds it as well, under the client's own name", () => {
    const input = ["old", "msg_1", "msg_2"].map((id) => ({ type: "item_reference", id }));
    const body = { model: "m", previous_response_id: "resp_1", input };
    const earlier = { replyId: "resp_0", itemCount: 1 };
    const { required, alsoRequired } = readResponsesRequest(body, null, earlier).origins;
    expect(required?.id).toBe("resp_1");
    expect(alsoRequired?.map(({ id, param }) => [id, param])).toEqual([
      ["old", "input.-1"],
      ["msg_1", "input.0"],
      ["msg_2", "input.1"],
    ]);
  });

  test("a conversation that a vendor keeps is refused", () => {
    const body = { model: "m", input: "hi", conversation: "conv_1" };
    expect(() => readResponsesRequest(body)).toThrow("conversation");
    expect(readResponsesRequest({ ...body, conversation: null }).origins.required).toBeNull();
  });

  test("the last encrypted reasoning says which maker is better", () => {
    const items = ["one", "two"].map((encrypted_content) => ({
      type: "reasoning",
      summary: [],
      encrypted_content,
    }));
    const preferred = (input: JsonObject[]) =>
      readResponsesRequest({ model: "m", input }).origins.preferred;
    expect(preferred(items)).toBe("two");
    const summary = { type: "compaction", encrypted_content: sealSummary("so far") };
    expect(preferred([...items, summary])).toBe("two");
    expect(preferred([summary])).toBeNull();
  });

  test("what we note on a sealed proof does not hide its maker", () => {
    const proof = { dialect: "content" as const, data: "sig", on: "call" as const };
    const redacted = { dialect: "messages" as const, data: "dark" };
    const preferred = (encrypted_content: string) =>
      readResponsesRequest({
        model: "m",
        input: [{ type: "reasoning", summary: [], encrypted_content }],
      }).origins.preferred;
    expect(preferred(sealCall(proof, "call_1"))).toBe("sluice1:content:call::sig");
    expect(preferred(sealReasoning(redacted, true))).toBe("sluice1:messages:::dark");
  });
});

describe("a field that is wrong", () => {
  const message = (content: JsonObject[] | string | null) => ({
    model: "m",
    input: [{ role: "user", content }],
  });
  test.each<[string, JsonObject]>([
    ["model", { input: "hi" }],
    ["input", { model: "m", input: 3 }],
    ["input.0", { model: "m", input: ["hi"] }],
    ["input.0.type", { model: "m", input: [{ id: "x" }] }],
    ["input.0.role", { model: "m", input: [{ type: "message", content: "hi" }] }],
    ["input.0.content", message(null)],
    ["input.0.content.0.type", message([{ text: "hi" }])],
    ["input.0.content.0.text", message([{ type: "input_text" }])],
    ["max_output_tokens", { model: "m", input: "hi", max_output_tokens: 1.5 }],
    ["text.format", { model: "m", input: "hi", text: { format: "json" } }],
    ["reasoning.effort", { model: "m", input: "hi", reasoning: { effort: 3 } }],
    ["tools.0", { model: "m", input: "hi", tools: ["search"] }],
    ["previous_response_id", { model: "m", input: "hi", previous_response_id: "" }],
    ["background", { model: "m", input: "hi", background: true }],
    [
      "stream_options.include_obfuscation",
      { model: "m", input: "hi", stream_options: { include_obfuscation: "no" } },
    ],
  ])("is refused by its name %s", (param, body) => {
    expect(refusal(body)).toBe(param);
  });

  test("is never null or unknown", () => {
    const nothing = { instructions: null, tools: null, text: null, store: null, background: null };
    expect(refusal({ model: "m", input: "hi", ...nothing, whatever: [1] })).toBe("was accepted");
  });
});

test("what a model reads are instructions, items, tools and the schema of the answer", () => {
  const texts = responsesRequestTexts({
    model: "m",
    instructions: "be brief",
    input: [
      { role: "user", content: [{ type: "input_text", text: "hello" }] },
      { role: "assistant", content: "hi" },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "seen" },
      { type: "compaction", encrypted_content: sealSummary("long ago") },
    ],
    tools: [{ type: "function", name: "look" }],
    text: { format: { type: "json_object" } },
  });
  expect(texts).toEqual([
    "be brief",
    "hello",
    "hi",
    "look",
    "{}",
    "seen",
    "This is a summary of the conversation up to here:\n\nlong ago",
    '{"type":"function","name":"look"}',
    '{"type":"json_object"}',
  ]);
});
