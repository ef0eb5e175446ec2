import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Proof, Reply, ReplyChoice, ReplyPart, SearchPart, StopReason } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { decodeTurns } from "./decode-turns.ts";
import { encodeContentReply } from "./encode-reply.ts";
import { readContentRequest } from "./read.ts";

function frameOf(isShown: boolean): ReplyFrame {
  const body = {
    contents: [{ parts: [{ text: "x" }] }],
    generationConfig: { thinkingConfig: { includeThoughts: isShown } },
  };
  const address = { model: "public-name", stream: false, framing: "events" } as const;
  const request = readContentRequest(body, address);
  const exchange = decodeContentRequest(body, request);
  return { requestId: "req1", createdAtSeconds: 1, exchange, request, body };
}

function choice(parts: ReplyPart[], stop: StopReason = "stop"): ReplyChoice {
  return { parts, stop, stopSequence: null };
}

function encode(choices: ReplyChoice[], isShown: boolean = true): JsonObject {
  const reply: Reply = { id: "theirs", choices, usage: null };
  return encodeContentReply(reply, frameOf(isShown));
}

function contentOf(part: ReplyPart, isShown: boolean = true): JsonObject[] {
  const { candidates } = encode([choice([part])], isShown);
  return JSON.parse(JSON.stringify(candidates))[0].content.parts;
}

const proof: Proof = { dialect: "messages", data: "sig" };

describe("a reply as Google writes it", () => {
  test("several choices are several candidates, under the name that the client asked for", () => {
    const usage = {
      inputTokens: 1,
      outputTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 2,
    };
    const reply: Reply = {
      id: "theirs",
      choices: [
        choice([{ kind: "text", text: "a" }]),
        choice([{ kind: "text", text: "b" }], "length"),
      ],
      usage,
    };
    expect(encodeContentReply(reply, frameOf(false))).toEqual({
      candidates: [
        {
          content: { parts: [{ text: "a" }], role: "model" },
          finishReason: "STOP",
          index: 0,
          safetyRatings: [],
        },
        {
          content: { parts: [{ text: "b" }], role: "model" },
          finishReason: "MAX_TOKENS",
          index: 1,
          safetyRatings: [],
        },
      ],
      usageMetadata: {
        promptTokenCount: 1,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 2,
        totalTokenCount: 6,
      },
      modelVersion: "public-name",
      responseId: "req1",
    });
  });

  test("X-U05 every end has its word", () => {
    const words: [StopReason, string][] = [
      ["stop", "STOP"],
      ["stop-sequence", "STOP"],
      ["calls", "STOP"],
      ["pause", "STOP"],
      ["length", "MAX_TOKENS"],
      ["context", "MAX_TOKENS"],
      ["filter", "SAFETY"],
      ["malformed", "MALFORMED_FUNCTION_CALL"],
    ];
    for (const [stop, finishReason] of words) {
      expect(encode([choice([], stop)])).toMatchObject({ candidates: [{ finishReason }] });
    }
  });

  test("a refusal is text that ends for safety", () => {
    expect(encode([choice([{ kind: "refusal", text: "no" }])])).toMatchObject({
      candidates: [{ content: { parts: [{ text: "no" }] }, finishReason: "SAFETY" }],
    });
  });

  test("calls have arguments, and free text goes as input", () => {
    const call = { kind: "call", id: "c", name: "f", isCustom: false } as const;
    expect(contentOf({ ...call, input: '{"a":1}' })).toEqual([
      { functionCall: { id: "c", name: "f", args: { a: 1 } } },
    ]);
    expect(contentOf({ ...call, input: "ls", isCustom: true })).toMatchObject([
      { functionCall: { args: { input: "ls" } } },
    ]);
    expect(contentOf({ ...call, input: '{"a":' })).toMatchObject([
      { functionCall: { args: { input: '{"a":' } } },
    ]);
  });

  test("media goes inline or by its address", () => {
    const media = { kind: "media", media: "image", at: "" } as const;
    expect(
      contentOf({ ...media, source: { kind: "bytes", type: "image/png", base64: "AAAA" } }),
    ).toEqual([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]);
    expect(
      contentOf({ ...media, source: { kind: "url", url: "https://a.example", type: null } }),
    ).toEqual([{ fileData: { fileUri: "https://a.example" } }]);
  });

  test("sources are grounding, in bytes of the whole answer", () => {
    const citation = { title: null, quote: null, document: null };
    const parts: ReplyPart[] = [
      { kind: "text", text: "ä " },
      {
        kind: "text",
        text: "ö sun",
        citations: [
          { ...citation, url: "https://a.example", start: 2, end: 5 },
          { ...citation, url: null, title: "B", quote: "b", start: null, end: null },
        ],
      },
    ];
    expect(encode([choice(parts)])).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            groundingChunks: [
              { web: { uri: "https://a.example" } },
              { retrievedContext: { title: "B", text: "b" } },
            ],
            groundingSupports: [
              { segment: { startIndex: 6, endIndex: 9, text: "sun" }, groundingChunkIndices: [0] },
              {
                segment: { startIndex: 3, endIndex: 9, text: "ö sun" },
                groundingChunkIndices: [1],
              },
            ],
          },
        },
      ],
    });
  });
});

describe("reasoning", () => {
  const reasoning = { kind: "reasoning", text: "hm", proof, isRedacted: false } as const;

  test("who asked for thoughts reads them", () => {
    expect(contentOf({ ...reasoning, proof: null })).toEqual([{ text: "hm", thought: true }]);
    expect(contentOf({ ...reasoning, proof: null }, false)).toEqual([]);
  });

  test("who did not still gets what the vendor wants back, and nothing to read", () => {
    const [part] = contentOf(reasoning, false);
    expect(part).toMatchObject({ text: "", thought: true });
    expect(JSON.stringify(part)).not.toContain("hm");
  });

  test("X-H01 X-H07 reasoning comes back from the client as it was, shown or hidden or redacted", () => {
    const all: Exclude<ReplyPart, SearchPart>[] = [
      reasoning,
      { ...reasoning, text: "", isRedacted: true },
      { ...reasoning, proof: { dialect: "chat", data: "" } },
      { ...reasoning, proof: { dialect: "responses", data: "enc", id: "rs_1" } },
    ];
    for (const part of all) {
      for (const isShown of [true, false]) {
        const contents = [{ role: "model", parts: contentOf(part, isShown) }];
        expect(decodeTurns(contents).turns[0]?.parts).toEqual([part]);
      }
    }
  });

  test("Google's own signatures go back as Google wrote them", () => {
    const own: Proof = { dialect: "content", data: "QUJD", on: "text" };
    expect(contentOf({ kind: "text", text: "a", proof: own })).toEqual([
      { text: "a", thoughtSignature: "QUJD" },
    ]);
  });
});
