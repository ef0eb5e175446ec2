import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { embeddings } from "./index.ts";

function refusal(body: JsonObject): string | null {
  try {
    embeddings.read(body, null);
    return "was accepted";
  } catch (error) {
    return error instanceof GatewayError ? error.param : String(error);
  }
}

describe("a request", () => {
  test.each([
    ["a text", "hello"],
    ["texts", ["hello", "there"]],
    ["tokens", [1, 2, 3]],
    ["lists of tokens", [[1, 2], [3]]],
  ])("takes %s, and nothing is held for output", (_, input) => {
    expect(embeddings.read({ model: "m", input, stream: true }, null)).toMatchObject({
      model: "m",
      stream: false,
      choices: 1,
      outputTokensMax: 0,
    });
  });

  test("takes dimensions, an encoding, nulls and unknown fields", () => {
    const fields = { dimensions: 256, encoding_format: "base64", user: null, whatever: {} };
    expect(refusal({ model: "m", input: "a", ...fields })).toBe("was accepted");
  });

  test.each<[string, JsonObject]>([
    ["model", { input: "a" }],
    ["input", { model: "m" }],
    ["input", { model: "m", input: "" }],
    ["input", { model: "m", input: [] }],
    ["input", { model: "m", input: null }],
    ["input.1", { model: "m", input: ["a", ""] }],
    ["input.1", { model: "m", input: ["a", 1] }],
    ["input.1", { model: "m", input: [1, 1.5] }],
    ["input.0", { model: "m", input: [[]] }],
    ["input.0", { model: "m", input: [{ text: "a" }] }],
    ["dimensions", { model: "m", input: "a", dimensions: 0 }],
    ["encoding_format", { model: "m", input: "a", encoding_format: "hex" }],
  ])("is refused for %s", (param, body) => {
    expect(refusal(body)).toBe(param);
  });

  test("goes on as it is under the upstream's name of the model", () => {
    const target = { model: "up", stream: false, outputTokensMax: 0 };
    const body = { model: "m", input: "a", whatever: 1 };
    expect(embeddings.forward(body, target)).toEqual({ ...body, model: "up" });
  });

  test("has texts to count, tokens have none", () => {
    expect(embeddings.requestTexts({ input: ["a", "b"] })).toEqual(["a", "b"]);
    expect(embeddings.requestTexts({ input: "a" })).toEqual(["a"]);
    expect(embeddings.requestTexts({ input: [1, 2] })).toEqual([]);
  });
});

describe("a reply", () => {
  test("is paid for by its input", () => {
    const usage = { prompt_tokens: 8, total_tokens: 8 };
    expect(embeddings.readReply({ object: "list", data: [], usage })).toMatchObject({
      usage: { inputTokens: 8, outputTokens: 0 },
      outputTokensEstimate: 0,
    });
  });

  test("may be without usage, but not without vectors", () => {
    expect(embeddings.readReply({ data: [] })).toMatchObject({ usage: null });
    expect(embeddings.readReply({ usage: { prompt_tokens: 8 } })).toBeNull();
    expect(embeddings.readReply("no")).toBeNull();
  });
});
