import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { ReplyFrame } from "../format.ts";
import type { BlockContent, StreamPart } from "../stream-part.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { ChatStreamEncoder } from "./encode-stream.ts";
import { readChatRequest } from "./read.ts";

function frameOf(fields: JsonObject = {}): ReplyFrame {
  const body = { model: "public", messages: [{ role: "user", content: "hi" }], ...fields };
  const request = readChatRequest(body);
  const exchange = decodeChatRequest(body, request);
  return { requestId: "r1", createdAtSeconds: 17, exchange, request, body };
}

function encode(parts: StreamPart[], fields?: JsonObject): string {
  const encoder = new ChatStreamEncoder(frameOf(fields));
  return parts.map((part) => encoder.push(part)).join("");
}

interface Chunk {
  id: string;
  choices: { index: number; delta: JsonObject; finish_reason: string | null }[];
  usage?: JsonObject | null;
}

function chunksOf(text: string): Chunk[] {
  return readEvents(text)
    .filter(({ data }) => data !== "[DONE]")
    .map(({ data }) => JSON.parse(data) as Chunk);
}

/** Deltas of the choices after the chunk that says whose words they are. */
function deltasOf(parts: StreamPart[], fields?: JsonObject): JsonObject[] {
  const text = encode([begin, ...parts], fields);
  return chunksOf(text)
    .slice(1)
    .flatMap(({ choices }) => choices.map(({ delta }) => delta));
}

const begin: StreamPart = { kind: "reply-start", id: "msg_1" };
const end: StreamPart = { kind: "reply-end" };

function start(block: number, content: BlockContent, choice = 0): StreamPart {
  return { kind: "block-start", block, choice, content };
}

function say(block: number, text: string): StreamPart {
  return { kind: "block-delta", block, text };
}

function stop(block: number): StreamPart {
  return { kind: "block-end", block };
}

function call(id: string, isCustom = false): BlockContent {
  return { kind: "call", id, name: "look", isCustom };
}

const over: StreamPart = { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null };
const usage: StreamPart = {
  kind: "usage",
  usage: {
    inputTokens: 5,
    outputTokens: 3,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
};
const hello = [begin, start(0, { kind: "text" }), say(0, "Hi"), stop(0), over, usage, end];

test("X-S19 X-S20 X-S28 a stream begins with the role, has one id, and ends with the marker", () => {
  const head =
    'data: {"id":"chatcmpl-r1","object":"chat.completion.chunk","created":17,"model":"public",';
  expect(encode(hello).split("\n\n")).toEqual([
    `${head}"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]}`,
    `${head}"choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":null,"finish_reason":null}]}`,
    `${head}"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}`,
    "data: [DONE]",
    "",
  ]);
});

describe("usage", () => {
  test("X-U20 is not shown to who did not ask for it", () => {
    expect(encode(hello)).not.toContain("usage");
  });

  test("X-U15 is the last that was told, in a chunk of its own, and null in the others", () => {
    const later: StreamPart = { ...usage, usage: { ...usage.usage, outputTokens: 9 } };
    const parts = [begin, usage, ...hello.slice(1, -2), later, end];
    const text = encode(parts, { stream_options: { include_usage: true } });
    const chunks = chunksOf(text);
    expect(chunks.map((chunk) => chunk.usage)).toMatchObject([
      null,
      null,
      null,
      { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
    ]);
    expect(chunks.at(-1)).toMatchObject({ id: "chatcmpl-r1", choices: [] });
    expect(text).toEndWith("data: [DONE]\n\n");
  });

  test("that nobody counted is not made up", () => {
    const parts = hello.filter(({ kind }) => kind !== "usage");
    expect(encode(parts, { stream_options: { include_usage: true } })).not.toContain("tokens");
  });
});

describe("calls", () => {
  test("X-S01 X-S02 X-S11 have indexes of their own, from 0, also when they come interleaved", () => {
    expect(
      deltasOf([
        start(0, { kind: "text" }),
        start(1, call("a")),
        start(2, call("b")),
        say(2, '{"y"'),
        say(1, '{"x"'),
        say(2, ":2}"),
        say(1, ":1}"),
        stop(1),
        stop(2),
      ]),
    ).toEqual([
      {
        tool_calls: [
          { index: 0, id: "a", type: "function", function: { name: "look", arguments: "" } },
        ],
      },
      {
        tool_calls: [
          { index: 1, id: "b", type: "function", function: { name: "look", arguments: "" } },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: '{"y"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
      { tool_calls: [{ index: 1, function: { arguments: ":2}" } }] },
      { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
    ]);
  });

  test("X-S05 without input have an empty object", () => {
    expect(deltasOf([start(0, call("a")), say(0, ""), stop(0)]).at(-1)).toEqual({
      tool_calls: [{ index: 0, function: { arguments: "{}" } }],
    });
    expect(deltasOf([start(0, call("a", true)), stop(0)])).toHaveLength(1);
  });

  test("X-S07 X-S10 X-S22 end with their reason, or with that of a bound", () => {
    const finish = (reason: "calls" | "length") => {
      const last: StreamPart = { ...over, stop: reason };
      return chunksOf(encode([begin, start(0, call("a")), say(0, "{"), stop(0), last])).at(-1);
    };
    expect(finish("calls")).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
    expect(finish("length")).toMatchObject({ choices: [{ finish_reason: "length" }] });
  });

  test("X-T26 of custom tools carry free text", () => {
    expect(deltasOf([start(0, call("a", true)), say(0, "SELECT 1")])).toEqual([
      { tool_calls: [{ index: 0, id: "a", type: "custom", custom: { name: "look", input: "" } }] },
      { tool_calls: [{ index: 0, custom: { input: "SELECT 1" } }] },
    ]);
  });

  test("X-H04 carry their proof, beside a piece of input for clients that insist on one", () => {
    const proof = { dialect: "content", data: "s", on: "call" } as const;
    const extra_content = { google: { thought_signature: "sluice1:content:call::s" } };
    const pieces = [false, true].map((isCustom) =>
      deltasOf([start(0, call("a", isCustom)), { kind: "block-proof", block: 0, proof }]).at(-1),
    );
    expect(pieces).toEqual([
      { tool_calls: [{ index: 0, function: { arguments: "" }, extra_content }] },
      { tool_calls: [{ index: 0, custom: { input: "" }, extra_content }] },
    ]);
  });

  test("are one function call for a client of functions", () => {
    const proof = { dialect: "content", data: "s", on: "call" } as const;
    const parts: StreamPart[] = [
      start(0, call("a")),
      { kind: "block-proof", block: 0, proof },
      say(0, "{}"),
      stop(0),
      start(1, call("b")),
      { kind: "block-proof", block: 1, proof },
      stop(1),
    ];
    const fields = { functions: [{ name: "look" }] };
    expect(deltasOf(parts, fields)).toEqual([
      { function_call: { name: "look", arguments: "" } },
      { function_call: { arguments: "{}" } },
      { reasoning_details: [{ type: "reasoning.encrypted", data: "sluice1:content:call::s" }] },
    ]);
    expect(encode([begin, { ...over, stop: "calls" }], fields)).toContain(
      '"finish_reason":"function_call"',
    );
  });
});

describe("texts", () => {
  test("X-H12 X-H15 of each kind go their own way", () => {
    expect(
      deltasOf([
        start(0, { kind: "reasoning", isRedacted: false }),
        say(0, "hm"),
        stop(0),
        start(1, { kind: "text" }),
        say(1, "a"),
        stop(1),
        start(2, { kind: "refusal" }),
        say(2, "no"),
        stop(2),
      ]),
    ).toEqual([{ reasoning_content: "hm" }, { content: "a" }, { refusal: "no" }]);
  });

  test("of reasoning tell at their end what proves them, and what they were", () => {
    const prove = (block: number, data: string): StreamPart => ({
      kind: "block-proof",
      block,
      proof: { dialect: "messages", data },
    });
    const deltas = deltasOf([
      start(0, { kind: "reasoning", isRedacted: true }),
      prove(0, "r"),
      stop(0),
      start(1, { kind: "reasoning", isRedacted: false }),
      say(1, "one"),
      prove(1, "s"),
      stop(1),
      start(2, { kind: "reasoning", isRedacted: false }),
      prove(2, "t"),
      say(2, "two"),
      stop(2),
    ]);
    expect(deltas.flatMap((delta) => delta["reasoning_details"] ?? [])).toEqual([
      { type: "reasoning.encrypted", data: "sluice1:messages:::r", is_redacted: true },
      {
        type: "reasoning.encrypted",
        data: "sluice1:messages:::s",
        start_index: 0,
        end_index: 3,
        text: "one",
      },
      {
        type: "reasoning.encrypted",
        data: "sluice1:messages:::t",
        start_index: 3,
        end_index: 6,
        text: "two",
      },
    ]);
  });

  test("have citations that count from the start of the content, all of them at its end", () => {
    const citation = { url: "u", title: null, quote: null, start: 1, end: 2, document: null };
    const whole = { ...citation, start: null, end: null };
    const cite = (start_index: number, end_index: number) => ({
      type: "url_citation",
      url_citation: { start_index, end_index, title: "", url: "u" },
    });
    expect(
      deltasOf([
        start(0, { kind: "text" }),
        say(0, "abc"),
        stop(0),
        start(1, { kind: "text" }),
        { kind: "block-citation", block: 1, citation: whole },
        { kind: "block-citation", block: 1, citation: { ...whole, url: null } },
        say(1, "de"),
        { kind: "block-citation", block: 1, citation },
        say(1, "f"),
        stop(1),
        { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
      ]).slice(1),
    ).toEqual([{ content: "de" }, { content: "f" }, { annotations: [cite(4, 5), cite(3, 6)] }, {}]);
  });

  test("have images as Markdown", () => {
    const source = { kind: "bytes", type: "image/png", base64: "AAAA" } as const;
    const part = { kind: "media", media: "image", source, at: "" } as const;
    expect(deltasOf([start(0, { kind: "media", part }), stop(0)])).toEqual([
      { content: "![image](data:image/png;base64,AAAA)" },
    ]);
  });
});

test("every choice begins with its role, also one that says nothing", () => {
  const chunks = chunksOf(
    encode([
      begin,
      start(0, { kind: "text" }, 1),
      say(0, "b"),
      stop(0),
      { ...over, choice: 1 },
      { ...over, choice: 2 },
      over,
    ]),
  );
  expect(
    chunks.map(({ choices: [choice] }) => [choice?.index, choice?.delta["role"] ?? null]),
  ).toEqual([
    [0, "assistant"],
    [1, "assistant"],
    [1, null],
    [1, null],
    [2, "assistant"],
    [2, null],
    [0, null],
  ]);
});

test("X-U09 a fault is for the gateway to tell, and no success is made up", () => {
  expect(encode([{ kind: "fault", message: "busy" }])).toBe("");
});
