import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { AddressFacts, TextRequest } from "../format.ts";
import { pngOf } from "../kit/fixtures/files.ts";
import { plainRequest } from "../kit/fixtures/shapes.ts";
import { content } from "./index.ts";
import { statusOf } from "../../http/envelopes/status.ts";

const address: AddressFacts = { model: "gemini-2.5-pro", stream: true, framing: "array" };
const hello: JsonObject = { contents: [{ role: "user", parts: [{ text: "hello" }] }] };

function read(body: JsonObject): TextRequest {
  return content.read(body, address);
}

function refusal(body: JsonObject): { param: string | null; status: number } {
  try {
    read(body);
  } catch (error) {
    if (error instanceof GatewayError) return { param: error.param, status: statusOf(error) };
    throw error;
  }
  throw new Error("the body was accepted");
}

describe("reading a request", () => {
  test("model, stream and framing are the address's", () => {
    expect(read({ ...hello, model: "another" })).toEqual({
      ...plainRequest,
      model: "gemini-2.5-pro",
      stream: true,
      framing: "array",
    });
  });

  test("T15 a body without contents is refused by that name", () => {
    expect(refusal({})).toEqual({ param: "contents", status: 400 });
    expect(refusal({ contents: [] }).param).toBe("contents");
    expect(refusal({ contents: "hello" }).param).toBe("contents");
  });

  test("the bounds are read in both spellings", () => {
    const camel = { ...hello, generationConfig: { maxOutputTokens: 9, candidateCount: 2 } };
    const snake = { ...hello, generation_config: { max_output_tokens: 9, candidate_count: 2 } };
    for (const body of [camel, snake]) {
      expect(read(body)).toMatchObject({ outputTokensMax: 9, choices: 2 });
    }
  });

  test("a bound of 0 is none", () => {
    expect(read({ ...hello, generationConfig: { maxOutputTokens: 0 } }).outputTokensMax).toBeNull();
  });

  test("a field in two spellings is refused, because one of them would go unpriced", () => {
    const config = { maxOutputTokens: 1, max_output_tokens: 9999 };
    expect(refusal({ ...hello, generationConfig: config }).param).toBe(
      "generationConfig.max_output_tokens",
    );
    expect(refusal({ ...hello, generationConfig: {}, generation_config: {} }).param).toBe(
      "generation_config",
    );
  });

  test("wrong types are named by their path as the client wrote it", () => {
    const wrong: [JsonObject, string][] = [
      [{ contents: [{ parts: [{ text: 5 }] }] }, "contents.0.parts.0.text"],
      [{ contents: [{ role: "user" }] }, "contents.0.parts"],
      [{ contents: [{ role: "boss", parts: [] }] }, "contents.0.role"],
      [{ contents: [{ parts: [{ inline_data: {} }] }] }, "contents.0.parts.0.inline_data.data"],
      [{ contents: [{ parts: [{ functionCall: {} }] }] }, "contents.0.parts.0.functionCall.name"],
      [{ contents: [{ parts: [{ fileData: {} }] }] }, "contents.0.parts.0.fileData.fileUri"],
      [
        { ...hello, generation_config: { max_output_tokens: "9" } },
        "generation_config.max_output_tokens",
      ],
      [{ ...hello, generationConfig: { candidateCount: 0 } }, "generationConfig.candidateCount"],
      [
        { ...hello, tools: [{ functionDeclarations: [{}] }] },
        "tools.0.functionDeclarations.0.name",
      ],
      [{ ...hello, systemInstruction: "be kind" }, "systemInstruction"],
      [
        { ...hello, generationConfig: { thinkingConfig: { thinkingBudget: "much" } } },
        "generationConfig.thinkingConfig.thinkingBudget",
      ],
    ];
    for (const [body, param] of wrong) expect(refusal(body)).toEqual({ param, status: 400 });
  });

  test("one thing is taken where a list is meant", () => {
    const body = {
      contents: { parts: { text: "hello" } },
      system_instruction: { parts: { text: "be kind" } },
      tools: { googleSearch: {} },
    };
    expect(read(body).choices).toBe(1);
    expect(content.requestTexts(body)).toEqual(["be kind", "hello"]);
  });

  test("unknown fields and null fields cause no error", () => {
    const body = {
      ...hello,
      newField: [1],
      generationConfig: { seed: null, novel: {} },
      tools: null,
    };
    expect(read(body).choices).toBe(1);
  });

  test("pictures are counted by their encoded bytes, also inside results", () => {
    const png = pngOf().toString("base64");
    const body = {
      contents: [
        {
          parts: [
            { inlineData: { mimeType: "image/png", data: png } },
            { inline_data: { mime_type: "image/png", data: png } },
            { fileData: { fileUri: "https://example.com/a.png" } },
            { functionResponse: { name: "f", parts: [{ inlineData: { data: "bm90ZXM=" } }] } },
          ],
        },
      ],
    };
    expect(read(body)).toMatchObject({ mediaParts: 4, mediaBytes: 2 * png.length });
  });

  test("the texts of a request are those that a model reads", () => {
    const body = {
      systemInstruction: { parts: [{ text: "be kind" }] },
      contents: [
        { role: "user", parts: [{ text: "hello" }, { inlineData: { data: "AAAA" } }] },
        { role: "model", parts: [{ functionCall: { name: "f", args: { a: 1 } } }] },
        { role: "user", parts: [{ functionResponse: { name: "f", response: { output: "x" } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: "f" }] }],
    };
    expect(content.requestTexts(body)).toEqual([
      "be kind",
      "hello",
      "f",
      '{"a":1}',
      "f",
      '{"output":"x"}',
      '{"name":"f"}',
    ]);
  });
});
