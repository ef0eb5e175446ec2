import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange } from "../exchange.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { encodeContentRequest } from "./encode-request.ts";
import { readContentRequest } from "./read.ts";
import { statusOf } from "../../http/envelopes/status.ts";

function decode(body: JsonObject): Exchange {
  const whole = { contents: [{ role: "user", parts: [{ text: "hello" }] }], ...body };
  const address = { model: "any", stream: false, framing: "events" } as const;
  return decodeContentRequest(whole, readContentRequest(whole, address));
}

function refusedParam(body: JsonObject): string | null {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof GatewayError && statusOf(error) === 400) return error.param;
    throw error;
  }
  throw new Error("the body was accepted");
}

describe("a request as an exchange", () => {
  test("T15 every key of the generation config that others have is carried, in both spellings", () => {
    const camel = {
      generationConfig: {
        temperature: 0,
        topP: 0.5,
        topK: 3,
        candidateCount: 2,
        maxOutputTokens: 7,
        stopSequences: ["END"],
        seed: 5,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        responseMimeType: "application/json",
        thinkingConfig: { thinkingBudget: 2000, includeThoughts: true },
      },
    };
    const snake = {
      generation_config: {
        temperature: 0,
        top_p: 0.5,
        top_k: 3,
        candidate_count: 2,
        max_output_tokens: 7,
        stop_sequences: ["END"],
        seed: 5,
        presence_penalty: 0.1,
        frequency_penalty: 0.2,
        response_mime_type: "application/json",
        thinking_config: { thinking_budget: 2000, include_thoughts: true },
      },
    };
    for (const body of [camel, snake]) {
      expect(decode(body)).toMatchObject({
        model: "any",
        sampling: {
          temperature: 0,
          topP: 0.5,
          topK: 3,
          seed: 5,
          presencePenalty: 0.1,
          frequencyPenalty: 0.2,
        },
        choices: 2,
        outputTokensMax: 7,
        stop: ["END"],
        shape: { kind: "json" },
        reasoning: { effort: null, budgetTokens: 2000, isShown: true },
        ignored: [],
      });
    }
  });

  test("X-M18 the system instruction is read in both spellings", () => {
    const instruction = { parts: [{ text: "be" }, { text: "kind" }] };
    for (const name of ["systemInstruction", "system_instruction"]) {
      expect(decode({ [name]: instruction }).system).toEqual([
        { kind: "text", text: "be" },
        { kind: "text", text: "kind" },
      ]);
    }
    expect(decode({ systemInstruction: { role: "user", parts: { text: "be" } } }).system).toEqual([
      { kind: "text", text: "be" },
    ]);
  });

  test("thinking is read as an effort, as tokens, or as none", () => {
    const of = (thinkingConfig: JsonObject) => decode({ generationConfig: { thinkingConfig } });
    expect(of({ thinkingLevel: "HIGH" }).reasoning).toEqual({
      effort: "high",
      budgetTokens: null,
      isShown: false,
    });
    expect(of({ thinkingLevel: "low", includeThoughts: true }).reasoning).toEqual({
      effort: "low",
      budgetTokens: null,
      isShown: true,
    });
    expect(of({ thinkingBudget: 0 }).reasoning).toMatchObject({ effort: "none" });
    expect(of({ thinkingBudget: -1 }).reasoning).toEqual({
      effort: null,
      budgetTokens: null,
      isShown: false,
      isAdaptive: true,
    });
    expect(of({}).reasoning).toBeNull();
    expect(of({ includeThoughts: true }).reasoning).toEqual({
      effort: null,
      budgetTokens: null,
      isShown: true,
      isAdaptive: true,
    });
    expect(
      refusedParam({
        generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } },
      }),
    ).toBe("generationConfig.thinkingConfig");
  });

  test("both kinds of response schema become JSON Schema", () => {
    const subset = {
      type: "OBJECT",
      title: "Answer",
      properties: { a: { type: "INTEGER", nullable: true } },
    };
    const mime = { responseMimeType: "application/json" };
    expect(decode({ generationConfig: { ...mime, responseSchema: subset } }).shape).toEqual({
      kind: "schema",
      name: "Answer",
      description: null,
      schema: {
        type: "object",
        title: "Answer",
        properties: { a: { type: ["integer", "null"] } },
      },
      isStrict: null,
    });
    const schema = { type: "object", description: "the answer", additionalProperties: false };
    for (const name of ["responseJsonSchema", "response_json_schema", "_responseJsonSchema"]) {
      expect(decode({ generationConfig: { ...mime, [name]: schema } }).shape).toEqual({
        kind: "schema",
        name: "response",
        description: null,
        schema,
        isStrict: null,
      });
    }
    const mixed = { generationConfig: { ...mime, responseJsonSchema: subset } };
    expect(decode(mixed).shape).toMatchObject({
      schema: { type: "object", properties: { a: { type: ["integer", "null"] } } },
    });
    expect(decode({ generationConfig: { responseMimeType: "text/plain" } }).shape).toBeNull();
  });

  test("what clients send of habit, being Google's own defaults, is no wish for another model", () => {
    const { sampling, ignored } = decode({
      generationConfig: { temperature: 1, topP: 0.95, topK: 64 },
    });
    expect(sampling).toMatchObject({ temperature: 1, topP: null, topK: null });
    expect(ignored).toEqual(["generationConfig.topP", "generationConfig.topK"]);
    const meant = decode({ generationConfig: { topP: 0.9, topK: 40 } });
    expect(meant).toMatchObject({ sampling: { topP: 0.9, topK: 40 }, ignored: [] });
  });

  test("what only Google can do is refused by its name", () => {
    const config = (fields: JsonObject): JsonObject => ({ generationConfig: fields });
    const refused: [JsonObject, string][] = [
      [{ cachedContent: "cachedContents/1" }, "cachedContent"],
      [{ cached_content: "cachedContents/1" }, "cachedContent"],
      [{ continuationToken: "t" }, "continuationToken"],
      [config({ responseModalities: ["TEXT", "IMAGE"] }), "generationConfig.responseModalities"],
      [config({ responseModalities: ["AUDIO"] }), "generationConfig.responseModalities"],
      [config({ responseLogprobs: true }), "generationConfig.responseLogprobs"],
      [config({ logprobs: 3 }), "generationConfig.logprobs"],
      [config({ speechConfig: {} }), "generationConfig.speechConfig"],
      [config({ responseMimeType: "text/x.enum" }), "generationConfig.responseMimeType"],
    ];
    for (const [body, param] of refused) expect(refusedParam(body)).toBe(param);
    expect(
      decode(config({ responseModalities: ["TEXT"], responseLogprobs: false })).ignored,
    ).toEqual([]);
  });

  test("hints without a place elsewhere are left out and told", () => {
    const config = {
      mediaResolution: "MEDIA_RESOLUTION_LOW",
      imageConfig: {},
      audioTimestamp: null,
    };
    expect(decode({ generationConfig: config }).ignored).toEqual([
      "generationConfig.mediaResolution",
      "generationConfig.imageConfig",
    ]);
  });

  test("safety settings, labels, tier and store are hints", () => {
    const safetySettings = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }];
    const body = { safetySettings, labels: { team: "a", n: 1 }, serviceTier: "flex", store: false };
    expect(decode(body).hints).toMatchObject({
      safety: safetySettings,
      metadata: { team: "a" },
      serviceTier: "flex",
      store: false,
      userId: null,
    });
    expect(decode({ safety_settings: safetySettings }).hints.safety).toEqual(safetySettings);
  });

  test("a request that is decoded and encoded again says the same", () => {
    const body: JsonObject = {
      contents: [
        { role: "user", parts: [{ text: "weather?" }] },
        {
          role: "model",
          parts: [
            {
              functionCall: { id: "a1", name: "weather", args: { city: "Ulm" } },
              thoughtSignature: "QUJD",
            },
          ],
        },
        {
          role: "user",
          parts: [{ functionResponse: { id: "a1", name: "weather", response: { output: "sun" } } }],
        },
      ],
      systemInstruction: { parts: [{ text: "be kind" }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: "weather",
              description: "Tells it",
              parameters: {
                type: "OBJECT",
                properties: { city: { type: "STRING", nullable: true, enum: ["Ulm"] } },
                required: ["city"],
              },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["weather"] } },
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
      generationConfig: {
        temperature: 0.5,
        maxOutputTokens: 99,
        responseMimeType: "application/json",
        responseSchema: { type: "ARRAY", items: { type: "STRING" } },
        thinkingConfig: { includeThoughts: true, thinkingBudget: 50 },
      },
    };
    const target = { model: "gemini-2.5-flash", stream: false, outputTokensMax: 99 };
    expect(encodeContentRequest(toNormalForm(decode(body)), target)).toEqual({ body, ignored: [] });
  });
});
