import { describe, expect, test } from "bun:test";
import type { Reply, ReplyPart, SearchPart, StopReason } from "../exchange.ts";
import { encodeResponsesReply } from "./encode-reply.ts";
import { frameOf, usageOf } from "./fixtures/shapes.ts";
import { responses } from "./index.ts";

function replyOf(parts: ReplyPart[], stop: StopReason = "stop"): Reply {
  return { id: "up-1", choices: [{ parts, stop, stopSequence: null }], usage: usageOf(3, 5) };
}

type KeptPart = Exclude<ReplyPart, SearchPart>;

const outputOf = (parts: ReplyPart[], stop?: StopReason) =>
  encodeResponsesReply(replyOf(parts, stop), frameOf())["output"];

describe("the response object", () => {
  test("T9 has the request's settings in it, with the vendor's defaults", () => {
    expect(encodeResponsesReply(replyOf([]), frameOf())).toEqual({
      id: "resp_r1",
      object: "response",
      created_at: 1_700_000_000,
      status: "completed",
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      model: "m",
      output: [],
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: "default",
      store: true,
      temperature: 1,
      text: { format: { type: "text" }, verbosity: "medium" },
      tool_choice: "auto",
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: "disabled",
      usage: expect.anything(),
      user: null,
      metadata: {},
    });
    const given = {
      instructions: "be brief",
      max_output_tokens: 40,
      metadata: { a: "1" },
      parallel_tool_calls: false,
      reasoning: { effort: "low" },
      store: false,
      temperature: 0,
      text: { format: { type: "json_object" } },
      tool_choice: "required",
      tools: [{ type: "function", name: "f" }],
      top_p: 0,
    };
    expect(encodeResponsesReply(replyOf([]), frameOf(given))).toMatchObject({
      ...given,
      reasoning: { effort: "low", summary: null },
      text: { format: { type: "json_object" }, verbosity: "medium" },
    });
  });

  test("T9 X-U18 usage carries both sets of names", () => {
    const usage = {
      inputTokens: 10,
      outputTokens: 6,
      cacheReadTokens: 4,
      cacheWriteTokens: 1,
      reasoningTokens: 5,
    };
    expect(encodeResponsesReply({ ...replyOf([]), usage }, frameOf())["usage"]).toEqual({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 16,
      prompt_tokens: 10,
      completion_tokens: 6,
    });
  });

  test.each<[StopReason, string, object | null]>([
    ["stop", "completed", null],
    ["stop-sequence", "completed", null],
    ["calls", "completed", null],
    ["length", "incomplete", { reason: "max_output_tokens" }],
    ["context", "incomplete", { reason: "max_output_tokens" }],
    ["filter", "incomplete", { reason: "content_filter" }],
    ["pause", "incomplete", { reason: "max_output_tokens" }],
    ["malformed", "failed", null],
  ])("X-U06 an answer that ended by %s is %s", (stop, status, incomplete_details) => {
    const response = encodeResponsesReply(replyOf([{ kind: "text", text: "a" }], stop), frameOf());
    expect(response).toMatchObject({ status, incomplete_details });
    expect(response["error"] !== null).toBe(status === "failed");
  });
});

describe("the output", () => {
  test("texts that follow each other are parts of one message", () => {
    expect(
      outputOf([
        { kind: "text", text: "a" },
        { kind: "text", text: "b" },
        { kind: "refusal", text: "no" },
      ]),
    ).toEqual([
      {
        id: "msg_r1_0",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [
          { type: "output_text", text: "a", annotations: [], logprobs: [] },
          { type: "output_text", text: "b", annotations: [], logprobs: [] },
          { type: "refusal", refusal: "no" },
        ],
      },
    ]);
  });

  test("X-S05 calls are items of their own, with an empty object for no arguments", () => {
    expect(
      outputOf([
        { kind: "text", text: "a" },
        { kind: "call", id: "c1", name: "f", input: "", isCustom: false },
        { kind: "call", id: "c2", name: "sql", input: "select 1", isCustom: true },
      ]),
    ).toMatchObject([
      { type: "message" },
      {
        id: "fc_r1_1",
        type: "function_call",
        status: "completed",
        call_id: "c1",
        name: "f",
        arguments: "{}",
      },
      { id: "ctc_r1_2", type: "custom_tool_call", call_id: "c2", input: "select 1" },
    ]);
  });

  test("only the last item of a cut answer is incomplete", () => {
    const parts: ReplyPart[] = [
      { kind: "text", text: "a" },
      { kind: "call", id: "c1", name: "f", input: '{"a', isCustom: false },
    ];
    expect(outputOf(parts, "length")).toMatchObject([
      { status: "completed" },
      { status: "incomplete", arguments: '{"a' },
    ]);
  });

  test("X-M09 citations are annotations", () => {
    const none = { quote: null, start: null, end: null, document: null };
    const citations = [
      { ...none, url: "https://example.com", title: "Docs", start: 1, end: 4 },
      { ...none, url: null, title: "Report", quote: "it is so", document: 2 },
      { ...none, url: "https://example.com/all", title: null },
    ];
    expect(outputOf([{ kind: "text", text: "a cited text", citations }])).toMatchObject([
      {
        content: [
          {
            annotations: [
              {
                type: "url_citation",
                url: "https://example.com",
                title: "Docs",
                start_index: 1,
                end_index: 4,
              },
              {
                type: "file_citation",
                file_id: "document_2",
                filename: "Report",
                index: 0,
                quote: "it is so",
              },
              { url: "https://example.com/all", start_index: 0, end_index: 12 },
            ],
          },
        ],
      },
    ]);
  });

  test("images are shown as images, and what cannot be as a link", () => {
    const image = { kind: "media" as const, media: "image" as const, at: "output" };
    expect(
      outputOf([
        { ...image, source: { kind: "bytes", type: "image/webp", base64: "AAAA" } },
        { ...image, source: { kind: "url", url: "https://example.com/a.png", type: null } },
      ]),
    ).toMatchObject([
      {
        id: "ig_r1_0",
        type: "image_generation_call",
        status: "completed",
        output_format: "webp",
        result: "AAAA",
      },
      { content: [{ text: "![image](https://example.com/a.png)" }] },
    ]);
  });
});

describe("proofs come back as they went out", () => {
  /** The output, decoded as the client's next input. */
  function returned(parts: ReplyPart[]) {
    const input = outputOf(parts) ?? [];
    const body = { model: "m", input };
    const exchange = responses.client?.decodeRequest(body, responses.read(body, null));
    return exchange?.turns.flatMap((turn) => turn.parts);
  }

  test("X-H07 thinking comes back shown, hidden or redacted, and empty thinking is left out", () => {
    const proof = { dialect: "messages" as const, data: "sig:with:colons" };
    const kept: KeptPart[] = [
      { kind: "reasoning", text: "why", proof, isRedacted: false },
      { kind: "reasoning", text: "", proof, isRedacted: false },
      { kind: "reasoning", text: "", proof, isRedacted: true },
      { kind: "reasoning", text: "hmm", proof: { dialect: "chat", data: "" }, isRedacted: false },
      { kind: "reasoning", text: "plain", proof: null, isRedacted: false },
    ];
    const empty: KeptPart[] = [
      { kind: "reasoning", text: "", proof: null, isRedacted: false },
      { kind: "reasoning", text: "", proof: { ...proof, data: "" }, isRedacted: true },
    ];
    expect(returned([...kept, ...empty])).toEqual(kept);
  });

  test("X-H04 signatures of calls and texts come back, each on its own part", () => {
    const proof = (data: string, on: "call" | "text") => ({
      dialect: "content" as const,
      data,
      on,
    });
    const parts: KeptPart[] = [
      { kind: "text", text: "a" },
      { kind: "text", text: "b", proof: proof("s1", "text") },
      {
        kind: "call",
        id: "c1",
        name: "f",
        input: "{}",
        isCustom: false,
        proof: proof("s2", "call"),
      },
      { kind: "call", id: "c2", name: "f", input: "{}", isCustom: false },
    ];
    expect(returned(parts)).toEqual(parts);
  });
});
