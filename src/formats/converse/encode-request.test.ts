// Requests of Converse, where the golden files do not show them.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { formats } from "../index.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { converse } from "./index.ts";

const claude = "us.anthropic.claude-opus-4-6-v1:0";

function encode(body: JsonObject, model = claude) {
  const { messages: format } = formats;
  const whole = { model: "public", max_tokens: 4000, ...body };
  const request = format.read(whole, null);
  const exchange = format.client?.decodeRequest(whole, request);
  if (!exchange) throw new Error("messages has clients");
  const target = { model, stream: false, outputTokensMax: 8000 };
  const encoded = converse.upstream?.encodeRequest(toNormalForm(exchange), target);
  if (!encoded) throw new Error("converse has upstreams");
  return encoded;
}

const say = (content: unknown) => ({ messages: [{ role: "user", content }] }) as JsonObject;
const mark = { type: "ephemeral" };

describe("a mark of the cache", () => {
  test("stands behind what it marks, with its life", () => {
    const { body } = encode({
      system: [{ type: "text", text: "Be brief.", cache_control: { ...mark, ttl: "1h" } }],
      tools: [{ name: "look", input_schema: { type: "object" }, cache_control: mark }],
      ...say([
        { type: "text", text: "one", cache_control: mark },
        { type: "text", text: "two" },
      ]),
    });
    expect(body["system"]).toEqual([
      { text: "Be brief." },
      { cachePoint: { type: "default", ttl: "1h" } },
    ]);
    expect(body["toolConfig"]).toMatchObject({
      tools: [{ toolSpec: { name: "look" } }, { cachePoint: { type: "default" } }],
    });
    const content = [{ text: "one" }, { cachePoint: { type: "default" } }, { text: "two" }];
    expect(body["messages"]).toEqual([{ role: "user", content }]);
  });

  test("is left out and told where the model takes none", () => {
    const marked = say([{ type: "text", text: "one", cache_control: mark }]);
    const { body, ignored } = encode(marked, "meta.llama3-3-70b-instruct-v1:0");
    expect(body["messages"]).toEqual([{ role: "user", content: [{ text: "one" }] }]);
    expect(ignored).toEqual(["cache_control"]);
  });
});

describe("documents", () => {
  const pdf = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
  const source = { type: "base64", media_type: "application/pdf", data: pdf };

  test("have names of their own without odd characters, and a word beside them", () => {
    const { body } = encode(
      say([
        { type: "document", title: "Notes: a_b.pdf", source },
        { type: "document", title: "Notes: a_b.pdf", source },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "hi" } },
      ]),
    );
    const held = { format: "pdf", source: { bytes: pdf } };
    const content = [
      { document: { ...held, name: "Notes a b pdf" } },
      { document: { ...held, name: "Notes a b pdf (2)" } },
      { document: { format: "txt", source: { text: "hi" }, name: "document" } },
      { text: "See the document." },
    ];
    expect(body["messages"]).toEqual([{ role: "user", content }]);
  });

  test("at an address are refused by their place", () => {
    const url = { type: "url", url: "https://a.test/b.pdf" };
    const ask = () => encode(say([{ type: "document", source: url }]));
    expect(ask).toThrow("messages.0.content.0");
  });
});

test("results stand behind their calls, and one without a word has one", () => {
  const { body } = encode({
    tools: [{ name: "look", input_schema: { type: "object" } }],
    messages: [
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "look", input: {} },
          { type: "tool_use", id: "b", name: "look", input: { at: 1 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
          { type: "tool_result", tool_use_id: "a" },
        ],
      },
    ],
  });
  expect(body["messages"]).toEqual([
    { role: "user", content: [{ text: "Look." }] },
    {
      role: "assistant",
      content: [
        { toolUse: { toolUseId: "a", name: "look", input: {} } },
        { toolUse: { toolUseId: "b", name: "look", input: { at: 1 } } },
      ],
    },
    {
      role: "user",
      content: [
        { toolResult: { toolUseId: "a", content: [{ text: "(nothing)" }] } },
        { toolResult: { toolUseId: "b", content: [{ text: "no" }], status: "error" } },
      ],
    },
  ]);
});

test("a choice of no tool leaves the tools out, unless the history has calls", () => {
  const tools = [{ name: "look", input_schema: { type: "object" } }];
  const plain = encode({ ...say("Hello."), tools, tool_choice: { type: "none" } });
  expect(plain.body).not.toHaveProperty("toolConfig");
  const called = encode({
    tools,
    tool_choice: { type: "none" },
    messages: [
      { role: "user", content: "Look." },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "seen" }] },
    ],
  });
  expect(called.body["toolConfig"]).toEqual({
    tools: [{ toolSpec: { name: "look", inputSchema: { json: { type: "object" } } } }],
  });
});

test("a model without a place for instructions hears them from the user", () => {
  const { body } = encode({ system: "Be brief.", ...say("Hi.") }, "mistral.mixtral-8x7b-v0:1");
  const content = [{ text: "Be brief." }, { text: "Hi." }];
  expect(body).not.toHaveProperty("system");
  expect(body["messages"]).toEqual([{ role: "user", content }]);
});

test("a schema is kept by the vendor, by a tool, or told, as the model can", () => {
  const format = { type: "json_schema", schema: { type: "object", properties: {} } };
  const ask = { ...say("Who?"), output_config: { format } };
  expect(encode(ask).body["outputConfig"]).toMatchObject({ textFormat: { type: "json_schema" } });
  const byTool = encode(ask, "amazon.nova-pro-v1:0").body["toolConfig"];
  expect(byTool).toMatchObject({ toolChoice: { tool: { name: "sluice_json_output" } } });
  const told = encode(ask, "meta.llama3-3-70b-instruct-v1:0").body;
  expect(told).not.toHaveProperty("toolConfig");
  expect(JSON.stringify(told["system"])).toContain("by this schema");
});

test("the bound is set where it is ours, and never raised", () => {
  const body: JsonObject = { inferenceConfig: { temperature: 0.5, maxTokens: 900 } };
  converse.bound?.(body, 500);
  expect(body).toEqual({ inferenceConfig: { temperature: 0.5, maxTokens: 500 } });
  const bare: JsonObject = {};
  converse.bound?.(bare, 500);
  expect(bare).toEqual({ inferenceConfig: { maxTokens: 500 } });
});
