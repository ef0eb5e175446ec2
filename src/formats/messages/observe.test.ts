import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { Sighting } from "../format.ts";
import { encodeMessagesError, MessagesObserver, readMessagesReply } from "./observe.ts";

const encoder = new TextEncoder();
const fixture = await Bun.file(new URL("fixtures/thinking-and-tools.sse", import.meta.url)).text();

function eventOf(body: JsonObject): string {
  return `event: ${body["type"]}\ndata: ${JSON.stringify(body)}\n\n`;
}

function delta(content: JsonObject): string {
  return eventOf({ type: "content_block_delta", index: 0, delta: content });
}

function textDelta(text: string): string {
  return delta({ type: "text_delta", text });
}

function start(usage: JsonObject): string {
  return eventOf({ type: "message_start", message: { content: [], usage } });
}

/** Events one by one, skimmed where they can be, as the gateway does it. */
function watch(observer: MessagesObserver, stream: string): Sighting["kind"][] {
  return stream.split(/(?<=\n\n)/).map((text) => {
    if (observer.skim(encoder.encode(text))) return "pass";
    const [event] = readEvents(text);
    return event ? observer.see(event).kind : "pass";
  });
}

describe("a stream that passes through", () => {
  test("X-U14 has the usage of its start and of its end", () => {
    const observer = new MessagesObserver();
    expect(watch(observer, fixture).at(-1)).toBe("end");
    expect(observer.observed().usage).toEqual({
      inputTokens: 135,
      outputTokens: 89,
      cacheReadTokens: 100,
      cacheWriteTokens: 10,
      reasoningTokens: 12,
    });
  });

  test("names the signatures that must come back to who made them", () => {
    const observer = new MessagesObserver();
    watch(observer, fixture);
    expect(observer.observed().origins).toEqual(["EqQBCgIYAhIM+/==", "EmwKAhgBEgy3va3pzix"]);
  });

  test("X-U15 is billed the input that its end tells", () => {
    const observer = new MessagesObserver();
    watch(observer, start({ input_tokens: 0, output_tokens: 0 }));
    watch(
      observer,
      eventOf({ type: "message_delta", delta: {}, usage: { input_tokens: 70, output_tokens: 5 } }),
    );
    expect(observer.observed().usage).toMatchObject({ inputTokens: 70, outputTokens: 5 });
  });

  test("is not made cheaper by an end that repeats zeros", () => {
    const observer = new MessagesObserver();
    watch(observer, start({ input_tokens: 50, cache_read_input_tokens: 20, output_tokens: 1 }));
    watch(
      observer,
      eventOf({ type: "message_delta", delta: {}, usage: { input_tokens: 0, output_tokens: 5 } }),
    );
    expect(observer.observed().usage).toMatchObject({ inputTokens: 70, outputTokens: 5 });
  });

  test("X-U21 that was cut is billed its input and the output that came", () => {
    const observer = new MessagesObserver();
    watch(observer, start({ input_tokens: 50, output_tokens: 1 }));
    for (let count = 0; count < 20; count++) watch(observer, textDelta("abcdefgh"));
    expect(observer.observed().usage).toMatchObject({ inputTokens: 50, outputTokens: 40 });
  });

  test("that brought nothing is billed the input that its start told", () => {
    const observer = new MessagesObserver();
    watch(
      observer,
      start({ input_tokens: 50, cache_creation_input_tokens: 800, output_tokens: 1 }),
    );
    expect(observer.observed()).toMatchObject({
      usage: { inputTokens: 850, cacheWriteTokens: 800, outputTokens: 1 },
      outputTokensEstimate: 0,
    });
  });

  test("whose start told of no input has no usage", () => {
    const observer = new MessagesObserver();
    watch(observer, start({ input_tokens: 0, output_tokens: 0 }));
    expect(observer.observed()).toMatchObject({ usage: null, outputTokensEstimate: 0 });
  });

  test("X-U09 ends with a fault when the vendor reports one", () => {
    const fault = { kind: "fault", message: "Overloaded" };
    const data = JSON.stringify({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    });
    expect(new MessagesObserver().see({ event: "error", data })).toEqual(fault as Sighting);
    expect(new MessagesObserver().see({ event: null, data })).toEqual(fault as Sighting);
    expect(new MessagesObserver().see({ event: null, data: "<html>" }).kind).toBe("fault");
  });

  test("X-U12 is not whole without its last event", () => {
    const observer = new MessagesObserver();
    watch(observer, fixture.slice(0, fixture.indexOf("event: message_stop")));
    expect(observer.isWhole()).toBe(false);
  });

  test("X-S31 may begin once only", () => {
    const observer = new MessagesObserver();
    expect(watch(observer, fixture.slice(0, fixture.indexOf("event: message_stop")))).not.toContain(
      "fault",
    );
    const again = watch(observer, start({ input_tokens: 1, output_tokens: 1 }));
    expect(again).toEqual(["fault"]);
  });

  test.each<[JsonObject[], string, boolean]>([
    [[], "end_turn", true],
    [[{ type: "text", text: "" }], "end_turn", true],
    [[{ type: "thinking", thinking: "", signature: "" }], "tool_use", true],
    [[{ type: "text", text: "a" }], "end_turn", false],
    [[{ type: "thinking", thinking: "", signature: "s" }], "end_turn", false],
    [[{ type: "redacted_thinking", data: "x" }], "end_turn", false],
    [[{ type: "tool_use", id: "t", name: "f", input: {} }], "tool_use", false],
    [[{ type: "web_search_tool_result", content: [] }], "end_turn", false],
    [[], "max_tokens", false],
    [[], "refusal", false],
    [[], "pause_turn", false],
    [[], "stop_sequence", false],
  ])("X-U28 with %j and %s is empty: %p", (blocks, reason, isEmpty) => {
    const body = { content: blocks, stop_reason: reason };
    expect(readMessagesReply(body)?.isEmpty ?? false).toBe(isEmpty);
    const observer = new MessagesObserver();
    for (const [index, content_block] of blocks.entries()) {
      watch(observer, eventOf({ type: "content_block_start", index, content_block }));
    }
    watch(observer, eventOf({ type: "message_delta", delta: { stop_reason: reason } }));
    expect(observer.isEmpty()).toBe(isEmpty);
  });

  test("may hold pings and events of types that are not known", () => {
    const observer = new MessagesObserver();
    expect(observer.see({ event: "ping", data: "" }).kind).toBe("pass");
    expect(watch(observer, eventOf({ type: "ping" }) + eventOf({ type: "brand_new" }))).toEqual([
      "pass",
      "pass",
    ]);
  });
});

describe("the quick look", () => {
  function skims(text: string): boolean {
    const observer = new MessagesObserver();
    watch(observer, textDelta("a") + delta({ type: "thinking_delta", thinking: "a" }));
    watch(observer, delta({ type: "input_json_delta", partial_json: "a" }));
    return observer.skim(encoder.encode(text));
  }

  test("takes content of every kind once it has read one", () => {
    expect(new MessagesObserver().skim(encoder.encode(textDelta("a")))).toBe(false);
    expect(skims(textDelta('he said "error" \n'))).toBe(true);
    expect(skims(delta({ type: "thinking_delta", thinking: "b" }))).toBe(true);
    expect(skims(delta({ type: "input_json_delta", partial_json: '{"a":' }))).toBe(true);
  });

  test("counts about as much as reading does", () => {
    const skimmed = new MessagesObserver();
    const read = new MessagesObserver();
    for (const text of ["Some words", " and some more", "漢字\n", '"quoted"']) {
      watch(skimmed, textDelta(text));
      for (const event of readEvents(textDelta(text))) read.see(event);
    }
    const difference =
      skimmed.observed().outputTokensEstimate - read.observed().outputTokensEstimate;
    expect(Math.abs(difference)).toBeLessThan(2);
  });

  test.each([
    ["a signature", delta({ type: "signature_delta", signature: "s" })],
    ["a citation", delta({ type: "citations_delta", citation: {} })],
    ["two events", textDelta("a") + textDelta("b")],
    ["an end behind content", textDelta("a") + eventOf({ type: "message_stop" })],
    ["half an event", textDelta("a").slice(0, -1)],
    [
      "another type under this name",
      'event: content_block_delta\ndata: {"type":"message_stop"}\n\n',
    ],
    [
      "an error under this name",
      'event: content_block_delta\ndata: {"type":"content_block_delta","error":{},"delta":{"type":"text_delta"}}\n\n',
    ],
    [
      "a second line",
      'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta"}\nevent: error\n\n',
    ],
    [
      "a line that a carriage return hides",
      'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta"}}\revent: error\n\n',
    ],
  ])("leaves %s to be read", (_what, text) => {
    expect(skims(text)).toBe(false);
  });
});

describe("a whole reply that passes through", () => {
  const content = [
    { type: "thinking", thinking: "t", signature: "sig" },
    { type: "redacted_thinking", data: "red" },
    { type: "text", text: "eight chars here" },
  ];

  test("X-U17 has its usage with the cache inside the input", () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 7,
      output_tokens: 3,
    };
    expect(readMessagesReply({ type: "message", content, usage, container: { id: "c" } })).toEqual({
      usage: {
        inputTokens: 22,
        outputTokens: 3,
        cacheReadTokens: 7,
        cacheWriteTokens: 5,
        reasoningTokens: 0,
      },
      outputTokensEstimate: 3,
      origins: ["sig", "red", "c"],
    });
  });

  test("is estimated where the vendor counted nothing", () => {
    const observed = readMessagesReply({ content });
    expect(observed?.usage).toBeNull();
    expect(observed?.outputTokensEstimate).toBeGreaterThan(3);
  });

  test("is none when it is an error or something else", () => {
    expect(readMessagesReply({ type: "error", error: { message: "x" } })).toBeNull();
    expect(readMessagesReply("hello")).toBeNull();
    expect(readMessagesReply(null)).toBeNull();
  });
});

test("N2 an error in a stream is an event that the format's clients know", () => {
  const error = new GatewayError("bad_response", { message: "The upstream broke the stream off." });
  const [event] = readEvents(new TextDecoder().decode(encodeMessagesError(error, "req1")));
  expect(event?.event).toBe("error");
  expect(JSON.parse(event?.data ?? "")).toEqual({
    type: "error",
    error: {
      type: "server_error",
      message: "The upstream broke the stream off.",
      param: null,
      code: "bad_response",
    },
    request_id: "req1",
  });
});
