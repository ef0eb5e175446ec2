// The events of a streamed response, over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { readEvents } from "../../../src/core/sse.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface StreamEvent {
  type: string;
  sequence_number: number;
  output_index?: number;
  item_id?: string;
  delta?: string;
  obfuscation?: string;
  item?: { id: string; type: string };
  response?: { status: string; output: object[]; usage: object | null };
}

async function streamed(body: object): Promise<StreamEvent[]> {
  const response = await fetch(`${sandbox.url}/openai/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-sandbox-a" },
    body: JSON.stringify({ model: "m", input: "Tell me of Paris", stream: true, ...body }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const events = readEvents(await response.text());
  const parsed = events.map(({ data }) => JSON.parse(data) as StreamEvent);
  expect(events.map(({ event }) => event)).toEqual(parsed.map(({ type }) => type));
  expect(parsed.map((event) => event.sequence_number)).toEqual([...parsed.keys()]);
  return parsed;
}

/** The types in order, each run of deltas as one. */
function outline(events: StreamEvent[]): string[] {
  const types = events.map(({ type }) => type.replace(/^response\./, ""));
  return types.filter((type, at) => type !== types[at - 1]);
}

const joined = (events: StreamEvent[], type: string): string =>
  events
    .filter((event) => event.type === type)
    .map(({ delta }) => delta)
    .join("");

const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

describe("a stream", () => {
  test("of text has every event from the first sign of the message to its end", async () => {
    const events = await streamed({});
    expect(outline(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
    const [created, , added, part, delta] = events;
    expect(created?.response).toMatchObject({ status: "in_progress", output: [], usage: null });
    expect(added).toMatchObject({
      output_index: 0,
      item: { type: "message", status: "in_progress", role: "assistant", content: [] },
    });
    const id = added?.item?.id;
    expect(part).toMatchObject({
      item_id: id,
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    });
    expect(delta).toMatchObject({ item_id: id, output_index: 0, content_index: 0, logprobs: [] });
    const text = joined(events, "response.output_text.delta");
    expect(events.find(({ type }) => type === "response.output_text.done")).toMatchObject({ text });
    const last = events.at(-1)?.response;
    expect(last).toMatchObject({
      status: "completed",
      output: [{ id, type: "message", status: "completed", content: [{ text }] }],
      usage: { output_tokens: Math.ceil(text.length / 4) },
    });
  });

  test("of calls gives each an index and its arguments in pieces", async () => {
    const clock = { type: "custom", name: "get_time" };
    const input = "Use get_time and get_weather for Paris";
    const events = await streamed({ input, tools: [weather, clock] });
    expect(outline(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
      "completed",
    ]);
    const added = events.filter(({ type }) => type === "response.output_item.added");
    expect(added).toMatchObject([
      { output_index: 0, item: { type: "function_call", arguments: "", status: "in_progress" } },
      { output_index: 1, item: { type: "custom_tool_call", input: "", status: "in_progress" } },
    ]);
    const text = joined(events, "response.function_call_arguments.delta");
    expect(JSON.parse(text)).toEqual({ city: "Paris" });
    expect(events.at(-1)?.response?.output).toMatchObject([
      { type: "function_call", arguments: text, status: "completed" },
      { type: "custom_tool_call", input: joined(events, "response.custom_tool_call_input.delta") },
    ]);
    const ids = added.map(({ item }) => item?.id);
    for (const { output_index: index, item_id: id } of events.filter((event) => event.item_id)) {
      expect(id).toBe(ids[index ?? -1]);
    }
  });

  test("of reasoning has its summary before the message", async () => {
    const reasoning = { effort: "low", summary: "auto" };
    const include = ["reasoning.encrypted_content"];
    const events = await streamed({ reasoning, include });
    expect(outline(events).slice(2, 9)).toEqual([
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
    ]);
    expect(events[2]?.item).toMatchObject({ type: "reasoning", summary: [] });
    expect(events[2]?.item).not.toHaveProperty("encrypted_content");
    const text = joined(events, "response.reasoning_summary_text.delta");
    const done = events.find(({ type }) => type === "response.output_item.done");
    expect(done).toMatchObject({
      output_index: 0,
      item: { type: "reasoning", summary: [{ type: "summary_text", text }] },
    });
    expect(done?.item).toHaveProperty("encrypted_content");
    expect(events.at(-1)?.response?.output[0]).toEqual(done?.item ?? {});
    expect(outline(await streamed({ reasoning: { effort: "low" } })).slice(2, 4)).toEqual([
      "output_item.added",
      "output_item.done",
    ]);
  });

  test("hides the length of its pieces unless told not to", async () => {
    const lengths = (events: StreamEvent[]) =>
      events
        .filter(({ delta }) => delta !== undefined)
        .map(({ delta, obfuscation }) => (delta + (obfuscation ?? "")).length % 16);
    expect(new Set(lengths(await streamed({})))).toEqual(new Set([0]));
    const plain = await streamed({ stream_options: { include_obfuscation: false } });
    expect(plain.some((event) => "obfuscation" in event)).toBeFalse();
  });

  test("ends incomplete at its limit and when it was filtered", async () => {
    for (const body of [{ max_output_tokens: 16 }, { input: "hello sandbox:filter" }]) {
      const last = (await streamed(body)).at(-1);
      expect(last?.type).toBe("response.incomplete");
      expect(last?.response?.status).toBe("incomplete");
    }
  });

  test("goes without usage when told so", async () => {
    const last = (await streamed({ input: "hello sandbox:no-usage" })).at(-1);
    expect(last).toMatchObject({ type: "response.completed", response: { usage: null } });
  });

  test("fails after as many events as told", async () => {
    const events = await streamed({ input: "hello sandbox:error-after=5" });
    expect(events).toHaveLength(6);
    expect(events[5]).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error" } },
    });
    const late = await streamed({ input: "hello sandbox:error-after=5000" });
    expect(late.at(-2)?.type).toBe("response.output_item.done");
    expect(late.at(-1)?.type).toBe("response.failed");
    const [only, ...rest] = await streamed({ input: "hello sandbox:error-after=0" });
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ type: "error", code: "server_error", param: null });
  });
});
