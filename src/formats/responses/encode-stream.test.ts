import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import { ResponsesStreamEncoder } from "./encode-stream.ts";
import { eventsOf, frameOf, textParts, usageOf, writeAll } from "./fixtures/shapes.ts";
import { responses } from "./index.ts";

const write = (parts: StreamPart[], body: JsonObject = {}) =>
  eventsOf(writeAll(new ResponsesStreamEncoder(frameOf(body)), parts));

const typesOf = (parts: StreamPart[]) =>
  write(parts).map(({ type }) => type.replace("response.", ""));

const start = (block: number, content: BlockContent): StreamPart => ({
  kind: "block-start",
  block,
  choice: 0,
  content,
});
const delta = (block: number, text: string): StreamPart => ({ kind: "block-delta", block, text });
const end = (block: number): StreamPart => ({ kind: "block-end", block });
const call = (id: string): BlockContent => ({ kind: "call", id, name: "f", isCustom: false });
const begin: StreamPart = { kind: "reply-start", id: null };

function finish(stop: "stop" | "calls" | "length" | "filter" = "stop"): StreamPart[] {
  return [{ kind: "choice-end", choice: 0, stop, stopSequence: null }, { kind: "reply-end" }];
}

function finalOf(parts: StreamPart[]): JsonObject {
  return (write(parts).at(-1)?.["response"] ?? {}) as JsonObject;
}

describe("the sequence of events", () => {
  test("T10 a text has its events from creation to completion", () => {
    const events = write(textParts("Hello there"));
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
    const place = { item_id: "msg_r1_0", output_index: 0, content_index: 0 };
    expect(events[4]).toEqual({
      type: "response.output_text.delta",
      sequence_number: 4,
      ...place,
      delta: "Hello ",
      logprobs: [],
    });
    expect(events[6]).toMatchObject({ ...place, text: "Hello there" });
    expect(events[8]).toMatchObject({
      output_index: 0,
      item: { id: "msg_r1_0", status: "completed", content: [{ text: "Hello there" }] },
    });
  });

  test("T10 reasoning and a call have their events, one item after the other", () => {
    const parts = [
      begin,
      start(0, { kind: "reasoning", isRedacted: false }),
      delta(0, "why"),
      end(0),
      start(1, call("c1")),
      delta(1, '{"a":'),
      delta(1, "1}"),
      end(1),
      ...finish("calls"),
    ];
    expect(typesOf(parts)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    expect(finalOf(parts)).toMatchObject({
      status: "completed",
      output: [
        { id: "rs_r1_0", type: "reasoning", summary: [{ type: "summary_text", text: "why" }] },
        { id: "fc_r1_1", call_id: "c1", arguments: '{"a":1}', status: "completed" },
      ],
    });
  });

  test("refusals, custom calls and images have events of their own kinds", () => {
    const part = {
      kind: "media" as const,
      media: "image" as const,
      source: { kind: "bytes" as const, type: "image/png", base64: "AAAA" },
      at: "output",
    };
    const parts = [
      begin,
      start(0, { kind: "refusal" }),
      delta(0, "No."),
      end(0),
      start(1, { kind: "call", id: "c1", name: "sql", isCustom: true }),
      delta(1, "select 1"),
      end(1),
      start(2, { kind: "media", part }),
      end(2),
      ...finish("calls"),
    ];
    expect(typesOf(parts).slice(2, -1)).toEqual([
      "output_item.added",
      "content_part.added",
      "refusal.delta",
      "refusal.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
      "output_item.added",
      "image_generation_call.completed",
      "output_item.done",
    ]);
    expect(finalOf(parts)["output"]).toMatchObject([
      { content: [{ type: "refusal", refusal: "No." }] },
      { type: "custom_tool_call", id: "ctc_r1_1", input: "select 1", status: "completed" },
      { type: "image_generation_call", id: "ig_r1_2", result: "AAAA" },
    ]);
  });

  test("texts that follow each other share a message", () => {
    const parts = [
      begin,
      start(0, { kind: "text" }),
      delta(0, "a"),
      end(0),
      start(1, { kind: "text" }),
      delta(1, "b"),
      end(1),
      ...finish(),
    ];
    expect(finalOf(parts)["output"]).toMatchObject([{ content: [{ text: "a" }, { text: "b" }] }]);
    expect(typesOf(parts).filter((type) => type === "output_item.added")).toHaveLength(1);
  });

  test("calls that are open side by side stay apart", () => {
    const parts = [
      begin,
      start(0, call("c1")),
      start(1, call("c2")),
      delta(1, "{2"),
      delta(0, "{1"),
      end(0),
      delta(1, "}"),
      end(1),
      ...finish("calls"),
    ];
    expect(finalOf(parts)["output"]).toMatchObject([
      { call_id: "c1", arguments: "{1" },
      { call_id: "c2", arguments: "{2}" },
    ]);
    const done = write(parts).filter(({ type }) => type === "response.output_item.done");
    expect(done.map(({ output_index: index }) => index)).toEqual([0, 1]);
  });

  test("a second answer has no place", () => {
    const other: StreamPart = {
      kind: "block-start",
      block: 0,
      choice: 1,
      content: { kind: "text" },
    };
    expect(typesOf([begin, other, delta(0, "x"), end(0), ...finish()])).toEqual([
      "created",
      "in_progress",
      "completed",
    ]);
  });
});

describe("what clients rely on", () => {
  test("X-S26 usage is null at the start", () => {
    const [created, inProgress] = write(textParts("a"));
    expect(created?.["response"]).toMatchObject({ status: "in_progress", usage: null, output: [] });
    expect(inProgress?.["response"]).toMatchObject({ usage: null });
  });

  test("X-S13 the last event repeats the whole output", () => {
    expect(finalOf(textParts("Hello there"))["output"]).toMatchObject([
      { type: "message", content: [{ type: "output_text", text: "Hello there" }] },
    ]);
  });

  test("X-S25 T9 usage that comes after the finish is in the last event, under both names", () => {
    const parts = [
      ...textParts("a").slice(0, -2),
      { kind: "usage" as const, usage: { ...usageOf(7, 9), reasoningTokens: 4 } },
      { kind: "reply-end" as const },
    ];
    expect(finalOf(parts)["usage"]).toMatchObject({
      input_tokens: 7,
      output_tokens: 9,
      total_tokens: 16,
      prompt_tokens: 7,
      completion_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
    });
  });

  test("X-S04 a piece that is JSON by itself is appended", () => {
    const parts = [
      begin,
      start(0, call("c")),
      delta(0, '{"cmd":"'),
      delta(0, "{}"),
      delta(0, '"}'),
    ];
    expect(finalOf([...parts, end(0), ...finish("calls")])["output"]).toMatchObject([
      { arguments: '{"cmd":"{}"}' },
    ]);
  });

  test("X-S05 a call without arguments ends with an empty object", () => {
    const events = write([begin, start(0, call("c")), delta(0, ""), end(0), ...finish("calls")]);
    expect(events.find(({ type }) => type.endsWith("arguments.done"))).toMatchObject({
      arguments: "{}",
    });
    expect(events.at(-2)).toMatchObject({ item: { arguments: "{}", status: "completed" } });
  });

  test("X-U06 an answer that was cut off is incomplete, and so is its last item", () => {
    const text = [start(0, { kind: "text" }), delta(0, "a"), end(0)];
    const cut = [begin, ...text, start(1, call("c")), delta(1, '{"a'), end(1)];
    const events = write([...cut, ...finish("length")]);
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ status: "completed" }, { status: "incomplete", arguments: '{"a' }],
      },
    });
    expect(events.at(-2)).toMatchObject({ item: { status: "incomplete" } });
    expect(write([begin, ...text, ...finish("filter")]).at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { incomplete_details: { reason: "content_filter" } },
    });
  });

  test("X-M09 citations come as they are found", () => {
    const citation = {
      url: "https://example.com",
      title: null,
      quote: null,
      start: 0,
      end: 1,
      document: null,
    };
    const cited = { kind: "block-citation" as const, block: 0, citation };
    const parts = [begin, start(0, { kind: "text" }), delta(0, "a"), cited, cited, end(0)];
    const events = write([...parts, ...finish()]);
    const added = events.filter(({ type }) => type === "response.output_text.annotation.added");
    expect(added).toMatchObject([
      { item_id: "msg_r1_0", annotation_index: 0, annotation: { type: "url_citation" } },
      { annotation_index: 1 },
    ]);
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ content: [{ annotations: [{ title: "" }, {}] }] }] },
    });
  });

  test("X-M09 a citation without a place is of the whole text, and comes at its end", () => {
    const none = { title: null, quote: null, start: null, end: null, document: null };
    const citation = { ...none, url: "https://example.com" };
    const cited = { kind: "block-citation" as const, block: 0, citation };
    const parts = [
      begin,
      start(0, { kind: "text" }),
      cited,
      delta(0, "abc"),
      delta(0, "d"),
      end(0),
    ];
    const events = write([...parts, ...finish()]);
    const types = events.map(({ type }) => type);
    const at = types.indexOf("response.output_text.annotation.added");
    expect(types[at + 1]).toBe("response.output_text.done");
    expect(events[at]).toMatchObject({ annotation: { start_index: 0, end_index: 4 } });
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ content: [{ annotations: [{ end_index: 4 }] }] }] },
    });
  });

  test("a vendor's error in the stream fails the response with what there is", () => {
    const fault: StreamPart = { kind: "fault", message: "it broke" };
    const parts = [begin, start(0, { kind: "text" }), delta(0, "Hel"), fault];
    expect(write(parts).at(-1)).toMatchObject({
      type: "response.failed",
      response: {
        status: "failed",
        error: { code: "server_error", message: "it broke" },
        output: [{ status: "incomplete", content: [{ text: "Hel" }] }],
      },
    });
  });

  test("T11 obfuscation pads deltas where it is asked for, and only there", () => {
    const obfuscation = (stream_options: JsonObject | null) =>
      write(textParts("Hello there"), { stream: true, stream_options })
        .filter(({ type }) => type.endsWith(".delta"))
        .map((event) => event["obfuscation"]);
    expect(obfuscation({ include_obfuscation: true })).toEqual(["abcdefghij", "abcdefghijk"]);
    expect(obfuscation({ include_obfuscation: false })).toEqual([undefined, undefined]);
    expect(obfuscation(null)).toEqual([undefined, undefined]);
  });
});

describe("proofs", () => {
  const reasoning = (isRedacted: boolean) => start(0, { kind: "reasoning", isRedacted });
  const prove = (block: number, data: string, on?: "call" | "text"): StreamPart => ({
    kind: "block-proof",
    block,
    proof: { dialect: on ? "content" : "messages", data, ...(on ? { on } : {}) },
  });

  /** The output, decoded as the client's next input. */
  function returned(parts: StreamPart[]) {
    const body = { model: "m", input: finalOf(parts)["output"] ?? [] };
    const exchange = responses.client?.decodeRequest(body, responses.read(body, null));
    return exchange?.turns.flatMap((turn) => turn.parts);
  }

  test("X-H07 hidden thinking is shown by its proof alone, and comes back", () => {
    const parts = [begin, reasoning(true), prove(0, "dark"), end(0), ...finish()];
    expect(typesOf(parts)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "output_item.done",
      "completed",
    ]);
    expect(returned(parts)).toEqual([
      {
        kind: "reasoning",
        text: "",
        proof: { dialect: "messages", data: "dark" },
        isRedacted: true,
      },
    ]);
  });

  test("X-H07 thinking of which nothing came is not shown", () => {
    const parts = [begin, reasoning(false), prove(0, ""), end(0), ...finish()];
    expect(typesOf(parts)).toEqual(["created", "in_progress", "completed"]);
  });

  test("X-H13 thinking and its signature come in any order", () => {
    const before = [begin, reasoning(false), prove(0, "sig"), delta(0, "why"), end(0)];
    const behind = [begin, reasoning(false), delta(0, "why"), prove(0, "sig"), end(0)];
    const proof = { dialect: "messages" as const, data: "sig" };
    for (const parts of [before, behind]) {
      expect(returned([...parts, ...finish()])).toEqual([
        { kind: "reasoning", text: "why", proof, isRedacted: false },
      ]);
    }
  });

  test("X-H04 signatures of calls and texts that come late find their parts again", () => {
    const parts = [
      begin,
      start(0, { kind: "text" }),
      delta(0, "a"),
      end(0),
      start(1, { kind: "text" }),
      delta(1, "b"),
      prove(1, "s1", "text"),
      end(1),
      start(2, { kind: "text" }),
      delta(2, "c"),
      end(2),
      start(3, call("c1")),
      delta(3, "{}"),
      prove(3, "s2", "call"),
      end(3),
      start(4, call("c2")),
      delta(4, "{}"),
      end(4),
      ...finish("calls"),
    ];
    const signature = (data: string, on: "call" | "text") => ({ dialect: "content", data, on });
    expect(returned(parts)).toMatchObject([
      { text: "a" },
      { text: "b", proof: signature("s1", "text") },
      { text: "c" },
      { id: "c1", proof: signature("s2", "call") },
      { id: "c2" },
    ]);
    const proofs = returned(parts)?.filter((part) => "proof" in part && part.proof);
    expect(proofs).toHaveLength(2);
  });
});
