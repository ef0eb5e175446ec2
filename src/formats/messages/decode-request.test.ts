import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, Part } from "../exchange.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { sealProof } from "../kit/proof.ts";
import { decodeRequest } from "./decode-request.ts";
import { readMessagesRequest } from "./read.ts";
import { toCarrier } from "./wire/proof-slot.ts";
import { statusOf } from "../../http/envelopes/status.ts";

function decode(set: JsonObject): Exchange {
  const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "hi" }], ...set };
  return decodeRequest(body, readMessagesRequest(body));
}

function partsOf(content: JsonObject[string], role: string = "user"): Part[] {
  return decode({ messages: [{ role, content }] }).turns[0]?.parts ?? [];
}

function paramOf(set: JsonObject): string | null {
  try {
    decode(set);
  } catch (error) {
    if (error instanceof GatewayError && statusOf(error) === 400) return error.param;
  }
  throw new Error("it was taken");
}

describe("content", () => {
  test("T13 is a string or blocks, and system text likewise", () => {
    const exchange = decode({ system: "be brief" });
    expect(exchange.system).toEqual([{ kind: "text", text: "be brief" }]);
    expect(exchange.turns).toEqual([{ role: "user", parts: [{ kind: "text", text: "hi" }] }]);
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const blocks = decode({
      system: [
        { type: "text", text: "a", cache_control },
        { type: "text", text: "b" },
      ],
    });
    expect(blocks.system).toEqual([
      { kind: "text", text: "a", cache: { ttl: "1h" } },
      { kind: "text", text: "b" },
    ]);
  });

  test("X-M03 a system message in the list is an instruction at its place", () => {
    const { turns } = decode({
      messages: [
        { role: "user", content: "a" },
        { role: "system", content: [{ type: "text", text: "b" }] },
        { role: "user", content: "c" },
      ],
    });
    expect(turns.map(({ role }) => role)).toEqual(["user", "system", "user"]);
  });

  test("X-M13 an image is bytes whose type they tell themselves, or an address", () => {
    const png = "iVBORw0KGgoAAAANSUhEUg==";
    const parts = partsOf([
      { type: "image", source: { type: "base64", media_type: "image/jpg", data: png } },
      { type: "image", source: { type: "base64", media_type: "image/jpg", data: "AAAA" } },
      { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
      { type: "image", source: { type: "file", file_id: "file_1" } },
    ]);
    expect(parts).toEqual([
      {
        kind: "media",
        media: "image",
        source: { kind: "bytes", type: "image/png", base64: png },
        at: "messages.0.content.0",
      },
      {
        kind: "media",
        media: "image",
        source: { kind: "bytes", type: "image/jpeg", base64: "AAAA" },
        at: "messages.0.content.1",
      },
      {
        kind: "media",
        media: "image",
        source: { kind: "url", url: "https://example.com/a.png", type: null },
        at: "messages.0.content.2",
      },
      {
        kind: "media",
        media: "image",
        source: { kind: "file", id: "file_1", dialect: "messages" },
        at: "messages.0.content.3",
      },
    ]);
  });

  test("a document keeps its title, and what is said about it stands before it", () => {
    const parts = partsOf([
      {
        type: "document",
        title: "T",
        context: "old",
        source: { type: "text", media_type: "text/plain", data: "words" },
      },
      {
        type: "document",
        title: "U",
        source: { type: "content", content: [{ type: "text", text: "inner" }] },
      },
    ]);
    expect(parts).toEqual([
      { kind: "text", text: "old" },
      {
        kind: "media",
        media: "document",
        source: { kind: "text", text: "words" },
        name: "T",
        at: "messages.0.content.0",
      },
      { kind: "text", text: "U" },
      { kind: "text", text: "inner" },
    ]);
  });

  test("a search result is text", () => {
    const block = {
      type: "search_result",
      source: "https://a",
      title: "A",
      content: [{ type: "text", text: "b" }],
    };
    expect(partsOf([block])).toEqual([{ kind: "text", text: "A\nhttps://a\nb" }]);
  });

  test("X-T10 X-T11 X-T13 X-T16 results of tools keep text, images, emptiness and the error flag", () => {
    const image = { type: "image", source: { type: "url", url: "https://a/b.png" } };
    const parts = partsOf([
      { type: "tool_result", tool_use_id: "a", content: "plain" },
      {
        type: "tool_result",
        tool_use_id: "b",
        content: [{ type: "text", text: "x" }, image],
        is_error: true,
      },
      { type: "tool_result", tool_use_id: "c" },
    ]);
    expect(parts).toMatchObject([
      { kind: "result", callId: "a", content: [{ text: "plain" }], isError: false },
      {
        kind: "result",
        callId: "b",
        content: [{ text: "x" }, { kind: "media", at: "messages.0.content.1.content.1" }],
        isError: true,
      },
      { kind: "result", callId: "c", content: [], isError: false },
    ]);
  });

  test("X-T16 a result without content still answers its call", () => {
    const { turns } = toNormalForm(
      decode({
        messages: [
          { role: "user", content: "a" },
          { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c" }] },
        ],
      }),
    );
    expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(turns[2]?.parts).toMatchObject([
      { kind: "result", callId: "c", name: "f", isError: false },
    ]);
  });

  test("calls carry their input as JSON", () => {
    const block = { type: "tool_use", id: "c", name: "f", input: { a: [1] } };
    expect(partsOf([block], "assistant")).toEqual([
      { kind: "call", id: "c", name: "f", input: '{"a":[1]}', isCustom: false },
    ]);
  });

  test("blocks of the vendor's own tools are left out and told, their texts stay", () => {
    const exchange = decode({
      messages: [
        {
          role: "assistant",
          content: [
            { type: "server_tool_use", id: "s", name: "web_fetch", input: {} },
            { type: "web_fetch_tool_result", tool_use_id: "s", content: {} },
            { type: "text", text: "found" },
          ],
        },
      ],
    });
    expect(exchange.turns[0]?.parts).toEqual([{ kind: "text", text: "found" }]);
    expect(exchange.ignored).toEqual(["messages.0.content.0", "messages.0.content.1"]);
  });

  test("X-T33 searches of the history are told in words", () => {
    const page = { type: "web_search_result", url: "https://a.example", title: "A" };
    const call = { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } };
    const result = { type: "web_search_tool_result", tool_use_id: "s" };
    const content = [
      call,
      { ...result, content: [page] },
      { ...result, content: { type: "web_search_tool_result_error", error_code: "unavailable" } },
      { ...result, tool_use_id: "t", content: [] },
    ];
    const exchange = decode({ messages: [{ role: "assistant", content }] });
    expect(exchange.turns[0]?.parts).toEqual([
      { kind: "text", text: '\n[Searched the web for "q", and found:\n- A <https://a.example>]\n' },
      { kind: "text", text: '\n[Searched the web for "q": unavailable]\n' },
    ]);
    expect(exchange.ignored).toEqual(["messages.0.content.3"]);
  });

  test("a block that nobody else has is refused by its place", () => {
    const messages = [{ role: "user", content: [{ type: "container_upload", file_id: "f" }] }];
    expect(paramOf({ messages })).toBe("messages.0.content.0");
    expect(
      paramOf({ system: [{ type: "image", source: { type: "url", url: "https://a" } }] }),
    ).toBe("system.0");
  });
});

describe("thinking in the history", () => {
  test("X-H01 keeps the vendor's own proof, and opens the seal of another's", () => {
    const sealed = sealProof({ dialect: "responses", data: "enc:1", id: "rs_1" });
    const parts = partsOf(
      [
        { type: "thinking", thinking: "a", signature: "own" },
        { type: "thinking", thinking: "b", signature: sealed },
        { type: "thinking", thinking: "c", signature: "" },
      ],
      "assistant",
    );
    expect(parts).toEqual([
      {
        kind: "reasoning",
        text: "a",
        proof: { dialect: "messages", data: "own" },
        isRedacted: false,
      },
      {
        kind: "reasoning",
        text: "b",
        proof: { dialect: "responses", data: "enc:1", id: "rs_1" },
        isRedacted: false,
      },
      { kind: "reasoning", text: "c", proof: null, isRedacted: false },
    ]);
  });

  test("X-H07 redacted thinking is kept, an empty one is not", () => {
    const blocks = [
      { type: "redacted_thinking", data: "x" },
      { type: "redacted_thinking", data: "" },
    ];
    expect(partsOf(blocks, "assistant")).toEqual([
      { kind: "reasoning", text: "", proof: { dialect: "messages", data: "x" }, isRedacted: true },
    ]);
  });

  test("X-H04 the proof of a call comes back on that call, whether it stood before or behind", () => {
    const proof = { dialect: "content", data: "g", on: "call" } as const;
    const first = { type: "tool_use", id: "1", name: "f", input: {} };
    const second = { type: "tool_use", id: "2", name: "f", input: {} };
    expect(partsOf([toCarrier(proof, false), first, second], "assistant")).toMatchObject([
      { id: "1", proof },
      { id: "2" },
    ]);
    const behind = partsOf([first, toCarrier(proof, true), second], "assistant");
    expect(behind).toMatchObject([
      { id: "1", proof: { dialect: "content", data: "g", on: "call" } },
      { id: "2" },
    ]);
    expect(behind[1]).not.toHaveProperty("proof");
  });
});

describe("tools", () => {
  test("have their schema, strictness and cache mark", () => {
    const { tools } = decode({
      tools: [
        {
          name: "a",
          description: "d",
          input_schema: { type: "object" },
          strict: true,
          cache_control: { type: "ephemeral" },
        },
        { type: "custom", name: "b" },
      ],
    });
    expect(tools).toEqual([
      {
        name: "a",
        description: "d",
        schema: { type: "object" },
        isStrict: true,
        custom: null,
        cache: { ttl: null },
      },
      { name: "b", description: null, schema: null, isStrict: null, custom: null },
    ]);
  });

  test("X-T28 come and go in the conversation, and the latest of one name counts", () => {
    const tool = (type: string, fields: JsonObject) => ({ type, tool: fields });
    const defined = (definition: JsonObject) => ({ type: "tool_definition", definition });
    const content = [
      tool("tool_removal", { type: "tool_reference", name: "a" }),
      tool("tool_removal", { type: "tool_reference", name: "b" }),
      tool("tool_addition", { type: "tool_reference", name: "b" }),
      tool("tool_addition", defined({ name: "c", description: "new" })),
      tool("tool_addition", defined({ type: "bash_20250124", name: "bash" })),
      { type: "text", text: "go on" },
    ];
    const { tools, turns, ignored } = decode({
      tools: [{ name: "a" }, { name: "b" }, { name: "c", description: "old" }],
      messages: [{ role: "user", content }],
    });
    expect(tools).toMatchObject([{ name: "b" }, { name: "c", description: "new" }]);
    expect(turns).toEqual([{ role: "user", parts: [{ kind: "text", text: "go on" }] }]);
    expect(ignored).toEqual(["messages.0.content.4.tool.definition"]);
    const nameless = tool("tool_addition", defined({ input_schema: {} }));
    expect(paramOf({ messages: [{ role: "user", content: [nameless] }] })).toBe(
      "messages.0.content.0.tool.definition.name",
    );
  });

  test("are chosen in the neutral words", () => {
    const choose = (tool_choice: JsonObject) => decode({ tools: [{ name: "a" }], tool_choice });
    expect(choose({ type: "auto" })).toMatchObject({
      toolChoice: { kind: "auto" },
      parallelCalls: null,
    });
    expect(choose({ type: "none" }).toolChoice).toEqual({ kind: "none" });
    expect(choose({ type: "any", disable_parallel_tool_use: true })).toMatchObject({
      toolChoice: { kind: "required" },
      parallelCalls: false,
    });
    expect(choose({ type: "tool", name: "a" }).toolChoice).toEqual({
      kind: "tool",
      name: "a",
      isCustom: false,
    });
    expect(paramOf({ tool_choice: { type: "tool" } })).toBe("tool_choice.name");
    expect(paramOf({ tool_choice: { type: "maybe" } })).toBe("tool_choice.type");
  });

  test("X-T31 of the vendor are left out and told but for its search, unless they must be called", () => {
    const search = { type: "web_search_20250305", name: "web_search" };
    const toolset = { type: "mcp_toolset", mcp_server_name: "s" };
    const wishes = { max_uses: 3, allowed_domains: ["a.example"], user_location: { city: "Oslo" } };
    const {
      tools,
      search: carried,
      ignored,
    } = decode({
      tools: [{ ...search, ...wishes }, { name: "a", input_examples: [] }, toolset, search],
    });
    expect(carried).toMatchObject({
      at: "tools.0",
      usesMax: 3,
      allowedDomains: ["a.example"],
      blockedDomains: [],
      location: { city: "Oslo" },
    });
    expect(tools.map(({ name }) => name)).toEqual(["a"]);
    expect(ignored).toEqual(["tools.1.input_examples", "tools.2", "tools.3"]);
    expect(paramOf({ tools: [search], tool_choice: { type: "tool", name: "web_search" } })).toBe(
      "tool_choice",
    );
    expect(paramOf({ tools: [search], tool_choice: { type: "any" } })).toBe("tool_choice");
    expect(paramOf({ tools: [{ description: "no name" }] })).toBe("tools.0.name");
  });
});

describe("reasoning", () => {
  const reasoningOf = (set: JsonObject) => decode(set).reasoning;

  test("X-H09 that is disabled is none, and the stop sequences are still there", () => {
    const exchange = decode({ thinking: { type: "disabled" }, stop_sequences: ["END"] });
    expect(exchange).toMatchObject({ reasoning: { effort: "none" }, stop: ["END"] });
  });

  test("T13 is told by a budget, by an effort in either place, or left to the model", () => {
    expect(reasoningOf({})).toBeNull();
    expect(reasoningOf({ effort: "xhigh" })).toEqual({
      effort: "xhigh",
      budgetTokens: null,
      isShown: null,
    });
    expect(reasoningOf({ thinking: { type: "enabled", budget_tokens: 2000 } })).toEqual({
      effort: null,
      budgetTokens: 2000,
      isShown: true,
    });
    const adaptive = { thinking: { type: "adaptive", display: "omitted" }, effort: "low" };
    expect(reasoningOf({ ...adaptive, output_config: { effort: "high" } })).toEqual({
      effort: "high",
      budgetTokens: null,
      isShown: false,
    });
    expect(reasoningOf({ thinking: { type: "between_tools" } })).toMatchObject({
      effort: null,
      isShown: true,
    });
  });

  test("X-H19 is the model's own where nothing is said of how much", () => {
    expect(reasoningOf({ thinking: { type: "adaptive" } })).toEqual({
      effort: null,
      budgetTokens: null,
      isShown: true,
      isAdaptive: true,
    });
  });

  test("in words that are not known is refused by name", () => {
    expect(paramOf({ effort: "huge" })).toBe("effort");
    expect(paramOf({ output_config: { effort: "huge" } })).toBe("output_config.effort");
    expect(paramOf({ thinking: { type: "always" } })).toBe("thinking.type");
  });
});

describe("settings", () => {
  test("X-P09 zeros are values", () => {
    const { sampling } = decode({ temperature: 0, top_p: 0, top_k: 0 });
    expect(sampling).toMatchObject({ temperature: 0, topP: 0, topK: 0 });
  });

  test("a schema for the answer is found in both places", () => {
    const format = { type: "json_schema", schema: { type: "object" } };
    const shape = { kind: "schema", schema: { type: "object" }, isStrict: null } as const;
    expect(decode({ output_config: { format } }).shape).toMatchObject(shape);
    expect(decode({ output_format: format }).shape).toMatchObject(shape);
  });

  test("the end user, further metadata and the tier are hints", () => {
    const { hints } = decode({
      metadata: { user_id: "u", team: "x", n: 1 },
      service_tier: "standard_only",
    });
    expect(hints).toMatchObject({ userId: "u", metadata: { team: "x" }, serviceTier: "default" });
  });

  test.each([
    ["container", { container: "c" }],
    ["mcp_servers", { mcp_servers: [{ name: "s" }] }],
    ["inference_geo", { inference_geo: "eu" }],
    ["max_tokens", { max_tokens: 0 }],
  ])("%s cannot be carried to another dialect", (param, set) => {
    expect(paramOf(set)).toBe(param);
  });

  test("hints without a place elsewhere are told", () => {
    const { ignored } = decode({
      cache_control: { type: "ephemeral" },
      context_management: {},
      speed: "fast",
      output_config: { task_budget: {} },
      unknown_field: 1,
      mcp_servers: [],
    });
    expect(ignored).toEqual([
      "cache_control",
      "context_management",
      "speed",
      "output_config.task_budget",
    ]);
  });
});
