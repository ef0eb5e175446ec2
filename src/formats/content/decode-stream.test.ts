import { describe, expect, test } from "bun:test";
import { SseSplitter } from "../../core/sse.ts";
import type { JsonObject } from "../../core/json.ts";
import { foldParts } from "../kit/fold.ts";
import type { StreamPart } from "../stream-part.ts";
import { ContentStreamDecoder } from "./decode-stream.ts";

function decode(...chunks: (JsonObject | string)[]): StreamPart[] {
  const decoder = new ContentStreamDecoder();
  const parts = chunks.flatMap((chunk) =>
    decoder.push({ data: typeof chunk === "string" ? chunk : JSON.stringify(chunk) }),
  );
  return [...parts, ...decoder.close()];
}

function candidate(parts: JsonObject[], more: JsonObject = {}): JsonObject {
  return { content: { role: "model", parts }, ...more };
}

function chunk(parts: JsonObject[], more: JsonObject = {}): JsonObject {
  return { candidates: [candidate(parts, more)], responseId: "R1" };
}

const stop = { finishReason: "STOP" };

describe("texts and thoughts", () => {
  test("a block goes on over chunks while its kind stays the same", () => {
    expect(
      decode(
        chunk([{ text: "Let", thought: true }]),
        chunk([{ text: " me", thought: true }]),
        chunk([{ text: "Hel" }]),
        chunk([{ text: "lo" }], stop),
      ),
    ).toEqual([
      { kind: "reply-start", id: "R1" },
      {
        kind: "block-start",
        block: 0,
        choice: 0,
        content: { kind: "reasoning", isRedacted: false },
      },
      { kind: "block-delta", block: 0, text: "Let" },
      { kind: "block-delta", block: 0, text: " me" },
      { kind: "block-end", block: 0 },
      { kind: "block-start", block: 1, choice: 0, content: { kind: "text" } },
      { kind: "block-delta", block: 1, text: "Hel" },
      { kind: "block-delta", block: 1, text: "lo" },
      { kind: "block-end", block: 1 },
      { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
      { kind: "reply-end" },
    ]);
  });

  test("X-H15 thoughts never come as text", () => {
    const reply = foldParts(
      decode(chunk([{ text: "secret", thought: true }, { text: "hi" }], stop)),
    );
    expect(reply?.choices[0]?.parts).toEqual([
      { kind: "reasoning", text: "secret", proof: null, isRedacted: false },
      { kind: "text", text: "hi" },
    ]);
  });

  test("a signature on an empty text belongs to the text before it", () => {
    const reply = foldParts(
      decode(chunk([{ text: "hi" }]), chunk([{ text: "", thoughtSignature: "QUJD" }], stop)),
    );
    expect(reply?.choices[0]?.parts).toEqual([
      { kind: "text", text: "hi", proof: { dialect: "content", data: "QUJD", on: "text" } },
    ]);
  });

  test("nothing is added to what is signed", () => {
    const reply = foldParts(
      decode(
        chunk([{ text: "a", thought: true, thoughtSignature: "QUJD" }]),
        chunk([{ text: "b", thought: true }]),
        chunk([{ text: "" }], stop),
      ),
    );
    expect(reply?.choices[0]?.parts).toEqual([
      {
        kind: "reasoning",
        text: "a",
        proof: { dialect: "content", data: "QUJD" },
        isRedacted: false,
      },
      { kind: "reasoning", text: "b", proof: null, isRedacted: false },
    ]);
  });

  test("code that Google ran is fenced text, and pictures are media", () => {
    const reply = foldParts(
      decode(
        chunk([{ text: "see" }, { executableCode: { language: "PYTHON", code: "1" } }]),
        chunk([{ codeExecutionResult: { output: "2" } }]),
        chunk([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]),
        chunk([{ inlineData: { mimeType: "image/png", data: "BBBB" }, thought: true }], stop),
      ),
    );
    expect(reply?.choices[0]?.parts).toEqual([
      { kind: "text", text: "see\n```python\n1\n```\n\n```\n2\n```\n" },
      {
        kind: "media",
        media: "image",
        source: { kind: "bytes", type: "image/png", base64: "AAAA" },
        at: "candidates.0",
      },
    ]);
  });

  test("X-M09 sources come with the last text, in characters", () => {
    const groundingMetadata = {
      groundingChunks: [
        { web: { uri: "https://a.example", title: "A" } },
        { web: { uri: "https://b.example" } },
      ],
      groundingSupports: [{ segment: { startIndex: 2, endIndex: 6 }, groundingChunkIndices: [0] }],
    };
    const parts = decode(
      chunk([{ text: "ä sun" }], { groundingMetadata }),
      chunk([{ text: "", thoughtSignature: "QUJD" }], { ...stop, groundingMetadata }),
    );
    expect(foldParts(parts)?.choices[0]?.parts).toMatchObject([
      {
        text: "ä sun",
        citations: [
          { url: "https://a.example", title: "A", start: 1, end: 5 },
          { url: "https://b.example", title: null, start: null, end: null },
        ],
      },
    ]);
  });
});

describe("calls", () => {
  test("X-S10 a stop with calls is a stop for calls", () => {
    const parts = decode(chunk([{ functionCall: { id: "x", name: "f", args: { a: [1] } } }], stop));
    expect(parts.slice(1)).toEqual([
      {
        kind: "block-start",
        block: 0,
        choice: 0,
        content: { kind: "call", id: "x", name: "f", isCustom: false },
      },
      { kind: "block-delta", block: 0, text: '{"a":[1]}' },
      { kind: "block-end", block: 0 },
      { kind: "choice-end", choice: 0, stop: "calls", stopSequence: null },
      { kind: "reply-end" },
    ]);
  });

  test("X-S11 calls over chunks are told apart, with ids that the reply makes unique", () => {
    const reply = foldParts(
      decode(
        chunk([{ text: "ok" }, { functionCall: { name: "f" }, thoughtSignature: "QUJD" }]),
        chunk([{ functionCall: { name: "f", args: { a: 1 } } }]),
        chunk([], stop),
      ),
    );
    expect(reply?.choices[0]).toMatchObject({
      stop: "calls",
      parts: [
        { kind: "text", text: "ok" },
        {
          kind: "call",
          id: "call_R1_0",
          input: "{}",
          proof: { dialect: "content", data: "QUJD", on: "call" },
        },
        { kind: "call", id: "call_R1_1", input: '{"a":1}' },
      ],
    });
  });

  test("without an id of the reply the calls are counted", () => {
    const parts = decode({ candidates: [candidate([{ functionCall: { name: "f" } }], stop)] });
    expect(parts[1]).toMatchObject({ content: { id: "call_0_0" } });
  });

  test("a call that was cut at the limit ends for length", () => {
    const parts = decode(chunk([{ functionCall: { name: "f" } }], { finishReason: "MAX_TOKENS" }));
    expect(parts.at(-2)).toMatchObject({ stop: "length" });
  });
});

describe("ends", () => {
  test("every reason has its like", () => {
    const stops: [string, string][] = [
      ["STOP", "stop"],
      ["MAX_TOKENS", "length"],
      ["CONTINUATION", "length"],
      ["SAFETY", "filter"],
      ["RECITATION", "filter"],
      ["PROHIBITED_CONTENT", "filter"],
      ["IMAGE_SAFETY", "filter"],
      ["MALFORMED_FUNCTION_CALL", "malformed"],
      ["UNEXPECTED_TOOL_CALL", "malformed"],
      ["MODEL_ARMOR", "filter"],
      ["OTHER", "other"],
      ["NO_IMAGE", "other"],
      ["MALFORMED_RESPONSE", "other"],
      ["MISSING_THOUGHT_SIGNATURE", "other"],
      ["NEW_ONE", "other"],
    ];
    for (const [finishReason, expected] of stops) {
      expect(decode(chunk([{ text: "a" }], { finishReason })).at(-2)).toMatchObject({
        stop: expected,
      });
    }
  });

  test("X-S30 a call that was not expected is a call, and one that cannot be read is none", () => {
    const called = (finishReason: string) =>
      decode(chunk([{ functionCall: { name: "f" } }], { finishReason })).at(-2);
    expect(called("UNEXPECTED_TOOL_CALL")).toMatchObject({ stop: "calls" });
    expect(called("TOO_MANY_TOOL_CALLS")).toMatchObject({ stop: "calls" });
    expect(called("MALFORMED_FUNCTION_CALL")).toMatchObject({ stop: "malformed" });
  });

  test("X-U12 a stream that broke off has no end", () => {
    expect(decode(chunk([{ text: "a" }])).at(-1)).toEqual({
      kind: "block-delta",
      block: 0,
      text: "a",
    });
    expect(decode()).toEqual([]);
    expect(decode({ usageMetadata: {} })).toEqual([{ kind: "reply-start", id: null }]);
  });

  test("a reason in every chunk ends nothing before the close, and the last one counts", () => {
    const reply = foldParts(
      decode(
        chunk([{ text: "a" }], stop),
        chunk([{ text: "b" }], stop),
        chunk([{ text: "c" }], { finishReason: "MAX_TOKENS" }),
      ),
    );
    expect(reply?.choices).toEqual([
      { parts: [{ kind: "text", text: "abc" }], stop: "length", stopSequence: null },
    ]);
  });

  test("a reason stays said when more comes without one", () => {
    const parts = decode(chunk([{ text: "a" }], { finishReason: "MAX_TOKENS" }), chunk([]));
    expect(parts.at(-2)).toMatchObject({ stop: "length" });
  });

  test("a blocked prompt is one answer of nothing, filtered", () => {
    const reply = foldParts(decode({ promptFeedback: { blockReason: "SAFETY" }, responseId: "R" }));
    expect(reply).toEqual({
      id: "R",
      choices: [{ parts: [], stop: "filter", stopSequence: null }],
      usage: null,
    });
  });

  test("an error is a fault, after which nothing follows", () => {
    expect(
      decode(chunk([{ text: "a" }], stop), { error: { code: 503, message: "busy" } }, chunk([])),
    ).toContainEqual({
      kind: "fault",
      message: "busy",
    });
    expect(decode({ error: { message: "busy" } }, chunk([{ text: "a" }], stop))).toEqual([
      { kind: "fault", message: "busy" },
    ]);
    expect(decode("<html>")).toHaveLength(1);
  });

  test("usage is told as it is reported, also where it corrects itself downwards", () => {
    const usageMetadata = (candidatesTokenCount: number) => ({
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount },
    });
    const parts = decode(
      { ...chunk([{ text: "a" }]), ...usageMetadata(5) },
      { ...chunk([{ text: "b" }], stop), ...usageMetadata(3) },
    );
    const usages = parts.flatMap((part) =>
      part.kind === "usage" ? [part.usage.outputTokens] : [],
    );
    expect(usages).toEqual([5, 3]);
  });

  test("several candidates are several choices, each with blocks of its own", () => {
    const reply = foldParts(
      decode(
        {
          candidates: [
            candidate([{ text: "a" }], { index: 0 }),
            candidate([{ text: "x" }], { index: 1 }),
          ],
        },
        { candidates: [candidate([{ text: "y" }], { index: 1, ...stop })] },
        { candidates: [candidate([{ text: "b" }], { ...stop })] },
      ),
    );
    expect(reply?.choices).toMatchObject([
      { parts: [{ text: "ab" }], stop: "stop" },
      { parts: [{ text: "xy" }], stop: "stop" },
    ]);
  });

  test("another format's end marker is nothing", () => {
    expect(decode(chunk([{ text: "a" }], stop), "[DONE]").at(-1)).toEqual({ kind: "reply-end" });
  });
});

const recorded = [
  'data: {"candidates": [{"content": {"parts": [{"text": "**Thinking**\\n","thought": true}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 31,"totalTokenCount": 62,"thoughtsTokenCount": 31},"modelVersion": "gemini-3-pro","responseId": "mWYYaf-6"}',
  'data: {"candidates": [{"content": {"parts": [{"text": "Grüße 🌞"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 31,"candidatesTokenCount": 4,"totalTokenCount": 66,"thoughtsTokenCount": 31},"modelVersion": "gemini-3-pro","responseId": "mWYYaf-6"}',
  ": keep-alive",
  'data: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "weather","args": {"city": "Köln"}},"thoughtSignature": "Ev4BCvsB+/=="}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 31,"candidatesTokenCount": 16,"totalTokenCount": 78,"thoughtsTokenCount": 31},"modelVersion": "gemini-3-pro","responseId": "mWYYaf-6"}',
  "",
];

describe("a recorded stream", () => {
  function replay(pieces: Uint8Array[]): StreamPart[] {
    const splitter = new SseSplitter();
    const decoder = new ContentStreamDecoder();
    const parts = pieces.flatMap(
      (piece) => splitter.push(piece)?.events.flatMap((event) => decoder.push(event)) ?? [],
    );
    return [...parts, ...decoder.close()];
  }

  test("reads the same however it is cut", () => {
    for (const end of ["\n\n", "\r\n\r\n"]) {
      const bytes = new TextEncoder().encode(recorded.join(end));
      const whole = replay([bytes]);
      expect(foldParts(whole)).toEqual({
        id: "mWYYaf-6",
        choices: [
          {
            parts: [
              { kind: "reasoning", text: "**Thinking**\n", proof: null, isRedacted: false },
              { kind: "text", text: "Grüße 🌞" },
              {
                kind: "call",
                id: "call_mWYYaf-6_0",
                name: "weather",
                input: '{"city":"Köln"}',
                isCustom: false,
                proof: { dialect: "content", data: "Ev4BCvsB+/==", on: "call" },
              },
            ],
            stop: "calls",
            stopSequence: null,
          },
        ],
        usage: {
          inputTokens: 31,
          outputTokens: 47,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 31,
        },
      });
      for (let at = 1; at < bytes.length; at++) {
        expect(replay([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
      }
      expect(replay(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
    }
  });
});
