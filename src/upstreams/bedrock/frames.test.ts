// Bedrock's frames as events.
import { describe, expect, test } from "bun:test";
import type { EventFrame } from "../../core/frames/event-stream.ts";
import { readBedrockFrame } from "./frames.ts";

const encoder = new TextEncoder();

function frame(headers: Record<string, string>, payload: string): EventFrame {
  return { headers: new Map(Object.entries(headers)), payload: encoder.encode(payload) };
}

function chunk(event: string): EventFrame {
  const bytes = Buffer.from(event).toString("base64");
  const headers = { ":message-type": "event", ":event-type": "chunk" };
  return frame(headers, JSON.stringify({ bytes, p: "abcdefg" }));
}

describe("a wrapped event", () => {
  test("comes out as it is, under the name of its type", () => {
    const data =
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ü"}}';
    expect(readBedrockFrame(chunk(data))).toEqual({ event: "content_block_delta", data });
  });

  test("is named by its type wherever that stands, and has one line", () => {
    const { event, data } = readBedrockFrame(chunk('{\n "index": 0,\n "type": "ping"\n}'));
    expect(event).toBe("ping");
    expect(JSON.parse(data)).toEqual({ index: 0, type: "ping" });
    expect(data).not.toContain("\n");
  });

  test("leaves out what the cloud counted itself", () => {
    const metrics = { "amazon-bedrock-invocationMetrics": { inputTokenCount: 2 } };
    const read = readBedrockFrame(chunk(JSON.stringify({ type: "message_stop", ...metrics })));
    expect(read).toEqual({ event: "message_stop", data: '{"type":"message_stop"}' });
  });

  test.each(["", "{", "[]", '{"bytes":3}'])(
    "that is none, %p, is an event of nothing",
    (payload) => {
      const headers = { ":message-type": "event", ":event-type": "chunk" };
      expect(readBedrockFrame(frame(headers, payload))).toEqual({ event: null, data: "" });
    },
  );
});

test("an event of Converse keeps its name", () => {
  const headers = { ":message-type": "event", ":event-type": "messageStart" };
  const data = '{"p":"abcd","role":"assistant"}';
  expect(readBedrockFrame(frame(headers, data))).toEqual({ event: "messageStart", data });
});

describe("what breaks a stream off", () => {
  test.each([
    ["throttlingException", "rate_limit_error"],
    ["validationException", "invalid_request_error"],
    ["internalServerException", "api_error"],
    ["modelStreamErrorException", "api_error"],
    ["modelTimeoutException", "api_error"],
    ["serviceUnavailableException", "overloaded_error"],
    ["somethingNewException", "api_error"],
  ])("%s is told as %s", (exception, type) => {
    const headers = { ":message-type": "exception", ":exception-type": exception };
    const { event, data } = readBedrockFrame(frame(headers, '{"message":"so it is"}'));
    expect(event).toBe("error");
    const error = { type, message: "so it is", exception };
    expect(JSON.parse(data)).toEqual({ type: "error", error });
  });

  test("may be an error whose words are headers", () => {
    const headers = {
      ":message-type": "error",
      ":error-code": "InternalFailure",
      ":error-message": "gone",
    };
    const { event, data } = readBedrockFrame(frame(headers, ""));
    expect(event).toBe("error");
    expect(JSON.parse(data)).toMatchObject({ error: { type: "api_error", message: "gone" } });
  });

  test("has words where the vendor has none", () => {
    const headers = { ":message-type": "exception", ":exception-type": "throttlingException" };
    const { data } = readBedrockFrame(frame(headers, "{}"));
    const message = "The upstream broke off with throttlingException.";
    expect(JSON.parse(data)).toMatchObject({ error: { message } });
  });
});
