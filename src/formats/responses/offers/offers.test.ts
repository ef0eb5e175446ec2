// Tools in namespaces, tools that come up in the input, and the search for more of them.
import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { ReplyPart } from "../../exchange.ts";
import type { StreamPart } from "../../stream-part.ts";
import { encodeResponsesReply } from "../encode-reply.ts";
import { ResponsesStreamEncoder } from "../encode-stream.ts";
import { eventsOf, frameOf, writeAll } from "../fixtures/shapes.ts";
import { responses } from "../index.ts";

const user = { role: "user", content: "hi" };
const parameters = { type: "object", properties: { query: { type: "string" } } };
const sleep = { type: "function", name: "sleep", description: "Waits.", strict: false };
const exec = { type: "custom", name: "exec", format: { type: "text" } };
const clock = {
  type: "namespace",
  name: "clock",
  description: "Tools for time.",
  tools: [sleep, { type: "function", name: "now" }],
};
const plain = { type: "namespace", name: "functions", description: "", tools: [exec] };
const added = { type: "additional_tools", role: "developer", tools: [plain, clock] };
const search = { type: "tool_search", execution: "client", description: "Finds.", parameters };
const found = {
  type: "tool_search_output",
  call_id: "call_1",
  execution: "client",
  status: "completed",
  tools: [clock],
};

function decode(given: JsonObject) {
  const body = { model: "m", input: [user], ...given };
  const exchange = responses.client?.decodeRequest(body, responses.read(body, null));
  if (!exchange) throw new Error("there is no client side");
  return exchange;
}

const namesOf = (given: JsonObject) => decode(given).tools.map(({ name }) => name);

function refusal(given: JsonObject): string | null {
  try {
    decode(given);
    return "was accepted";
  } catch (error) {
    return error instanceof GatewayError ? error.param : String(error);
  }
}

describe("a request", () => {
  test("offers the tools of a namespace under names that say whose they are", () => {
    const { tools, ignored } = decode({ tools: [clock, { ...clock, name: "mcp__time__" }] });
    expect(tools.map(({ name }) => name)).toEqual([
      "clock__sleep",
      "clock__now",
      "mcp__time__sleep",
      "mcp__time__now",
    ]);
    expect(tools[0]).toMatchObject({ description: "clock: Tools for time.\n\nWaits." });
    expect(tools[1]).toMatchObject({ description: null });
    expect(ignored).toEqual([]);
  });

  test("offers what comes up in the input, where the plain namespace adds nothing to a name", () => {
    const { tools, turns, ignored } = decode({ input: [added, user] });
    expect(tools).toMatchObject([
      { name: "exec", custom: { format: { type: "text" } } },
      { name: "clock__sleep" },
      { name: "clock__now" },
    ]);
    expect(turns).toHaveLength(1);
    expect(ignored).toEqual([]);
    expect(responses.requestTexts({ input: [added] })).toEqual(added.tools.map(asText));
  });

  test("offers a tool once, as it was declared last", () => {
    const changed = { ...clock, tools: [{ ...sleep, description: "Naps." }] };
    const { tools } = decode({ tools: [clock], input: [{ ...added, tools: [changed] }, user] });
    expect(tools).toMatchObject([
      { name: "clock__sleep", description: "clock: Tools for time.\n\nNaps." },
      { name: "clock__now" },
    ]);
  });

  test("tells which tools nobody can run, and refuses those without a name", () => {
    const hosted = { ...clock, tools: [{ type: "mcp" }, sleep] };
    expect(decode({ tools: [{ type: "tool_search" }, hosted] }).ignored).toEqual([
      "tools.0",
      "tools.1.tools.0",
    ]);
    expect(
      decode({ input: [{ ...added, tools: [{ type: "file_search" }] }, user] }).ignored,
    ).toEqual(["input.0.tools.0"]);
    expect(refusal({ tools: [{ ...clock, name: "" }] })).toBe("tools.0.name");
    expect(refusal({ tools: [{ ...clock, tools: [{ type: "custom" }] }] })).toBe(
      "tools.0.tools.0.name",
    );
    expect(refusal({ input: [{ ...added, tools: [1] }, user] })).toBe("input.0.tools.0");
  });

  test("chooses and remembers calls by the same names", () => {
    const one = { type: "function", name: "sleep", namespace: "clock" };
    const call = { ...one, type: "function_call", call_id: "call_1", arguments: "{}" };
    const output = { type: "function_call_output", call_id: "call_1", output: "done" };
    const { turns, toolChoice } = decode({
      tools: [clock],
      tool_choice: one,
      input: [user, call, output],
    });
    expect(toolChoice).toEqual({ kind: "tool", name: "clock__sleep", isCustom: false });
    expect(turns[1]?.parts).toMatchObject([{ kind: "call", name: "clock__sleep" }]);
    const some = { type: "allowed_tools", mode: "auto", tools: [one] };
    expect(decode({ tools: [clock], tool_choice: some }).toolChoice).toMatchObject({
      names: ["clock__sleep"],
    });
  });

  test("takes a search that the client does for a function, and offers what it found", () => {
    const asked = { ...found, type: "tool_search_call", arguments: { query: "time" } };
    const { tools, turns } = decode({ tools: [search], input: [user, asked, found] });
    expect(tools).toMatchObject([
      { name: "tool_search", description: "Finds.", schema: parameters },
      { name: "clock__sleep" },
      { name: "clock__now" },
    ]);
    const text = "These can be called now: clock__sleep, clock__now";
    expect(turns.slice(1)).toMatchObject([
      { parts: [{ kind: "call", id: "call_1", name: "tool_search", input: '{"query":"time"}' }] },
      { parts: [{ kind: "result", callId: "call_1", content: [{ text }] }] },
    ]);
    const nothing = decode({ input: [user, asked, { ...found, tools: [] }] });
    expect(nothing.turns[2]?.parts).toMatchObject([{ content: [{ text: "No tool was found." }] }]);
  });

  test("goes on without a search that the vendor did", () => {
    const items = [
      { type: "tool_search_call", arguments: {} },
      { ...found, execution: "server" },
    ];
    const { ignored, turns } = decode({ input: [user, ...items] });
    expect({ ignored, turns: turns.length }).toEqual({ ignored: ["input.1", "input.2"], turns: 1 });
    expect(namesOf({ input: [user, ...items] })).toEqual([]);
  });
});

describe("a reply", () => {
  const body = { tools: [search, { ...sleep, name: "clock__now" }], input: [added, user] };
  const calls: ReplyPart[] = [
    { kind: "call", id: "1", name: "clock__sleep", input: "{}", isCustom: false },
    { kind: "call", id: "2", name: "exec", input: "x = 1", isCustom: true },
    { kind: "call", id: "3", name: "tool_search", input: '{"query":"time"}', isCustom: false },
    { kind: "call", id: "4", name: "other__one", input: "", isCustom: false },
  ];
  const items = [
    { id: "fc_r1_0", type: "function_call", name: "sleep", namespace: "clock", call_id: "1" },
    { id: "ctc_r1_1", type: "custom_tool_call", name: "exec", namespace: "functions" },
    {
      id: "tsc_r1_2",
      type: "tool_search_call",
      status: "completed",
      call_id: "3",
      execution: "client",
      arguments: { query: "time" },
    },
    { id: "fc_r1_3", type: "function_call", name: "other__one", arguments: "{}" },
  ];

  test("calls tools by the names that the client gave them", () => {
    const choices = [{ parts: calls, stop: "calls" as const, stopSequence: null }];
    const { output } = encodeResponsesReply({ id: null, choices, usage: null }, frameOf(body));
    expect(output).toMatchObject(items);
    expect((output as JsonObject[])[3]).not.toHaveProperty("namespace");
  });

  test("does so in a stream, where a search comes whole", () => {
    const events = eventsOf(writeAll(new ResponsesStreamEncoder(frameOf(body)), streamed(calls)));
    const of = (type: string) => events.filter((event) => event.type === `response.${type}`);
    expect(of("output_item.done").map(({ item }) => item)).toMatchObject(items);
    expect(of("output_item.added")[2]).toMatchObject({
      item: { id: "tsc_r1_2", status: "in_progress", arguments: {} },
    });
    expect(of("function_call_arguments.done")).toMatchObject([
      { item_id: "fc_r1_0", name: "sleep" },
      { item_id: "fc_r1_3", name: "other__one" },
    ]);
    expect(of("function_call_arguments.delta")).toMatchObject([{ item_id: "fc_r1_0" }]);
  });

  test("calls a tool of two declarations as the last one names it", () => {
    const named = { ...body, tools: [clock], input: [{ ...added, tools: [{ ...sleep }] }, user] };
    const flat = { ...added, tools: [{ ...sleep, name: "clock__sleep" }] };
    const choices = [{ parts: calls.slice(0, 1), stop: "calls" as const, stopSequence: null }];
    const write = (given: JsonObject) =>
      encodeResponsesReply({ id: null, choices, usage: null }, frameOf(given))["output"];
    expect(write(named)).toMatchObject([{ name: "sleep", namespace: "clock" }]);
    expect(write({ ...named, input: [flat, user] })).toMatchObject([{ name: "clock__sleep" }]);
  });
});

function asText(value: Json): string {
  return JSON.stringify(value);
}

function streamed(parts: readonly ReplyPart[]): StreamPart[] {
  return [
    { kind: "reply-start", id: null },
    ...parts.flatMap((part, block): StreamPart[] => {
      if (part.kind !== "call") return [];
      const { input, ...content } = part;
      return [
        { kind: "block-start", block, choice: 0, content },
        { kind: "block-delta", block, text: input },
        { kind: "block-end", block },
      ];
    }),
    { kind: "choice-end", choice: 0, stop: "calls", stopSequence: null },
    { kind: "reply-end" },
  ];
}
