import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { SseSplitter } from "../../core/sse.ts";
import type { Reply, StopReason } from "../exchange.ts";
import { foldParts } from "../kit/fold.ts";
import type { StreamPart } from "../stream-part.ts";
import { ChatStreamDecoder } from "./decode-stream.ts";

function decode(...events: (JsonObject | "[DONE]")[]): StreamPart[] {
  const decoder = new ChatStreamDecoder();
  return events.flatMap((event) =>
    decoder.push({
      event: null,
      data: event === "[DONE]" ? event : JSON.stringify({ id: "chatcmpl-1", ...event }),
    }),
  );
}

function delta(fields: JsonObject, finishReason: string | null = null, index = 0): JsonObject {
  return { choices: [{ index, delta: fields, finish_reason: finishReason }] };
}

function fold(...events: (JsonObject | "[DONE]")[]): Reply | null {
  return foldParts(decode(...events, "[DONE]"));
}

function piece(fields: JsonObject): JsonObject {
  return delta({ tool_calls: [fields] });
}

function inputsOf(...events: JsonObject[]): string[][] {
  const parts = fold(...events, delta({}, "tool_calls"))?.choices[0]?.parts ?? [];
  return parts.flatMap((part) => (part.kind === "call" ? [[part.id, part.name, part.input]] : []));
}

const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const spent = {
  inputTokens: 5,
  outputTokens: 3,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

test("an answer of text is one block", () => {
  expect(
    decode(
      delta({ role: "assistant", content: "" }),
      delta({ content: "Hel" }),
      delta({ content: "lo" }),
      delta({}, "stop"),
      { choices: [], usage },
      "[DONE]",
    ),
  ).toEqual([
    { kind: "reply-start", id: "chatcmpl-1" },
    { kind: "block-start", block: 0, choice: 0, content: { kind: "text" } },
    { kind: "block-delta", block: 0, text: "Hel" },
    { kind: "block-delta", block: 0, text: "lo" },
    { kind: "block-end", block: 0 },
    { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
    { kind: "usage", usage: spent },
    { kind: "reply-end" },
  ]);
});

describe("usage", () => {
  test("X-S25 may come after the end of the choice, with it, or before it", () => {
    const text = delta({ content: "a" });
    const end = delta({}, "stop");
    for (const events of [
      [text, end, { choices: [], usage }],
      [text, { ...end, usage }],
      [{ ...text, usage }, end],
    ]) {
      const parts = decode(...events, "[DONE]");
      expect(parts.at(-1)).toEqual({ kind: "reply-end" });
      expect(foldParts(parts)?.usage).toEqual(spent);
    }
  });

  test("X-U18 has the tokens of the cache and of reasoning", () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    expect(
      fold(delta({ content: "a" }, "stop"), { usage: { ...usage, ...details } })?.usage,
    ).toEqual({
      ...spent,
      cacheReadTokens: 2,
      cacheWriteTokens: 1,
      reasoningTokens: 3,
    });
  });

  test("that goes down again is not believed", () => {
    const less = { ...usage, completion_tokens: 1 };
    expect(fold({ ...delta({ content: "a" }), usage }, { usage: less })?.usage).toEqual(spent);
  });
});

describe("the end", () => {
  test("X-U12 X-U29 is the marker, or the close after every choice has ended", () => {
    const closed = (...events: JsonObject[]) => {
      const decoder = new ChatStreamDecoder();
      const data = events.map((event) => JSON.stringify(event));
      const parts = data.flatMap((text) => decoder.push({ event: null, data: text }));
      return [...parts, ...decoder.close()].some(({ kind }) => kind === "reply-end");
    };
    const one = delta({ content: "a" }, "stop");
    expect(closed(one)).toBe(true);
    expect(closed(one, { choices: [], usage })).toBe(true);
    expect(closed(delta({ content: "a" }))).toBe(false);
    expect(closed(one, delta({ content: "b" }, null, 1))).toBe(false);
    expect(closed(one, delta({ content: "b" }, null, 1), delta({}, "length", 1))).toBe(true);
    expect(closed({ choices: [] })).toBe(false);
  });

  test("closes what is still open", () => {
    expect(decode(delta({ content: "a" }), "[DONE]").slice(-3)).toEqual([
      { kind: "block-end", block: 0 },
      { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
      { kind: "reply-end" },
    ]);
  });

  test("X-U11 before anything came is a fault", () => {
    expect(decode("[DONE]")).toEqual([
      { kind: "fault", message: "the stream ended before it began" },
    ]);
  });

  test("is followed by nothing", () => {
    expect(decode(delta({}, "stop"), "[DONE]", delta({ content: "a" }), "[DONE]")).toHaveLength(3);
  });

  test.each<[string, StopReason]>([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "filter"],
    ["tool_calls", "stop"],
    ["eos", "stop"],
  ])("X-U05 X-U06 a reason of %s is %s", (finishReason, stop) => {
    expect(fold(delta({ content: "a" }, finishReason))?.choices[0]?.stop).toBe(stop);
  });

  test("an empty reason is none, and what follows the reason is not of the choice", () => {
    const reply = fold(
      delta({ content: "a" }, ""),
      delta({ content: "b" }, "stop"),
      delta({ content: "c" }, "length"),
    );
    expect(reply?.choices).toEqual([
      { parts: [{ kind: "text", text: "ab" }], stop: "stop", stopSequence: null },
    ]);
  });
});

describe("faults", () => {
  test("X-U09 are what the vendor reports inside the stream", () => {
    expect(
      decode(delta({ content: "a" }), { error: { message: "busy" } }, "[DONE]").at(-1),
    ).toEqual({ kind: "fault", message: "busy" });
    const named = new ChatStreamDecoder().push({ event: "error", data: '{"message":"busy"}' });
    expect(named).toEqual([{ kind: "fault", message: "busy" }]);
  });

  test("are events that cannot be read", () => {
    expect(new ChatStreamDecoder().push({ event: null, data: "<html>" })).toMatchObject([
      { kind: "fault" },
    ]);
  });
});

describe("reasoning", () => {
  const thoughtsOf = (model: string, ...pieces: string[]) =>
    decode(
      ...pieces.map((piece) => ({ ...delta({ reasoning_content: piece }), model })),
      { ...delta({ content: "a" }), model },
      { ...delta({}, "stop"), model },
    ).flatMap((part) => (part.kind === "block-delta" ? part.text : []));

  test("X-H24 is told once where the vendor repeats its pieces", () => {
    const pieces = ["Thinking... ", "Thinking... ", "Thinking... ", "First", "First", "\n", "\n"];
    const once = ["Thinking... ", "First", "\n", "\n", "a"];
    expect(thoughtsOf("grok-4-0709", ...pieces)).toEqual(once);
    expect(thoughtsOf("x-ai/grok-3-mini", ...pieces)).toEqual(once);
    expect(thoughtsOf("deepseek-reasoner", ...pieces)).toEqual([...pieces, "a"]);
  });

  test.each(["reasoning_content", "reasoning"])("X-H12 X-S16 comes first and as %s", (name) => {
    expect(
      decode(
        delta({ role: "assistant", content: "", [name]: "" }),
        delta({ content: null, [name]: "hm" }),
        delta({ content: "a" }),
        delta({}, "stop"),
      ),
    ).toEqual([
      { kind: "reply-start", id: "chatcmpl-1" },
      {
        kind: "block-start",
        block: 0,
        choice: 0,
        content: { kind: "reasoning", isRedacted: false },
      },
      { kind: "block-delta", block: 0, text: "hm" },
      { kind: "block-proof", block: 0, proof: { dialect: "chat", data: "" } },
      { kind: "block-end", block: 0 },
      { kind: "block-start", block: 1, choice: 0, content: { kind: "text" } },
      { kind: "block-delta", block: 1, text: "a" },
      { kind: "block-end", block: 1 },
      { kind: "choice-end", choice: 0, stop: "stop", stopSequence: null },
    ]);
  });

  test("X-H13 and its proof may come in the same chunk as anything else", () => {
    const detail = { type: "reasoning.encrypted", data: "x", index: 0 };
    const reply = fold(
      delta({ reasoning_content: "hm", reasoning_details: [detail], content: "a" }, "stop"),
    );
    expect(reply?.choices[0]?.parts).toEqual([
      {
        kind: "reasoning",
        text: "hm",
        proof: { dialect: "chat", data: JSON.stringify([detail]) },
        isRedacted: false,
      },
      { kind: "text", text: "a" },
    ]);
  });

  test("has details whose pieces add up", () => {
    const type = "reasoning.text";
    const reply = fold(
      delta({ reasoning: "a", reasoning_details: [{ type, text: "a", index: 0 }] }),
      delta({ reasoning: "b", reasoning_details: [{ type, text: "b", index: 0 }] }),
      delta({ reasoning_details: [{ type, signature: "s", index: 0 }] }),
      delta({ content: "c" }, "stop"),
    );
    expect(reply?.choices[0]?.parts[0]).toMatchObject({
      text: "ab",
      proof: { data: JSON.stringify([{ type, text: "ab", index: 0, signature: "s" }]) },
    });
  });
});

describe("calls", () => {
  const first = { index: 0, id: "c0", type: "function", function: { name: "f", arguments: "" } };
  const second = { index: 1, id: "c1", type: "function", function: { name: "g", arguments: "" } };
  const args = (text: string) => ({ function: { arguments: text } });

  test("X-S23 make no filler text, and end the text before them", () => {
    const parts = decode(delta({ content: "so" }), piece(first), delta({}, "tool_calls"));
    expect(parts.map(({ kind }) => kind)).toEqual([
      "reply-start",
      "block-start",
      "block-delta",
      "block-end",
      "block-start",
      "block-end",
      "choice-end",
    ]);
    expect(
      fold(piece(first), delta({ content: "" }, "tool_calls"))?.choices[0]?.parts,
    ).toHaveLength(1);
  });

  test("X-S08 decide the reason for the end, whatever the vendor calls it", () => {
    for (const reason of ["tool_calls", "stop", "function_call"]) {
      expect(fold(piece(first), delta({}, reason))?.choices[0]?.stop).toBe("calls");
    }
    expect(fold(piece(first), delta({}, "length"))?.choices[0]?.stop).toBe("length");
    expect(fold(piece(first))?.choices[0]?.stop).toBe("calls");
  });

  test("X-S01 whose pieces come interleaved are kept apart", () => {
    expect(
      inputsOf(
        piece(first),
        piece(second),
        piece({ index: 1, ...args('{"b"') }),
        piece({ index: 0, ...args('{"a"') }),
        delta({
          tool_calls: [
            { index: 0, ...args(":1}") },
            { index: 1, ...args(":2}") },
          ],
        }),
      ),
    ).toEqual([
      ["c0", "f", '{"a":1}'],
      ["c1", "g", '{"b":2}'],
    ]);
  });

  test("X-S04 have pieces that may be JSON themselves and are appended", () => {
    expect(
      inputsOf(
        piece(first),
        piece({ index: 0, ...args("{}") }),
        piece({ index: 0, ...args("{}") }),
      ),
    ).toEqual([["c0", "f", "{}{}"]]);
  });

  test("X-S05 without any input have an empty object", () => {
    expect(inputsOf(piece(first), piece({ index: 0, ...args("") }))).toEqual([["c0", "f", "{}"]]);
  });

  test("have later pieces without an index, or that repeat id and name", () => {
    expect(
      inputsOf(
        piece(first),
        piece(args('{"a"')),
        piece({ ...first, ...args(":1}") }),
        piece(second),
        piece({ id: "c1", function: { name: "g", arguments: "{" } }),
        piece({ id: "", index: 1, function: { name: "g", arguments: "}" } }),
      ),
    ).toEqual([
      ["c0", "f", '{"a":1}'],
      ["c1", "g", "{}"],
    ]);
  });

  test("that a vendor numbers alike are told apart by their ids", () => {
    expect(
      inputsOf(
        piece({ index: 0, id: "a", function: { name: "f", arguments: "{" } }),
        piece({ index: 0, ...args("}") }),
        piece({ index: 0, id: "b", function: { name: "f", arguments: "[" } }),
        piece({ index: 0, ...args("]") }),
      ),
    ).toEqual([
      ["a", "f", "{}"],
      ["b", "f", "[]"],
    ]);
  });

  test("that a vendor does not number or name are told apart by the tool", () => {
    expect(
      inputsOf(
        piece({ function: { name: "f", arguments: { a: 1 } } }),
        piece({ function: { name: "g", arguments: "{}" } }),
      ),
    ).toEqual([
      ["call_chatcmpl-1_0", "f", '{"a":1}'],
      ["call_chatcmpl-1_1", "g", "{}"],
    ]);
  });

  test("wait for their name", () => {
    expect(
      inputsOf(
        piece({ index: 0, id: "c", function: { arguments: "{" } }),
        piece({ index: 0, function: { name: "f", arguments: "}" } }),
      ),
    ).toEqual([["c", "f", "{}"]]);
  });

  test("X-T26 of custom tools carry free text", () => {
    const reply = fold(
      piece({ index: 0, id: "c", type: "custom", custom: { name: "sql", input: "" } }),
      piece({ index: 0, custom: { input: "SELECT 1" } }),
    );
    expect(reply?.choices[0]?.parts).toEqual([
      { kind: "call", id: "c", name: "sql", input: "SELECT 1", isCustom: true },
    ]);
  });

  test("carry the signature that Google's own endpoint gives them, once", () => {
    const extra_content = { google: { thought_signature: "s" } };
    const reply = fold(piece({ ...first, extra_content }), piece({ index: 0, extra_content }));
    expect(reply?.choices[0]?.parts).toMatchObject([
      { proof: { dialect: "chat", data: "s", on: "call" } },
    ]);
  });

  test("of functions have no id and get one", () => {
    const reply = fold(
      delta({ function_call: { name: "f", arguments: "" } }),
      delta({ function_call: { arguments: "{}" } }),
      delta({}, "function_call"),
    );
    expect(reply?.choices[0]).toMatchObject({
      parts: [{ kind: "call", id: "call_chatcmpl-1_0", input: "{}" }],
      stop: "calls",
    });
  });
});

test("several choices are kept apart, and an index that cannot be is the first", () => {
  const reply = fold(
    delta({ content: "a" }, null, 1),
    delta({ content: "b" }, null, 0),
    delta({ content: "c" }, "length", 1),
    delta({ content: "d" }, null, 1e9),
  );
  expect(reply?.choices).toEqual([
    { parts: [{ kind: "text", text: "bd" }], stop: "stop", stopSequence: null },
    { parts: [{ kind: "text", text: "ac" }], stop: "length", stopSequence: null },
  ]);
});

test("refusals and citations stand where they belong", () => {
  const url_citation = { start_index: 3, end_index: 5, title: "t", url: "u" };
  const reply = fold(
    delta({ content: "abc" }),
    delta({ reasoning: "hm" }),
    delta({ content: "def", annotations: [{ type: "url_citation", url_citation }] }),
    delta({ refusal: "no" }, "stop"),
  );
  expect(reply?.choices[0]?.parts).toMatchObject([
    { kind: "text", text: "abc" },
    { kind: "reasoning", text: "hm" },
    {
      kind: "text",
      text: "def",
      citations: [{ url: "u", title: "t", quote: null, start: 0, end: 2, document: null }],
    },
    { kind: "refusal", text: "no" },
  ]);
});

test("a stream is the same wherever its bytes are cut", async () => {
  const bytes = await Bun.file(`${import.meta.dir}/fixtures/calls.sse`).bytes();
  const decodeCut = (at: number): StreamPart[] => {
    const splitter = new SseSplitter();
    const decoder = new ChatStreamDecoder();
    return [bytes.slice(0, at), bytes.slice(at)].flatMap((chunk) =>
      (splitter.push(chunk)?.events ?? []).flatMap((event) => decoder.push(event)),
    );
  };
  const whole = decodeCut(bytes.length);
  expect(whole.at(-1)).toEqual({ kind: "reply-end" });
  expect(foldParts(whole)?.choices[0]?.parts.map(({ kind }) => kind)).toEqual([
    "reasoning",
    "text",
    "call",
    "call",
  ]);
  for (let at = 0; at < bytes.length; at++) expect(decodeCut(at)).toEqual(whole);
});

test("an event about the prompt alone does not name the reply", () => {
  const decoder = new ChatStreamDecoder();
  const bare = { id: "", model: "", object: "", created: 0, choices: [] };
  expect(decoder.read({ ...bare, prompt_filter_results: [] })).toEqual([]);
  const [start] = decoder.read({ id: "chatcmpl-1", ...delta({ content: "a" }) });
  expect(start).toEqual({ kind: "reply-start", id: "chatcmpl-1" });
  const judged = { index: 0, finish_reason: null, content_filter_results: {} };
  expect(decoder.read({ ...bare, choices: [judged] })).toEqual([]);
});
