// Things that cost more than their tokens: those each format finds, and those it lets pass.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../core/json.ts";
import type { FormatName } from "./format.ts";
import { formats } from "./index.ts";
import { SurchargeUse } from "./surcharge.ts";

function found(format: FormatName, body: JsonObject, headers: Record<string, string> = {}) {
  const side = formats[format].surcharges;
  return (side?.find(body, headers) ?? []).map(({ name, param }) => `${name} ${param}`);
}

const hour = { type: "ephemeral", ttl: "1h" };
const minutes = { type: "ephemeral", ttl: "5m" };

describe("what costs more", () => {
  test.each<[FormatName, JsonObject, string[]]>([
    ["chat", { service_tier: "priority" }, ["service_tier.priority service_tier"]],
    ["completions", { service_tier: "fast" }, ["service_tier.fast service_tier"]],
    ["chat", { enable_search: true }, ["enable_search enable_search"]],
    ["chat", { tools: [{ type: "builtin_function" }] }, ["tool.builtin_function tools.0"]],
    ["chat", { modalities: ["audio"] }, ["audio modalities"]],
    [
      "chat",
      { messages: [{ content: "a" }, { content: [{ type: "text", cache_control: hour }] }] },
      ["cache_1h messages.1.content.0.cache_control.ttl"],
    ],
    ["responses", { tools: [{ type: "web_search_2025_08_26" }] }, ["web_search tools.0"]],
    [
      "responses",
      { tools: [{ type: "web_search_preview_2025_03_11" }] },
      ["web_search_preview tools.0"],
    ],
    [
      "responses",
      { tools: [{ type: "code_interpreter", container: { type: "auto", memory_limit: "4g" } }] },
      ["container.4g tools.0"],
    ],
    [
      "responses",
      { tools: [{ type: "shell", environment: { type: "container_auto" } }, { type: "mcp" }] },
      ["container tools.0", "mcp tools.1"],
    ],
    [
      "responses",
      { tools: [{ type: "image_generation", quality: "medium" }] },
      ["image_generation.medium tools.0", "image_generation.low tools.0"],
    ],
    [
      "responses",
      { input: [{ type: "additional_tools", tools: [{ type: "file_search" }] }] },
      ["file_search input.0.tools.0"],
    ],
    [
      "messages",
      { tools: [{ type: "code_execution_20250825", name: "c" }], container: "c_1" },
      ["code_execution tools.0"],
    ],
    ["messages", { mcp_servers: [{ name: "s" }] }, ["mcp mcp_servers"]],
    [
      "messages",
      { tools: [{ name: "a", cache_control: hour }] },
      ["cache_1h tools.0.cache_control.ttl"],
    ],
    [
      "messages",
      { messages: [{ content: [{ type: "tool_result", content: [{ cache_control: hour }] }] }] },
      ["cache_1h messages.0.content.0.content.0.cache_control.ttl"],
    ],
    [
      "messages",
      { anthropic_beta: ["a", "context-1m-2025-08-07"] },
      ["long_context anthropic_beta"],
    ],
    ["content", { service_tier: "SERVICE_TIER_PRIORITY" }, ["service_tier.priority service_tier"]],
    ["content", { tools: { url_context: {} } }, ["urlContext tools.url_context"]],
    [
      "content",
      { generation_config: { response_modalities: ["TEXT", "AUDIO"] } },
      ["audio generation_config.response_modalities"],
    ],
  ])("in %s is found in %p", (format, body, names) => {
    expect(found(format, body)).toEqual(names);
  });

  test("in a header of messages is found beside other values", () => {
    const headers = { "anthropic-beta": "files, context-1m-2025-08-07" };
    expect(found("messages", {}, headers)).toEqual(["long_context anthropic-beta"]);
  });
});

describe("what costs nothing more", () => {
  test.each<[FormatName, JsonObject]>([
    ["chat", { service_tier: "auto", modalities: ["text"], enable_search: false }],
    ["chat", { tools: [{ type: "function" }, { type: "custom" }], web_search_options: null }],
    ["chat", { messages: [{ content: [{ type: "text", cache_control: minutes }] }] }],
    ["responses", { tools: [{ type: "custom" }, { type: "shell" }, { type: "computer" }] }],
    ["responses", { service_tier: "default", input: [{ content: [{ type: "input_text" }] }] }],
    ["messages", { service_tier: "standard_only", speed: "standard", inference_geo: "global" }],
    [
      "messages",
      { tools: [{ name: "a" }, { type: "bash_20250124" }, { type: "memory_20250818" }] },
    ],
    ["messages", { mcp_servers: [], container: null, cache_control: minutes }],
    ["content", { serviceTier: "standard", tools: [{ functionDeclarations: [] }] }],
    ["content", { generationConfig: { responseModalities: ["TEXT", "IMAGE"] } }],
  ])("in %s passes: %p", (format, body) => {
    expect(found(format, body)).toEqual([]);
  });
});

describe("a reply", () => {
  const useOf = (format: FormatName, ...bodies: JsonObject[]) => {
    const use = new SurchargeUse();
    for (const body of bodies) formats[format].surcharges?.note(use, body);
    return use;
  };

  test("of responses counts containers once, and pictures by their grade", () => {
    const run = { type: "code_interpreter_call", container_id: "c_1" };
    const picture = { type: "image_generation_call", quality: "low" };
    const done = (item: JsonObject) => ({ type: "response.output_item.done", item });
    const whole = { output: [run, run, picture, { type: "message" }] };
    const use = useOf("responses", done(run), done(run), { response: whole });
    expect(use.callsOf(["container"])).toBe(1);
    expect(use.callsOf(["image_generation.low"])).toBe(1);
    expect(use.callsOf(["image_generation", "image_generation.high"])).toBe(0);
    expect(useOf("responses", done(run), done(run)).callsOf(["container"])).toBe(2);
  });

  test("of messages is counted by its blocks until the vendor's own count comes", () => {
    const start = { type: "message_start", message: { usage: noSearch } };
    const block = (name: string) => ({
      type: "content_block_start",
      content_block: { type: "server_tool_use", name },
    });
    const runs = [start, block("web_search"), block("web_search"), block("bash_code_execution")];
    const cut = useOf("messages", ...runs);
    expect(cut.callsOf(["web_search"])).toBe(2);
    expect(cut.callsOf(["code_execution"])).toBe(1);
    const usage = { server_tool_use: { web_search_requests: 1 }, speed: "standard" };
    const whole = useOf("messages", ...runs, { type: "message_delta", usage });
    expect(whole.callsOf(["web_search"])).toBe(1);
    expect(whole.given("speed")).toBe("standard");
    expect(whole.given("service_tier")).toBeNull();
  });

  const noSearch = { server_tool_use: { web_search_requests: 0 } };
});
