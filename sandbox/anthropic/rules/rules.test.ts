// Refusals of a strict vendor, over real HTTP and in its words.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const oldest = { "anthropic-version": "2023-06-01" };
const newest = { "anthropic-version": "2026-10-21" };
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words });
const call = (id: string) => ({ type: "tool_use", id, name: "look", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "seen" });
const look = { name: "look", input_schema: { type: "object" } };

function post(body: object, headers: Record<string, string> = oldest) {
  return fetch(`${sandbox.url}/anthropic/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-sandbox-a", ...headers },
    body: JSON.stringify({ model: "m", max_tokens: 2000, messages: [user("Hi")], ...body }),
  });
}

async function verdict(body: object, headers?: Record<string, string>): Promise<string> {
  const response = await post(body, headers);
  if (response.status === 200) return "taken";
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { type: string; message: string } };
  expect(error.type).toBe("invalid_request_error");
  return error.message;
}

const say = (...messages: object[]): Promise<string> => verdict({ messages });

describe("fields", () => {
  test.each([
    [{ frequency_penalty: 1 }, "frequency_penalty: Extra inputs are not permitted"],
    [{ effort: "low" }, "effort: Extra inputs are not permitted"],
    [{ max_tokens: undefined }, "max_tokens: Field required"],
    [{ max_tokens: 1.5 }, "max_tokens: Input should be integer"],
    [{ messages: [] }, "messages: Input should not have fewer than 1 items"],
    [{ metadata: { user: "a" } }, "metadata.user: Extra inputs are not permitted"],
    [{ temperature: 1.5 }, "temperature: Input should be <= 1"],
    [{ stop_sequences: [" "] }, "stop_sequences: each stop sequence must contain non-whitespace"],
    [{ system: [{ type: "text", text: "" }] }, "system: text content blocks must be non-empty"],
    [{ system: "" }, "taken"],
    [{ thinking: { type: "on" } }, "thinking: Input tag 'on' found using 'type'"],
    [
      { tools: [{ name: "get weather", input_schema: { type: "object" } }] },
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [{ tools: [{ ...look, input_schema: {} }] }, "tools.0.custom.input_schema.type: Field req"],
    [{ tools: [{ ...look, parameters: {} }] }, "tools.0.custom.parameters: Extra inputs are not"],
    [{ tools: [look, look] }, "tools: Tool names must be unique."],
    [
      { tools: [{ ...look, input_schema: { type: "object", anyOf: [] } }] },
      "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf",
    ],
  ])("are checked one by one: %j", async (body, message) => {
    expect(await verdict(body)).toStartWith(message);
  });

  test("of a beta are known to clients that ask for one", async () => {
    const body = { context_management: { edits: [] } };
    expect(await verdict(body)).toBe("context_management: Extra inputs are not permitted");
    expect(await verdict(body, { ...oldest, "anthropic-beta": "context-management" })).toBe(
      "taken",
    );
  });

  test("for sampling are gone in the newest version", async () => {
    expect(await verdict({ temperature: 1 })).toBe("taken");
    expect(await verdict({ temperature: 1 }, newest)).toBe(
      "temperature: Extra inputs are not permitted",
    );
  });
});

describe("the conversation", () => {
  test("begins with the user and may repeat a role", async () => {
    const begins = 'messages: first message must use the "user" role';
    expect(await say(assistant("Hello"), user("Hi"))).toBe(begins);
    expect(await say(user("Hi"), user("there"), assistant("a"), assistant("b"))).toBe("taken");
  });

  test("has a system role in the newest version alone", async () => {
    const messages = [user("Hi"), { role: "system", content: "Be kind." }, user("So?")];
    expect(await verdict({ messages })).toBe(
      "messages.1.role: Input should be 'user' or 'assistant'",
    );
    expect(await verdict({ messages }, newest)).toBe("taken");
  });

  test.each([
    [user(""), "messages.0: all messages must have non-empty content"],
    [user([]), "messages.0: all messages must have non-empty content"],
    [user([text("")]), "messages: text content blocks must be non-empty"],
    [user([text(" \n")]), "messages: text content blocks must contain non-whitespace text"],
    [user([{ ...text("a"), detail: "b" }]), "messages.0.content.0.text.detail: Extra inputs are"],
    [user([{ type: "input_text", text: "a" }]), "messages.0.content.0: Input tag 'input_text'"],
    [user([call("a")]), "messages.0.content.0: `tool_use` blocks can only be in `assistant`"],
    [user(null), "messages.0.content: Input should be a valid list"],
  ])("has something proper in each message: %#", async (message, words) => {
    expect(await say(message)).toStartWith(words);
  });

  test("may end with the beginning of an answer, on older models", async () => {
    const messages = [user("Hi"), assistant("Well")];
    expect(await verdict({ messages })).toBe("taken");
    expect(await verdict({ messages, model: "claude-opus-4-5" })).toBe("taken");
    expect(await verdict({ messages, model: "claude-opus-4-6" })).toContain("prefill");
    expect(await say(user("Hi"), assistant("Well "))).toContain("trailing whitespace");
    expect(await say(user("Hi"), assistant(""))).toBe("taken");
    expect(await say(user("Hi"), assistant(""), user("So?"))).toStartWith("messages.1: all");
  });
});

describe("calls and results", () => {
  const after = "`tool_use` ids were found without `tool_result` blocks immediately after";

  test("are taken in pairs", async () => {
    const calls = assistant([text("Let me look."), call("a"), call("b")]);
    expect(await say(user("Hi"), calls, user([result("b"), result("a"), text("So?")]))).toBe(
      "taken",
    );
  });

  test("may return nothing, but no empty text", async () => {
    const returned = (content: unknown): Promise<string> =>
      say(user("Hi"), assistant([call("a")]), user([{ ...result("a"), content }]));
    for (const content of ["", " ", [], [text("\n")]])
      expect(await returned(content)).toBe("taken");
    expect(await returned([text("")])).toBe("messages: text content blocks must be non-empty");
  });

  test.each([
    [[assistant([call("a")]), user("So?")], `messages.1: ${after}: a.`],
    [[assistant([call("a")])], `messages.1: ${after}: a.`],
    [[assistant([call("a")]), user([text("So?"), result("a")])], `messages.1: ${after}: a.`],
    [
      [assistant([call("a"), call("b")]), user([result("a")]), user([result("b")])],
      `messages.1: ${after}: b.`,
    ],
    [
      [assistant("Hm"), user([result("a")])],
      "messages.2: unexpected `tool_use_id` found in `tool_result` blocks: a.",
    ],
    [
      [assistant([call("a")]), user([result("a"), result("a")])],
      "messages.2: each tool_use must have a single result.",
    ],
    [
      [assistant([call("a"), call("a")]), user([result("a")])],
      "messages.1.content.1: `tool_use` ids must be unique",
    ],
    [
      [assistant([call("call:1")]), user([result("call:1")])],
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      [assistant([{ ...call("a"), input: "{}" }]), user([result("a")])],
      "messages.1.content.0.tool_use.input: Input should be object",
    ],
  ])("are refused when they do not fit: %#", async (messages, words) => {
    expect(await say(user("Hi"), ...messages)).toStartWith(words);
  });
});

describe("media", () => {
  const gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const image = (type: string, data: string) => ({
    type: "image",
    source: { type: "base64", media_type: type, data },
  });
  const at = "messages.0.content.0.image.source.base64";

  test.each([
    [image("image/gif", gif), "taken"],
    [image("image/png", gif), `${at}: The image was specified using the image/png media type`],
    [image("image/jpg", gif), `${at}.media_type: Input should be`],
    [image("image/png", "aGVsbG8="), `${at}: Could not process image`],
    [image("image/png", `data:image/gif;base64,${gif}`), `${at}: invalid base64 data`],
    [{ type: "image", source: { type: "data" } }, "messages.0.content.0.image.source: Input tag"],
    [
      { type: "document", source: { ...image("application/pdf", gif).source } },
      "messages.0.content.0.document.source.base64: The PDF specified was not valid.",
    ],
  ])("has to be what it is called: %#", async (block, words) => {
    expect(await say(user([block]))).toStartWith(words);
  });

  test("is looked at inside results as well", async () => {
    const results = [{ ...result("a"), content: [image("image/png", gif)] }];
    expect(await say(user("Hi"), assistant([call("a")]), user(results))).toStartWith(
      "messages.2.content.0.tool_result.content.0.image.source.base64: The image was specified",
    );
  });
});

describe("settings", () => {
  const enabled = (budget: number) => ({ type: "enabled", budget_tokens: budget });
  const forced = { tools: [look], tool_choice: { type: "any" } };

  test.each([
    [{ thinking: enabled(1000) }, "thinking.enabled.budget_tokens: Input should be >= 1024"],
    [{ thinking: enabled(2000) }, "`max_tokens` must be greater than `thinking.budget_tokens`."],
    [{ thinking: enabled(1999) }, "taken"],
    [{ thinking: enabled(1024), temperature: 0.5 }, "`temperature` may only be set to 1 when"],
    [{ thinking: enabled(1024), top_k: 4 }, "`top_k` must be unset when"],
    [{ thinking: { type: "adaptive" }, top_p: 0.5 }, "`top_p` must be at least 0.95"],
    [{ thinking: enabled(1024), ...forced }, "Thinking may not be enabled when tool_choice"],
    [{ thinking: { type: "adaptive" }, ...forced }, "taken"],
    [{ tool_choice: { type: "auto" } }, "tool_choice: may only be specified while providing"],
    [{ tools: [look], tool_choice: "auto" }, "tool_choice: Input should be a valid dictionary"],
    [{ tools: [look], tool_choice: { type: "tool", name: "b" } }, "Tool 'b' not found in"],
    [{ output_config: { effort: "minimal" } }, "output_config.effort: Input should be"],
  ])("fit each other: %j", async (body, words) => {
    expect(await verdict(body)).toStartWith(words);
  });

  test.each([
    ["claude-opus-4-7", { temperature: 0.5 }, "`temperature` is deprecated for this model."],
    ["claude-opus-4-7", { top_p: 0.9 }, "`top_p` is deprecated for this model."],
    ["claude-opus-4-7", { top_k: 5 }, "`top_k` is deprecated for this model."],
    ["claude-opus-4-7", { temperature: 1, top_p: 0.99 }, "taken"],
    ["claude-opus-4-6", { temperature: 0.5 }, "taken"],
    ["claude-opus-4-1", { max_tokens: 40_000 }, "max_tokens: 40000 > 32000, which is the maximum"],
    ["claude-opus-4-5", { thinking: { type: "adaptive" } }, "adaptive thinking is not supported"],
    ["claude-sonnet-5-5", { thinking: enabled(1024) }, '"thinking.type.enabled" is not supported'],
    ["claude-opus-5-5", { thinking: { type: "disabled" } }, '"thinking.type.disabled" is not'],
    ["claude-opus-5-5", forced, "tool_choice: this model does not support forced tool use."],
    ["claude-opus-4-1", { output_config: { effort: "low" } }, "This model does not support the"],
    ["claude-opus-4-6", { output_config: { effort: "xhigh" } }, "This model does not support the"],
    ["claude-opus-4-7", { output_config: { effort: "xhigh" } }, "taken"],
  ])("fit the model: %s with %j", async (model, body, words) => {
    expect(await verdict({ model, ...body })).toStartWith(words);
  });

  test.each([
    [{ type: "object", properties: {} }, "For 'object' type, 'additionalProperties' must be"],
    [{ type: "array", items: { type: "integer", minimum: 1 } }, "For 'integer' type, properties"],
    [{ anyOf: [{ type: "string", maxLength: 2 }] }, "For 'string' type, properties maxLength"],
  ])("of output have a schema that can be kept: %j", async (schema, words) => {
    const format = { type: "json_schema", schema };
    expect(await verdict({ output_config: { format } })).toStartWith(
      `output_config.format.schema: ${words}`,
    );
  });

  test("of strict tools have one as well", async () => {
    const tools = [{ ...look, strict: true }];
    expect(await verdict({ tools })).toStartWith(
      "tools.0.custom.input_schema: For 'object' type, 'additionalProperties' must be",
    );
  });

  test("have at most four cache marks", async () => {
    const marked = { ...text("a"), cache_control: { type: "ephemeral" } };
    expect(await say(user([marked, marked, marked, marked]))).toBe("taken");
    expect(await say(user([marked, marked, marked, marked, marked]))).toEndWith("Found 5.");
  });
});

describe("in the newest version", () => {
  const document = {
    type: "document",
    source: { type: "text", media_type: "text/plain", data: "a" },
  };

  test("documents are the user's", async () => {
    const messages = [user("Hi"), assistant([document]), user("So?")];
    expect(await verdict({ messages })).toBe("taken");
    expect(await verdict({ messages }, newest)).toStartWith("messages.1.content.0: `document`");
  });

  test("the user quotes nothing", async () => {
    const messages = [user([{ ...text("a"), citations: [{}] }])];
    expect(await verdict({ messages })).toBe("taken");
    expect(await verdict({ messages }, newest)).toStartWith("messages.0.content.0.text.citations");
  });
});
