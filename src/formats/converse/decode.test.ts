// Replies of Converse, where the golden files do not say it.
import { describe, expect, test } from "bun:test";
import { foldParts } from "../kit/fold.ts";
import { decodeConverseReply } from "./decode-reply.ts";
import { ConverseStreamDecoder } from "./decode-stream.ts";
import { readConverseStop } from "./stop-reason.ts";
import { readConverseUsage } from "./usage.ts";

describe("usage", () => {
  test("leaves the cache out of the input and has it in the total", () => {
    const usage = readConverseUsage({
      inputTokens: 2,
      outputTokens: 5,
      totalTokens: 1329,
      cacheReadInputTokens: 0,
      cacheWriteInputTokens: 1322,
      cacheDetails: [
        { ttl: "1h", inputTokens: 1000 },
        { ttl: "5m", inputTokens: 322 },
      ],
    });
    expect(usage).toEqual({
      inputTokens: 1324,
      outputTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 1322,
      cacheWriteHourTokens: 1000,
      reasoningTokens: 0,
    });
  });

  test("is read by either name of the cache's counts", () => {
    const counts = { inputTokens: 1, outputTokens: 1, cacheReadInputTokenCount: 7 };
    expect(readConverseUsage(counts)).toMatchObject({ inputTokens: 8, cacheReadTokens: 7 });
  });

  test.each([null, {}, { inputTokens: -1, outputTokens: 2 }, { inputTokens: 3 }])(
    "that says nothing is none: %p",
    (report) => {
      expect(readConverseUsage(report)).toBeNull();
    },
  );
});

test.each([
  ["end_turn", "stop"],
  ["tool_use", "calls"],
  ["max_tokens", "length"],
  ["stop_sequence", "stop-sequence"],
  ["guardrail_intervened", "filter"],
  ["content_filtered", "filter"],
  ["malformed_model_output", "malformed"],
  ["malformed_tool_use", "malformed"],
  ["model_context_window_exceeded", "context"],
  ["something_new", "other"],
  [undefined, "stop"],
])("the end %p is %s", (word, stop) => {
  expect(readConverseStop(word)).toBe(stop as ReturnType<typeof readConverseStop>);
});

test("a citation of a document says which and what", () => {
  const citation = {
    title: "Notes",
    sourceContent: [{ text: "Remember the milk." }],
    location: { documentChar: { documentIndex: 1, start: 0, end: 18 } },
  };
  const content = [{ citationsContent: { content: [{ text: "Milk." }], citations: [citation] } }];
  const reply = decodeConverseReply({ output: { message: { content } }, stopReason: "end_turn" });
  const [part] = reply?.choices[0]?.parts ?? [];
  const told = { url: null, title: "Notes", quote: "Remember the milk.", document: 1 };
  expect(part).toMatchObject({ kind: "text", text: "Milk.", citations: [told] });
});

test("what has no message is no reply", () => {
  for (const body of [null, [], {}, { output: {} }, { message: "no" }]) {
    expect(decodeConverseReply(body)).toBeNull();
  }
});

describe("a stream", () => {
  const read = (events: readonly [string, object][]) => {
    const decoder = new ConverseStreamDecoder();
    const parts = events.flatMap(([event, data]) =>
      decoder.push({ event, data: JSON.stringify(data) }),
    );
    return [...parts, ...decoder.close()];
  };
  const delta = (at: number, piece: object): [string, object] => [
    "contentBlockDelta",
    { contentBlockIndex: at, delta: piece },
  ];
  const stop: [string, object] = ["messageStop", { stopReason: "end_turn" }];

  test("that closes behind its end is whole though nothing was counted", () => {
    const reply = foldParts(read([["messageStart", {}], delta(0, { text: "Hi." }), stop]));
    expect(reply).toMatchObject({ usage: null });
    expect(reply?.choices[0]?.parts).toEqual([{ kind: "text", text: "Hi." }]);
  });

  test("that closes before its end is cut", () => {
    expect(foldParts(read([["messageStart", {}], delta(0, { text: "Hi." })]))).toBeNull();
  });

  test("ends with its report, and what follows that is nobody's", () => {
    const report: [string, object] = ["metadata", { usage: { inputTokens: 1, outputTokens: 2 } }];
    const parts = read([["messageStart", {}], delta(0, { text: "a" }), stop, report, report]);
    expect(parts.at(-1)).toEqual({ kind: "reply-end" });
    expect(parts.filter(({ kind }) => kind === "usage")).toHaveLength(1);
  });

  test("begins a block where the kind changes at one place", () => {
    const parts = read([
      delta(0, { reasoningContent: { text: "Hm" } }),
      delta(0, { reasoningContent: { signature: "sig" } }),
      delta(0, { text: "Hi." }),
      stop,
    ]);
    expect(foldParts(parts)?.choices[0]?.parts).toMatchObject([
      { kind: "reasoning", text: "Hm", proof: { dialect: "converse", data: "sig" } },
      { kind: "text", text: "Hi." },
    ]);
  });

  test("of what is no JSON has failed", () => {
    const decoder = new ConverseStreamDecoder();
    expect(decoder.push({ event: "messageStart", data: "{" })).toMatchObject([{ kind: "fault" }]);
  });
});
