import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { pngOf } from "../kit/fixtures/files.ts";
import { plainRequest } from "../kit/fixtures/shapes.ts";
import { sealProof } from "../kit/proof.ts";
import { readMessagesRequest } from "./read.ts";
import { toCarrier } from "./wire/proof-slot.ts";

const plain: JsonObject = { model: "m", messages: [{ role: "user", content: "hi" }] };

function withContent(content: JsonObject[string], role: string = "user"): JsonObject {
  return { ...plain, messages: [{ role, content }] };
}

function faultOf(body: JsonObject): { param: string | null; message: string } {
  try {
    readMessagesRequest(body);
  } catch (error) {
    if (error instanceof GatewayError) return { param: error.param, message: error.message };
  }
  throw new Error("the body was taken");
}

describe("a messages request", () => {
  test("T13 needs a model and messages and nothing else", () => {
    expect(readMessagesRequest(plain)).toEqual(plainRequest);
  });

  test("N41 is held for no more with a cloud's version and betas", () => {
    const address = "https://pictures.test/of/a/weir.png";
    const clouded = { ...plain, anthropic_version: address, anthropic_beta: [address] };
    expect(readMessagesRequest(clouded)).toEqual(plainRequest);
  });

  test("N41 is framed as its address says", () => {
    const facts = { model: "m", stream: true, framing: "frames" } as const;
    expect(readMessagesRequest({ ...plain, stream: true }, facts).framing).toBe("frames");
  });

  test("T13 does not build on a conversation that the vendor keeps", () => {
    const threads = [{ type: "create" }, { type: "continue", previous_message_id: "msg_1" }];
    for (const thread of threads) {
      expect(() => readMessagesRequest({ ...plain, thread })).toThrow(
        expect.objectContaining({ code: "thread_unsupported_request", param: "thread" }),
      );
    }
    expect(readMessagesRequest({ ...plain, thread: null }).model).toBe("m");
  });

  test("T13 is read with every field of the wire set, and with unknown ones", () => {
    const read = readMessagesRequest({
      ...plain,
      system: [{ type: "text", text: "be brief", cache_control: { type: "ephemeral" } }],
      max_tokens: 100,
      stream: true,
      temperature: 0,
      top_p: 0,
      top_k: 0,
      stop_sequences: ["END"],
      tools: [
        { name: "a", input_schema: { type: "object" } },
        { type: "web_search_20250305", name: "web_search" },
      ],
      tool_choice: { type: "tool", name: "a" },
      thinking: { type: "enabled", budget_tokens: 1024 },
      effort: "low",
      output_config: { effort: "high", format: { type: "json_schema", schema: {} } },
      metadata: { user_id: "u" },
      service_tier: "auto",
      speed: "fast",
      container: null,
      mcp_servers: [],
      some_new_field: { deep: [1] },
    });
    expect(read).toMatchObject({ stream: true, outputTokensMax: 100 });
  });

  test("that asks for no output is not one with the bound 0", () => {
    expect(readMessagesRequest({ ...plain, max_tokens: 0 }).outputTokensMax).toBeNull();
  });

  test("T13 counts images and documents and their bytes, those in results of tools too", () => {
    const png = pngOf().toString("base64");
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: png },
    };
    const pdf = {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "B".repeat(20) },
    };
    const text = {
      type: "document",
      source: { type: "text", media_type: "text/plain", data: "words" },
    };
    const read = readMessagesRequest(
      withContent([
        image,
        { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
        text,
        { type: "tool_result", tool_use_id: "t", content: [pdf, { type: "text", text: "x" }] },
        { type: "document", source: { type: "content", content: [image] } },
      ]),
    );
    expect(read).toMatchObject({ mediaParts: 4, mediaBytes: 2 * png.length });
  });

  test("does not pass text off as media by its encoding", () => {
    const source = { type: "base64", media_type: "text/plain", data: "A".repeat(40) };
    expect(readMessagesRequest(withContent([{ type: "document", source }])).mediaBytes).toBe(0);
  });

  test("goes back to who signed its thinking last, and needs who keeps its container", () => {
    const body = withContent(
      [
        { type: "thinking", thinking: "a", signature: "first" },
        { type: "redacted_thinking", data: "second" },
        { type: "thinking", thinking: "c", signature: "" },
        { type: "thinking", thinking: "d", signature: "sluice1:messages:::" },
      ],
      "assistant",
    );
    expect(readMessagesRequest(body).origins.preferred).toBe("second");
    const contained = { ...body, container: { id: "container_1" } };
    const named = { id: "container_1", param: "container.id" };
    expect(readMessagesRequest(contained).origins.objects).toMatchObject([named]);
  });

  test("names a sealed signature as it was when it was remembered", () => {
    const proof = { dialect: "content", data: "abc", on: "call" } as const;
    for (const isBehind of [false, true]) {
      const body = withContent([toCarrier(proof, isBehind)], "assistant");
      expect(readMessagesRequest(body).origins.preferred).toBe(sealProof(proof));
    }
  });

  test("may have system messages between the others", () => {
    const messages = [
      { role: "user", content: "a" },
      { role: "system", content: "b" },
    ];
    expect(readMessagesRequest({ ...plain, messages }).choices).toBe(1);
  });
});

describe("a field of the wrong type", () => {
  const cases: [string, JsonObject][] = [
    ["model", { messages: plain["messages"] }],
    ["messages", { model: "m" }],
    ["messages", { model: "m", messages: [] }],
    ["messages.0.role", withContent("a", "tool")],
    ["messages.0.content", withContent(null)],
    ["messages.0.content.0", withContent(["text"])],
    ["messages.0.content.0.type", withContent([{ text: "a" }])],
    [
      "messages.0.content.1.text",
      withContent([
        { type: "text", text: "a" },
        { type: "text", text: 1 },
      ]),
    ],
    ["messages.0.content.0.source", withContent([{ type: "image" }])],
    [
      "messages.0.content.0.source.data",
      withContent([{ type: "image", source: { type: "base64", media_type: "image/png" } }]),
    ],
    [
      "messages.0.content.0.source.url",
      withContent([{ type: "image", source: { type: "url", url: 1 } }]),
    ],
    ["messages.0.content.0.tool_use_id", withContent([{ type: "tool_result" }])],
    [
      "messages.0.content.0.content.0.text",
      withContent([{ type: "tool_result", tool_use_id: "t", content: [{ type: "text" }] }]),
    ],
    [
      "messages.0.content.0.is_error",
      withContent([{ type: "tool_result", tool_use_id: "t", is_error: "yes" }]),
    ],
    [
      "messages.0.content.0.input",
      withContent([{ type: "tool_use", id: "t", name: "n", input: "{}" }], "assistant"),
    ],
    [
      "messages.0.content.0.cache_control",
      withContent([{ type: "text", text: "a", cache_control: true }]),
    ],
    ["system", { ...plain, system: 1 }],
    ["system.0.text", { ...plain, system: [{ type: "text" }] }],
    ["max_tokens", { ...plain, max_tokens: "100" }],
    ["stream", { ...plain, stream: "yes" }],
    ["temperature", { ...plain, temperature: "hot" }],
    ["top_k", { ...plain, top_k: 1.5 }],
    ["stop_sequences.0", { ...plain, stop_sequences: [1] }],
    ["tools.0.name", { ...plain, tools: [{ name: 1 }] }],
    ["tools.0.input_schema", { ...plain, tools: [{ name: "a", input_schema: "object" }] }],
    ["tool_choice", { ...plain, tool_choice: "auto" }],
    ["thinking.budget_tokens", { ...plain, thinking: { type: "enabled", budget_tokens: "many" } }],
    ["effort", { ...plain, effort: 3 }],
    ["output_config.effort", { ...plain, output_config: { effort: 3 } }],
    ["metadata.user_id", { ...plain, metadata: { user_id: 7 } }],
  ];
  test.each(cases)("is named: %s", (param, body) => {
    const fault = faultOf(body);
    expect(fault.param).toBe(param);
    expect(fault.message).toStartWith(param);
  });
});
