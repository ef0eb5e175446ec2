import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { ReplyPart, StopReason } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import type { StreamPart } from "../stream-part.ts";
import { completions } from "./index.ts";

function frameOf(fields: JsonObject = {}): ReplyFrame {
  const body = { model: "public", prompt: "Once", ...fields };
  const request = completions.read(body, null);
  const exchange = completions.client?.decodeRequest(body, request);
  if (!exchange) throw new Error("completions have no client side");
  return { requestId: "r1", createdAtSeconds: 17, exchange, request, body };
}

const usage = {
  inputTokens: 5,
  outputTokens: 3,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const image: ReplyPart = {
  kind: "media",
  media: "image",
  source: { kind: "url", url: "https://example.com/a.png", type: null },
  at: "",
};

describe("a whole reply", () => {
  const encode = (parts: ReplyPart[], stop: StopReason = "stop") =>
    completions.client?.encodeReply(
      { id: null, choices: [{ parts, stop, stopSequence: null }], usage },
      frameOf(),
    );

  test("has the shape of a text completion, and its text alone", () => {
    expect(
      encode([
        { kind: "reasoning", text: "hm", proof: null, isRedacted: false },
        { kind: "text", text: " upon" },
        { kind: "refusal", text: " no" },
        image,
      ]),
    ).toEqual({
      id: "cmpl-r1",
      object: "text_completion",
      created: 17,
      model: "public",
      choices: [
        {
          text: " upon no![image](https://example.com/a.png)",
          index: 0,
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 3,
        total_tokens: 8,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  test.each<[StopReason, string]>([
    ["stop-sequence", "stop"],
    ["length", "length"],
    ["context", "length"],
    ["pause", "length"],
    ["filter", "content_filter"],
    ["calls", "stop"],
  ])("that ended by %s says %s", (stop, finishReason) => {
    expect(encode([], stop)).toMatchObject({ choices: [{ finish_reason: finishReason }] });
  });
});

describe("a streamed reply", () => {
  const parts: StreamPart[] = [
    { kind: "reply-start", id: "x" },
    { kind: "block-start", block: 0, choice: 0, content: { kind: "reasoning", isRedacted: false } },
    { kind: "block-delta", block: 0, text: "hm" },
    { kind: "block-end", block: 0 },
    { kind: "block-start", block: 1, choice: 0, content: { kind: "text" } },
    { kind: "block-delta", block: 1, text: " upon" },
    { kind: "block-delta", block: 1, text: "" },
    { kind: "block-end", block: 1 },
    { kind: "usage", usage },
    { kind: "choice-end", choice: 0, stop: "length", stopSequence: null },
    { kind: "reply-end" },
  ];
  const encode = (fields?: JsonObject) => {
    const encoder = completions.client?.encodeStream(frameOf(fields));
    return parts.map((part) => encoder?.push(part) ?? "").join("");
  };

  test("has chunks of text, then the reason, then the marker", () => {
    const head = '{"id":"cmpl-r1","object":"text_completion","created":17,"model":"public",';
    expect(readEvents(encode()).map(({ data }) => data)).toEqual([
      `${head}"choices":[{"index":0,"text":" upon","logprobs":null,"finish_reason":null}]}`,
      `${head}"choices":[{"index":0,"text":"","logprobs":null,"finish_reason":"length"}]}`,
      "[DONE]",
    ]);
  });

  test("X-U20 shows its usage to who asked for it", () => {
    const events = readEvents(encode({ stream_options: { include_usage: true } }));
    expect(JSON.parse(events.at(-2)?.data ?? "")).toMatchObject({
      choices: [],
      usage: { total_tokens: 8 },
    });
  });

  test("is counted like any other that passes through", () => {
    const events = readEvents(encode({ stream_options: { include_usage: true } }));
    const request = completions.read({ model: "m", prompt: "a" }, null);
    const observer = completions.observe(request);
    expect(events.map((event) => observer.see(event).kind)).toEqual([
      "pass",
      "pass",
      "hide",
      "end",
    ]);
    expect(observer.observed().usage).toEqual(usage);
  });
});

test("the texts of a request and of a reply are told", () => {
  expect(completions.requestTexts({ prompt: ["a", "b"], suffix: "c" })).toEqual(["a", "b", "c"]);
  expect(completions.requestTexts({ prompt: [1, 2] })).toEqual([]);
  expect(completions.replyTexts({ choices: [{ text: "a" }, { text: "b" }, {}] })).toEqual([
    "a",
    "b",
  ]);
});
