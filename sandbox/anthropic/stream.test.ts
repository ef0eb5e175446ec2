// Streams over real HTTP: the sequence of events, and faults on demand.
import { afterAll, describe, expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { readEvents } from "../../src/core/sse.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({
  port: 0,
  clock: systemClock,
  timers: systemTimers,
  paceMs: 0,
  words: 12,
});
afterAll(() => sandbox.close());

type Event = Anthropic.RawMessageStreamEvent | { type: "ping" } | { type: "error" };

function post(content: string, body: object = {}) {
  return fetch(`${sandbox.url}/anthropic/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-sandbox-a", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({
      model: "m",
      max_tokens: 2000,
      stream: true,
      messages: [{ role: "user", content }],
      ...body,
    }),
  });
}

async function streamOf(content: string, body: object = {}): Promise<Event[]> {
  const response = await post(content, body);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  return readEvents(await response.text()).map(({ event, data }) => {
    const parsed = JSON.parse(data) as Event;
    expect(event).toBe(parsed.type);
    return parsed;
  });
}

/** The types of events; deltas by their own type, and each run of them once. */
function outline(events: readonly Event[]): string[] {
  const names = events.map((event) =>
    event.type === "content_block_delta" ? `${event.index} ${event.delta.type}` : event.type,
  );
  const plain = names.filter((name) => name !== "ping");
  return plain.filter((name, at) => name !== plain[at - 1]);
}

function deltasOf(events: readonly Event[]) {
  return events.filter((event) => event.type === "content_block_delta").map(({ delta }) => delta);
}

describe("a stream", () => {
  test("of words has every event in its order, and a ping", async () => {
    const events = await streamOf("Tell me of rivers");
    expect(outline(events)).toEqual([
      "message_start",
      "content_block_start",
      "0 text_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events.filter(({ type }) => type === "ping")).toHaveLength(1);
  });

  test("says what the whole answer would", async () => {
    const whole = (await (
      await post("Tell me of rivers", { stream: false })
    ).json()) as Anthropic.Message;
    const deltas = deltasOf(await streamOf("Tell me of rivers"));
    const text = deltas.map((delta) => (delta.type === "text_delta" ? delta.text : "")).join("");
    expect(whole.content[0]).toMatchObject({ type: "text", text });
  });

  test("counts the input at its start and the output at its end", async () => {
    const events = await streamOf("Tell me of rivers", { cache_control: { type: "ephemeral" } });
    expect(events[0]).toMatchObject({
      type: "message_start",
      message: {
        content: [],
        stop_reason: null,
        usage: { input_tokens: 0, cache_read_input_tokens: 5, output_tokens: 1 },
      },
    });
    expect(events.at(-2)).toMatchObject({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 0, cache_read_input_tokens: 5, output_tokens: expect.any(Number) },
    });
  });

  test("of thinking ends the thought with its signature", async () => {
    const events = await streamOf("Tell me of rivers", { thinking: { type: "adaptive" } });
    expect(outline(events)).toEqual([
      "message_start",
      "content_block_start",
      "0 thinking_delta",
      "0 signature_delta",
      "content_block_stop",
      "content_block_start",
      "1 text_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test("of thinking that is kept back has the signature alone", async () => {
    const thinking = { type: "adaptive", display: "omitted" };
    const types = deltasOf(await streamOf("Tell me of rivers", { thinking })).map(
      ({ type }) => type,
    );
    expect(types).not.toContain("thinking_delta");
    expect(types[0]).toBe("signature_delta");
  });

  test("of calls begins each with nothing and ends with its whole input", async () => {
    const input_schema = {
      type: "object",
      properties: { city: { type: "string", minLength: 30 } },
      required: ["city"],
    };
    const tools = ["look", "hear"].map((name) => ({ name, input_schema }));
    const events = await streamOf("Use look and hear", { tools });
    const starts = events.filter((event) => event.type === "content_block_start");
    expect(starts.map(({ content_block: block }) => block)).toMatchObject([
      { type: "tool_use", name: "look", input: {} },
      { type: "tool_use", name: "hear", input: {} },
    ]);
    const pieces = deltasOf(events).map((delta) =>
      delta.type === "input_json_delta" ? delta.partial_json : "?",
    );
    expect(pieces.filter((piece) => piece === "")).toHaveLength(2);
    const first = pieces.slice(0, pieces.lastIndexOf("")).join("");
    expect(JSON.parse(first)).toEqual({ city: expect.any(String) });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  test("of a refusal says so at its end", async () => {
    const events = await streamOf("Tell me of rivers sandbox:filter");
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "refusal", stop_details: { type: "refusal" } },
    });
  });

  test("of nothing is whole all the same", async () => {
    expect(outline(await streamOf("Tell me of rivers", { max_tokens: 0 }))).toEqual([
      "message_start",
      "message_delta",
      "message_stop",
    ]);
  });
});

describe("a stream on demand", () => {
  test("breaks off with an error of the vendor's kind", async () => {
    const events = await streamOf("Tell me of rivers sandbox:error-after=4");
    expect(events).toHaveLength(5);
    expect(events.at(-1)).toEqual({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    } as Event);
  });

  test("leaves out its usage", async () => {
    const events = await streamOf("Tell me of rivers sandbox:no-usage");
    expect(JSON.stringify(events)).not.toContain("usage");
    const whole = await post("Tell me of rivers sandbox:no-usage", { stream: false });
    expect(await whole.text()).not.toContain("usage");
  });

  test("has a first word before it is cut or becomes garbage", async () => {
    const garbage = await (await post("Tell me of rivers sandbox:garbage")).text();
    expect(garbage).toContain('"text_delta","text":"You"');
    expect(garbage).not.toContain("message_stop");
    const response = await post("Tell me of rivers sandbox:cut");
    await expect(response.text()).rejects.toThrow();
  });
});
