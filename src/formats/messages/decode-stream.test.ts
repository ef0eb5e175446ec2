import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { readEvents, SseSplitter } from "../../core/sse.ts";
import { foldParts } from "../kit/fold.ts";
import type { StreamPart } from "../stream-part.ts";
import { MessagesStreamDecoder } from "./decode-stream.ts";

async function fixture(name: string): Promise<string> {
  return await Bun.file(new URL(`fixtures/${name}.sse`, import.meta.url)).text();
}

const tools = await fixture("thinking-and-tools");
const search = await fixture("web-search");

function decode(stream: string): StreamPart[] {
  const decoder = new MessagesStreamDecoder();
  return [...readEvents(stream).flatMap((event) => decoder.push(event)), ...decoder.close()];
}

/** The pieces as they come when the bytes arrive cut in two. */
function decodeCut(bytes: Uint8Array, cut: number): StreamPart[] {
  const splitter = new SseSplitter();
  const decoder = new MessagesStreamDecoder();
  const chunks = [bytes.slice(0, cut), bytes.slice(cut)];
  const parts = chunks.flatMap((chunk) => splitter.push(chunk)?.events ?? []);
  return [...parts.flatMap((event) => decoder.push(event)), ...decoder.close()];
}

function stream(...bodies: JsonObject[]): string {
  return bodies.map((body) => `event: ${body["type"]}\ndata: ${JSON.stringify(body)}\n\n`).join("");
}

const start = {
  type: "message_start",
  message: { id: "msg_1", usage: { input_tokens: 5, output_tokens: 1 } },
};
const stop = { type: "message_stop" };
const end = (stop_reason: string) => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens: 9 },
});
const open = (index: number, content_block: JsonObject) => ({
  type: "content_block_start",
  index,
  content_block,
});
const piece = (index: number, delta: JsonObject) => ({ type: "content_block_delta", index, delta });
const close = (index: number) => ({ type: "content_block_stop", index });
const json = (index: number, partial_json: string) =>
  piece(index, { type: "input_json_delta", partial_json });

describe("a stream of thinking, text and calls", () => {
  test("is told in pieces", () => {
    expect(decode(tools)).toEqual([
      { kind: "reply-start", id: "msg_01" },
      {
        kind: "block-start",
        block: 0,
        choice: 0,
        content: { kind: "reasoning", isRedacted: false },
      },
      { kind: "block-delta", block: 0, text: "Where is " },
      { kind: "block-delta", block: 0, text: "Zürich? 🤔" },
      { kind: "block-proof", block: 0, proof: { dialect: "messages", data: "EqQBCgIYAhIM+/==" } },
      { kind: "block-end", block: 0 },
      {
        kind: "block-start",
        block: 1,
        choice: 0,
        content: { kind: "reasoning", isRedacted: true },
      },
      {
        kind: "block-proof",
        block: 1,
        proof: { dialect: "messages", data: "EmwKAhgBEgy3va3pzix" },
      },
      { kind: "block-end", block: 1 },
      { kind: "block-start", block: 2, choice: 0, content: { kind: "text" } },
      { kind: "block-delta", block: 2, text: "I look up the wea" },
      { kind: "block-delta", block: 2, text: "ther." },
      { kind: "block-end", block: 2 },
      {
        kind: "block-start",
        block: 3,
        choice: 0,
        content: { kind: "call", id: "toolu_01", name: "weather", isCustom: false },
      },
      { kind: "block-delta", block: 3, text: '{"city": "Zü' },
      { kind: "block-delta", block: 3, text: 'rich", "days": {' },
      { kind: "block-delta", block: 3, text: "}}" },
      { kind: "block-end", block: 3 },
      {
        kind: "block-start",
        block: 4,
        choice: 0,
        content: { kind: "call", id: "toolu_02", name: "now", isCustom: false },
      },
      { kind: "block-delta", block: 4, text: "{}" },
      { kind: "block-end", block: 4 },
      { kind: "choice-end", choice: 0, stop: "calls", stopSequence: null },
      {
        kind: "usage",
        usage: {
          inputTokens: 135,
          outputTokens: 89,
          cacheReadTokens: 100,
          cacheWriteTokens: 10,
          reasoningTokens: 12,
        },
      },
      { kind: "reply-end" },
    ]);
  });

  test("is the same however its bytes are cut", () => {
    for (const text of [tools, search]) {
      const bytes = new TextEncoder().encode(text);
      const whole = JSON.stringify(decode(text));
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect([cut, JSON.stringify(decodeCut(bytes, cut))]).toEqual([cut, whole]);
      }
    }
  });

  test("is the same with other line ends", () => {
    expect(decode(tools.replaceAll("\n", "\r\n"))).toEqual(decode(tools));
  });
});

describe("a stream", () => {
  test("X-M09 X-S32 X-U03 keeps searches and citations, and takes no pause for an end", () => {
    const [choice] = foldParts(decode(search))?.choices ?? [];
    expect(choice?.stop).toBe("pause");
    expect(choice?.parts).toMatchObject([
      { kind: "text", text: "I search." },
      { kind: "search", found: [{ url: "https://example.com/a", title: "A" }], fault: null },
      {
        kind: "text",
        text: "It rained.",
        citations: [{ url: "https://example.com/a", title: "A", quote: "It rained." }],
      },
    ]);
  });

  test("X-U14 X-U15 has the usage of its start and its end, and the end's input wins", () => {
    expect(foldParts(decode(search))?.usage).toMatchObject({ inputTokens: 1200, outputTokens: 40 });
  });

  test("X-U21 tells no usage before the vendor has counted what it made", () => {
    const cut = decode(
      stream(
        start,
        open(0, { type: "text", text: "" }),
        piece(0, { type: "text_delta", text: "a" }),
      ),
    );
    expect(cut.some(({ kind }) => kind === "usage")).toBe(false);
  });

  test("X-S02 two calls are two blocks", () => {
    const starts = decode(tools).filter(({ kind }) => kind === "block-start");
    expect(starts).toMatchObject([
      { block: 0 },
      { block: 1 },
      { block: 2 },
      { block: 3 },
      { block: 4 },
    ]);
  });

  test("X-S05 a call without arguments has empty ones", () => {
    const parts = foldParts(decode(tools))?.choices[0]?.parts;
    expect(parts?.at(-1)).toMatchObject({ kind: "call", name: "now", input: "{}" });
  });

  test("X-S22 a call that was cut stays as far as it came", () => {
    const call = { type: "tool_use", id: "t", name: "f", input: {} };
    const cut = stream(start, open(0, call), json(0, '{"a":'), close(0), end("max_tokens"), stop);
    expect(foldParts(decode(cut))?.choices[0]).toMatchObject({
      stop: "length",
      parts: [{ kind: "call", input: '{"a":' }],
    });
  });

  test("X-P03 an answer that comes as the input of our tool is text", () => {
    const answer = { type: "tool_use", id: "t", name: "sluice_json_output", input: {} };
    const bodies = [
      start,
      open(0, answer),
      json(0, '{"a"'),
      json(0, ":1}"),
      close(0),
      end("tool_use"),
      stop,
    ];
    expect(foldParts(decode(stream(...bodies)))?.choices).toEqual([
      { parts: [{ kind: "text", text: '{"a":1}' }], stop: "stop", stopSequence: null },
    ]);
  });

  test("X-U09 with an error has a fault and no end", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const parts = decode(stream(start, error, stop));
    expect(parts).toEqual([
      { kind: "reply-start", id: "msg_1" },
      { kind: "fault", message: "Overloaded" },
    ]);
    expect(decode("event: error\ndata: <html>\n\n")).toMatchObject([{ kind: "fault" }]);
  });

  test("X-U12 without its last event has no end", () => {
    const parts = decode(stream(start, end("end_turn")));
    expect(parts.at(-1)?.kind).not.toBe("reply-end");
    expect(foldParts(parts)).toBeNull();
  });

  test("may hold pings, unknown events and unknown pieces", () => {
    const ping = "event: ping\ndata: {}\n\n: comment\n\n";
    const odd = stream({ type: "brand_new" }, piece(7, { type: "brand_new_delta" }), close(9));
    expect(
      decode(ping + stream(start) + odd + stream(end("end_turn"), stop) + "data: [DONE]\n\n"),
    ).toMatchObject([
      { kind: "reply-start" },
      { kind: "choice-end" },
      { kind: "usage" },
      { kind: "reply-end" },
    ]);
  });

  test("may come without starts and stops, or with a call whose input is whole at once", () => {
    const bare = stream(
      piece(0, { type: "thinking_delta", thinking: "hm" }),
      piece(1, { type: "text_delta", text: "a" }),
      end("end_turn"),
      stop,
    );
    expect(foldParts(decode(bare))?.choices[0]?.parts).toMatchObject([
      { text: "hm" },
      { text: "a" },
    ]);
    const whole = stream(
      start,
      open(0, { type: "tool_use", id: "t", name: "f", input: { a: 1 } }),
      close(0),
      end("tool_use"),
      stop,
    );
    expect(foldParts(decode(whole))?.choices[0]?.parts).toMatchObject([
      { kind: "call", input: '{"a":1}' },
    ]);
  });
});
