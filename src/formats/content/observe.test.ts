import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { readEvents } from "../../core/sse.ts";
import type { TextRequest } from "../format.ts";
import { plainRequest } from "../kit/fixtures/shapes.ts";
import { content } from "./index.ts";

const request: TextRequest = { ...plainRequest, stream: true };

function chunk(body: object): { event: null; data: string } {
  return { event: null, data: JSON.stringify(body) };
}

function textChunk(text: string, more: object = {}): object {
  return { candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0, ...more }] };
}

function bytesOf(body: object, end: string = "\n\n"): Uint8Array {
  return new TextEncoder().encode(`data: ${JSON.stringify(body)}${end}`);
}

describe("watching a stream", () => {
  test("X-M19 everything of the vendor's passes as it is", () => {
    const observer = content.observe(request);
    const more = { safetyRatings: [{ category: "X" }], avgLogprobs: -0.1 };
    const body = { ...textChunk("hi", more), responseId: "r", modelVersion: "v" };
    expect(observer.see(chunk(body))).toEqual({ kind: "pass" });
  });

  test("the usage of the last event counts, and a lower one later is not believed", () => {
    const observer = content.observe(request);
    const usage = (candidatesTokenCount: number) => ({
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount, totalTokenCount: 9 },
    });
    observer.see(chunk({ ...textChunk("a"), ...usage(2) }));
    observer.see(chunk({ ...textChunk("b"), ...usage(6) }));
    observer.see(chunk({ ...textChunk("c"), usageMetadata: { promptTokenCount: 3 } }));
    observer.see(chunk({ ...textChunk("d"), ...usage(1) }));
    expect(observer.observed().usage).toMatchObject({ inputTokens: 3, outputTokens: 6 });
  });

  test("X-U12 a stream is whole once every candidate said why it ended", () => {
    const observer = content.observe({ ...request, choices: 2 });
    expect(observer.isWhole()).toBe(false);
    observer.see(chunk({ candidates: [{ index: 0 }, { index: 1 }] }));
    observer.see(chunk(textChunk("a", { finishReason: "STOP" })));
    expect(observer.isWhole()).toBe(false);
    observer.see(chunk({ candidates: [{ index: 1, finishReason: "MAX_TOKENS" }] }));
    expect(observer.isWhole()).toBe(true);
    observer.see(chunk({ usageMetadata: {} }));
    expect(observer.isWhole()).toBe(true);
  });

  test("a reason that is empty or unspecified is none", () => {
    const observer = content.observe(request);
    observer.see(chunk(textChunk("a", { finishReason: "" })));
    observer.see(chunk(textChunk("a", { finishReason: "FINISH_REASON_UNSPECIFIED" })));
    expect(observer.isWhole()).toBe(false);
  });

  test("a prompt that was blocked is a whole reply", () => {
    const observer = content.observe(request);
    observer.see(chunk({ promptFeedback: { blockReason: "SAFETY" } }));
    expect(observer.isWhole()).toBe(true);
  });

  test("an error and a text that is no JSON are faults", () => {
    const observer = content.observe(request);
    expect(observer.see(chunk({ error: { code: 503, message: "busy" } }))).toEqual({
      kind: "fault",
      message: "busy",
    });
    expect(observer.see({ event: null, data: "<html>" }).kind).toBe("fault");
  });

  test("another format's end marker is hidden, because Google's client chokes on it", () => {
    expect(content.observe(request).see({ event: null, data: "[DONE]" })).toEqual({ kind: "hide" });
  });

  test("signatures are remembered in the form in which they are looked for", () => {
    const observer = content.observe(request);
    const part = { functionCall: { name: "f" }, thoughtSignature: "QUJD-_==" };
    observer.see(chunk({ candidates: [{ content: { parts: [part] } }] }));
    expect(observer.observed().origins).toEqual(["QUJD+/"]);
  });

  test("plain text passes unread once the frame is known, and is estimated by its length", () => {
    const observer = content.observe(request);
    const plain = textChunk("x".repeat(40));
    expect(observer.skim(bytesOf(plain))).toBe(false);
    observer.see(chunk(plain));
    expect(observer.skim(bytesOf(plain))).toBe(true);
    expect(observer.skim(bytesOf(plain, "\r\n\r\n"))).toBe(true);
    expect(observer.observed().outputTokensEstimate).toBe(30.5);
  });

  test("nothing that must be read passes unread", () => {
    const observer = content.observe(request);
    observer.see(chunk(textChunk("hello world")));
    const read = [
      { ...textChunk("a"), usageMetadata: { promptTokenCount: 1 } },
      textChunk("a", { finishReason: "STOP" }),
      { promptFeedback: { blockReason: "SAFETY" } },
      { error: { message: "busy" } },
      { candidates: [{ content: { parts: [{ text: "a", thoughtSignature: "QUJD" }] } }] },
    ];
    for (const body of read) expect(observer.skim(bytesOf(body))).toBe(false);
    const two = Buffer.concat([bytesOf(textChunk("a")), bytesOf(textChunk("b"))]);
    expect(observer.skim(two)).toBe(false);
    expect(observer.skim(bytesOf(textChunk('say "finishReason" aloud')))).toBe(true);
  });

  test("with several candidates every event is read", () => {
    const observer = content.observe({ ...request, choices: 2 });
    observer.see(chunk(textChunk("hello world")));
    expect(observer.skim(bytesOf(textChunk("hello world")))).toBe(false);
  });
});

describe("reading a whole reply", () => {
  test("usage and signatures are found", () => {
    const reply = {
      candidates: [{ content: { parts: [{ text: "hi", thoughtSignature: "QUJD" }] } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
    };
    expect(content.readReply(reply)).toMatchObject({
      usage: { inputTokens: 1, outputTokens: 2 },
      outputTokensEstimate: 2,
      origins: ["QUJD"],
    });
  });

  test("X-U24 a reply without counts or content is a reply, and its text is estimated", () => {
    const parts = [{ text: "12345678" }, { functionCall: { name: "f", args: { a: 1 } } }];
    expect(content.readReply({ candidates: [{ content: { parts } }] })).toEqual({
      usage: null,
      outputTokensEstimate: 4,
      origins: [],
    });
    expect(content.readReply({ promptFeedback: { blockReason: "OTHER" } })?.usage).toBeNull();
    expect(content.readReply({ candidates: [{ finishReason: "STOP" }] })).not.toBeNull();
  });

  test("what is no reply is told apart", () => {
    for (const body of [null, [], "x", {}, { error: { code: 500 } }, { choices: [] }]) {
      expect(content.readReply(body)).toBeNull();
    }
  });

  test("the texts of a reply are all that was generated", () => {
    const parts = [{ text: "hm", thought: true }, { text: "hi" }, { functionCall: { name: "f" } }];
    expect(content.replyTexts({ candidates: [{ content: { parts } }] })).toEqual([
      "hm",
      "hi",
      "f",
      "{}",
    ]);
  });
});

test("N2 an error inside a stream has Google's shape, in a bare data event", () => {
  const error = new GatewayError("bad_response", { message: "It broke." });
  const text = new TextDecoder().decode(content.encodeError(error, "req_1"));
  expect(text.startsWith("data: ")).toBe(true);
  expect(text.endsWith("\n\n")).toBe(true);
  expect(JSON.parse(readEvents(text)[0]?.data ?? "")).toEqual({
    error: {
      code: 500,
      message: "It broke.",
      status: "INTERNAL",
      details: [{ type: "server_error", param: null, code: "bad_response" }],
    },
  });
});

test.each<[object, boolean]>([
  [{ candidates: [{ finishReason: "STOP" }] }, true],
  [{ candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }] }, true],
  [{ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] }, true],
  [{ candidates: [], usageMetadata: {} }, true],
  [textChunk("a"), false],
  [{ candidates: [{ content: { parts: [{ thoughtSignature: "s" }] } }] }, false],
  [{ candidates: [{ content: { parts: [{ functionCall: { name: "f" } }] } }] }, false],
  [{ candidates: [{ content: { parts: [{ inlineData: {} }] } }] }, false],
  [{ candidates: [{ finishReason: "MAX_TOKENS" }] }, false],
  [{ candidates: [{ finishReason: "SAFETY" }] }, false],
  [{ promptFeedback: { blockReason: "OTHER" } }, false],
])("X-U27 X-U28 %j is empty: %p", (body, isEmpty) => {
  expect(content.readReply(body)?.isEmpty ?? false).toBe(isEmpty);
  const observer = content.observe(request);
  observer.see(chunk(body));
  expect(observer.isEmpty()).toBe(isEmpty);
  expect(observer.isEmpty()).toBe(isEmpty);
});
