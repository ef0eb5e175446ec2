import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { SseSplitter } from "../../core/sse.ts";
import { foldParts } from "../kit/fold.ts";
import type { StreamPart } from "../stream-part.ts";
import { decodeResponsesReply } from "./decode-reply.ts";
import { ResponsesStreamDecoder } from "./decode-stream.ts";

const load = (name: string) => readFileSync(new URL(`fixtures/${name}.sse`, import.meta.url));

/** The parts of a stream that arrives in these pieces. */
function decodePieces(pieces: Uint8Array[]): StreamPart[] {
  const splitter = new SseSplitter();
  const decoder = new ResponsesStreamDecoder();
  const parts = pieces.flatMap((piece) =>
    (splitter.push(piece)?.events ?? []).flatMap((event) => decoder.push(event)),
  );
  return [...parts, ...decoder.close()];
}

function decodeEvents(events: object[]): StreamPart[] {
  const decoder = new ResponsesStreamDecoder();
  const parts = events.flatMap((event) =>
    decoder.push({ event: null, data: JSON.stringify(event) }),
  );
  return [...parts, ...decoder.close()];
}

const created = { type: "response.created", response: { id: "resp_1", status: "in_progress" } };
const completed = { type: "response.completed", response: { id: "resp_1", status: "completed" } };

describe("a stream as the vendor sends it", () => {
  test("reasoning, text and a citation are told in their order", () => {
    expect(foldParts(decodePieces([load("reasoning")]))).toEqual({
      id: "resp_68a1",
      choices: [
        {
          parts: [
            {
              kind: "reasoning",
              text: "**Looking** it up\n\nFound.",
              proof: { dialect: "responses", data: "gAAAAABo-final==", id: "rs_68a2" },
              isRedacted: false,
            },
            {
              kind: "text",
              text: 'Grüße, 世界! See "docs".',
              citations: [
                {
                  url: "https://example.com/docs",
                  title: "Docs",
                  quote: null,
                  start: 18,
                  end: 22,
                  document: null,
                },
              ],
            },
          ],
          stop: "stop",
          stopSequence: null,
        },
      ],
      usage: {
        inputTokens: 20,
        outputTokens: 30,
        cacheReadTokens: 4,
        cacheWriteTokens: 2,
        reasoningTokens: 12,
      },
    });
  });

  test("X-S01 two calls whose arguments come interleaved stay apart", () => {
    const parts = decodePieces([load("calls")]);
    const [choice] = foldParts(parts)?.choices ?? [];
    expect(choice?.stop).toBe("calls");
    expect(choice?.parts).toEqual([
      { kind: "call", id: "call_0", name: "weather", input: '{"city":"Paris"}', isCustom: false },
      { kind: "call", id: "call_1", name: "time", input: '{"zone":"{}"}', isCustom: false },
      { kind: "call", id: "call_2", name: "sql", input: "select 1;", isCustom: true },
    ]);
    const deltas = parts.flatMap((part) => (part.kind === "block-delta" ? [part.block] : []));
    expect(deltas).toEqual([0, 1, 0, 1, 0, 1, 2]);
  });

  test("X-S14 what only came when its item was done is there, though the end repeats nothing", () => {
    const reply = foldParts(decodePieces([load("sparse")]));
    expect(reply?.choices).toMatchObject([
      {
        parts: [
          { kind: "search", queries: [], found: [], fault: null },
          { kind: "media", media: "image", source: { kind: "bytes", type: "image/png" } },
          { kind: "text", text: "Once upon" },
          { kind: "refusal", text: "No." },
        ],
        stop: "length",
      },
    ]);
    expect(reply?.usage).toMatchObject({ inputTokens: 5, outputTokens: 2 });
  });

  test.each(["reasoning", "calls", "sparse"])("%s reads alike wherever it is cut", (name) => {
    const bytes = load(name);
    const whole = decodePieces([bytes]);
    for (let at = 1; at < bytes.length; at++) {
      expect(decodePieces([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    expect(decodePieces(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
  });

  test("X-S17 X-S28 it starts once, with the vendor's id, and every block once", () => {
    for (const name of ["reasoning", "calls", "sparse"]) {
      const parts = decodePieces([load(name)]);
      expect(parts[0]).toEqual({ kind: "reply-start", id: "resp_68a1" });
      const count = (kind: StreamPart["kind"]) => parts.filter((part) => part.kind === kind).length;
      expect(count("reply-start")).toBe(1);
      expect(count("block-start")).toBe(count("block-end"));
      expect(count("choice-end")).toBe(1);
      expect(parts.at(-1)).toEqual({ kind: "reply-end" });
    }
  });
});

describe("streams of vendors that leave things out", () => {
  test("three events make an answer", () => {
    const delta = { type: "response.output_text.delta", delta: "Hi" };
    expect(foldParts(decodeEvents([created, delta, completed]))?.choices[0]?.parts).toEqual([
      { kind: "text", text: "Hi" },
    ]);
  });

  test("an end that brings everything is read when nothing came before", () => {
    const output = [
      { type: "message", id: "m", content: [{ type: "output_text", text: "Hi", annotations: [] }] },
      { type: "function_call", id: "fc", call_id: "c", name: "f", arguments: "{}" },
    ];
    const end = { ...completed, response: { ...completed.response, output } };
    const [choice] = foldParts(decodeEvents([end]))?.choices ?? [];
    expect(choice?.parts).toMatchObject([{ text: "Hi" }, { name: "f", input: "{}" }]);
    expect(choice?.stop).toBe("calls");
  });

  test("the missing end of a text and of arguments is caught up on", () => {
    const at = { output_index: 0 };
    const call = { type: "function_call", id: "fc", call_id: "c", name: "f", arguments: '{"a":1}' };
    const events = [
      created,
      { type: "response.output_item.added", ...at, item: { ...call, arguments: "" } },
      { type: "response.function_call_arguments.delta", ...at, delta: '{"a"' },
      { type: "response.output_item.done", ...at, item: call },
      { type: "response.output_item.done", ...at, item: call },
      completed,
    ];
    expect(foldParts(decodeEvents(events))?.choices[0]?.parts).toEqual([
      { kind: "call", id: "c", name: "f", input: '{"a":1}', isCustom: false },
    ]);
  });

  test("X-S05 a call without arguments has an empty object of them", () => {
    const item = { type: "function_call", id: "fc", call_id: "c", name: "f", arguments: "" };
    const done = { type: "response.output_item.done", output_index: 0, item };
    expect(foldParts(decodeEvents([created, done, completed]))?.choices[0]?.parts).toMatchObject([
      { input: "{}" },
    ]);
  });

  test("plain reasoning is reasoning, and an empty one is nothing", () => {
    const delta = { type: "response.reasoning_text.delta", output_index: 0, content_index: 0 };
    const empty = { type: "reasoning", id: "rs", summary: [] };
    const events = [
      created,
      { ...delta, delta: "hmm" },
      { type: "response.output_item.done", output_index: 1, item: empty },
      completed,
    ];
    expect(foldParts(decodeEvents(events))?.choices[0]?.parts).toEqual([
      { kind: "reasoning", text: "hmm", proof: null, isRedacted: false },
    ]);
  });

  test("unknown events, keep-alives and a trailing [DONE] say nothing", () => {
    const decoder = new ResponsesStreamDecoder();
    const push = (data: string) => decoder.push({ event: null, data });
    expect(push('{"type":"keepalive"}')).toEqual([]);
    expect(push('{"type":"response.frobnicated","x":1}')).toEqual([]);
    expect(push(JSON.stringify(completed)).at(-1)).toEqual({ kind: "reply-end" });
    expect(push("[DONE]")).toEqual([]);
    expect(push(JSON.stringify(created))).toEqual([]);
  });
});

test("X-H24 thoughts that come as a summary and as text are told once", () => {
  const at = { output_index: 0, item_id: "rs_1" };
  const summary = { ...at, type: "response.reasoning_summary_text.delta", summary_index: 0 };
  const text = { ...at, type: "response.reasoning_text.delta", content_index: 0 };
  const parts = decodeEvents([
    { type: "response.created", response: { id: "resp_1" } },
    { ...summary, delta: "First, " },
    { ...text, delta: "First, " },
    { ...summary, delta: "look." },
    { ...text, delta: "look." },
  ]);
  const told = parts.flatMap((part) => (part.kind === "block-delta" ? part.text : []));
  expect(told).toEqual(["First, ", "look."]);
});

describe("streams that go wrong", () => {
  const fault = (message: string) => ({ kind: "fault" as const, message });

  test("X-U08 a failure after the start is a fault and no end", () => {
    const error = { code: "server_error", message: "it broke" };
    const failed = { type: "response.failed", response: { id: "resp_1", status: "failed", error } };
    expect(decodeEvents([created, failed, completed]).slice(1)).toEqual([fault("it broke")]);
  });

  test("an error is read flat, wrapped, and without a type", () => {
    const flat = { type: "error", code: "x", message: "flat", param: null };
    expect(decodeEvents([flat])).toEqual([fault("flat")]);
    expect(decodeEvents([{ type: "error", error: { message: "wrapped" } }])).toEqual([
      fault("wrapped"),
    ]);
    expect(decodeEvents([{ error: { message: "bare" } }])).toEqual([fault("bare")]);
  });

  test("what is not JSON is a fault", () => {
    const decoder = new ResponsesStreamDecoder();
    expect(decoder.push({ event: null, data: "{" })).toEqual([
      fault("an event of the stream is not JSON"),
    ]);
  });

  test("X-U12 a stream without its last event has no end", () => {
    const parts = decodeEvents([created, { type: "response.output_text.delta", delta: "Hi" }]);
    expect(foldParts(parts)).toBeNull();
  });
});

test("an end with a status that is not known is a stop, where there was output", () => {
  const response = { id: "resp_1", status: "complete", output: [] };
  const delta = { type: "response.output_text.delta", delta: "Hi" };
  const stopAfter = (...events: object[]) => {
    const parts = decodeEvents([created, ...events, { type: "response.completed", response }]);
    return foldParts(parts)?.choices[0]?.stop;
  };
  expect([stopAfter(delta), stopAfter()]).toEqual(["stop", "other"]);
});

test("X-U06 an end by the filter is told from one by the bound", () => {
  const stop = (reason: string) => {
    const response = { status: "incomplete", incomplete_details: { reason } };
    return foldParts(decodeEvents([{ type: "response.incomplete", response }]))?.choices[0]?.stop;
  };
  expect(stop("content_filter")).toBe("filter");
  expect(stop("max_output_tokens")).toBe("length");
});

test.each(["reasoning", "calls"])(
  "the stream of %s and its final response say the same",
  (name) => {
    const text = load(name).toString();
    const last = text.trimEnd().split("\ndata: ").at(-1) ?? "";
    const event = JSON.parse(last) as { response: unknown };
    expect(decodeResponsesReply(event.response)).toEqual(foldParts(decodePieces([load(name)])));
  },
);
