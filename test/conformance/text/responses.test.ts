// The routes of responses: what is taken, what is answered, and the events of a stream.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { errorOf } from "../../harness/ask.ts";
import { eventsOf, list } from "../../harness/clients/client.ts";
import { responsesClient } from "../../harness/clients/responses.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const path = "/v1/responses";
const vendor = kept(new Vendor(answers("responses", "Hello.")));

const stand = useStand(() => startDialects("unpriced: free"));

beforeAll(async () => {
  const channel = { ...wires.responses.channel, name: "scripted", models: ["scripted"] };
  await stand.gateway.control("POST", "/api/channel", vendor.channel(channel));
  const dropping = { ...channel, name: "dropping", models: ["dropping"], drop_store: true };
  await stand.gateway.control("POST", "/api/channel", vendor.channel(dropping));
});

async function ask(body: JsonObject): Promise<JsonObject> {
  const response = await stand.gateway.post(path, body);
  const answer = (await response.json()) as JsonObject;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

async function streamed(body: JsonObject): Promise<JsonObject[]> {
  const response = await stand.gateway.post(path, { ...body, stream: true });
  expect(response.status).toBe(200);
  return eventsOf(await response.text());
}

const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const full: JsonObject = {
  input: [
    { role: "user", content: [{ type: "input_text", text: "Tell me about Oslo." }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "What?" }] },
    { role: "user", content: "Its weather." },
  ],
  instructions: "Be brief.",
  tools: [weather],
  tool_choice: "none",
  text: {
    format: {
      type: "json_schema",
      name: "city",
      schema: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  },
  reasoning: { effort: "low" },
  max_output_tokens: 400,
  metadata: { purpose: "test" },
  include: ["reasoning.encrypted_content"],
  store: false,
  temperature: 1,
};

describe("a response", () => {
  test.each([...dialects])(
    "T9 of a model on %s has the shape and both sets of usage",
    async (to) => {
      const answer = await ask({ model: modelOf[to], input: "What are lighthouses for?" });
      expect(answer).toMatchObject({
        id: expect.stringMatching(/^resp_/),
        object: "response",
        created_at: expect.any(Number),
        status: "completed",
        error: null,
        incomplete_details: null,
        model: modelOf[to],
      } as JsonObject);
      const text = expect.stringContaining("lighthouses");
      expect(list(answer["output"]).filter((item) => !isWordless(item))).toMatchObject([
        {
          type: "message",
          id: expect.stringMatching(/^msg_/),
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]);
      const usage = answer["usage"] as Record<string, number>;
      const { input_tokens: input = -1, output_tokens: output = -1 } = usage;
      expect(Math.min(input, output)).toBeGreaterThan(3);
      expect(usage).toMatchObject({
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: expect.any(Number) },
      });
    },
  );

  test.each([...dialects])(
    "T9 of a model on %s: every field is taken, most are repeated",
    async (to) => {
      const { input: _, include: __, reasoning: ___, ...repeated } = full;
      const answer = await ask({ model: modelOf[to], ...full });
      expect(answer).toMatchObject({
        ...repeated,
        reasoning: { effort: "low" },
        tools: [expect.objectContaining(weather)],
        previous_response_id: null,
      } as JsonObject);
      expect(JSON.parse(responsesClient.read(answer).text)).toEqual({ city: expect.any(String) });
    },
  );

  test("T9 every field and every unknown one reaches an upstream that speaks it", async () => {
    const odd = { x_vendor: { a: [null, 0] }, prompt_cache_key: "k", truncation: "auto" };
    await ask({ model: "scripted", ...full, ...odd });
    expect(vendor.requests.at(-1)?.body).toEqual({ model: "scripted", ...full, ...odd });
    expect(vendor.requests.at(-1)?.path).toBe(path);
  });

  test("T9 an answer of an upstream that speaks it comes as it is, with both sets of usage", async () => {
    const own = wires.responses.reply("Hello.", { input: 3, output: 4 }) as JsonObject;
    vendor.script = (_request, reply) => reply.json({ ...own, x_vendor: [1] });
    const usage = { ...(own["usage"] as JsonObject), prompt_tokens: 3, completion_tokens: 4 };
    expect(await ask({ model: "scripted", input: "Hello?" })).toEqual({
      ...own,
      x_vendor: [1],
      usage,
    });
  });

  test.each(["chat", "messages", "content"] as const)(
    "T9 an unknown field is no error on %s, which could not read it",
    async (to) => {
      const answer = await ask({ model: modelOf[to], input: "Hello?", x_unknown: { deep: [1] } });
      expect(answer).toMatchObject({ status: "completed" });
    },
  );

  test.each([
    [{ input: 5 }, "input"],
    [{ input: [5] }, "input.0"],
    [{ input: [{ role: "user", content: 5 }] }, "input.0.content"],
    [{ input: "Hello?", max_output_tokens: "many" }, "max_output_tokens"],
    [{ input: "Hello?", instructions: 5 }, "instructions"],
    [{ input: "Hello?", tools: {} }, "tools"],
    [{ input: "Hello?", background: true }, "background"],
  ])("Q5 %j is a 400 that names %s", async (fields, param) => {
    for (const to of dialects) {
      const before = stand.sandbox.calls().total;
      const response = await stand.gateway.post(path, { model: modelOf[to], ...fields });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({
        type: "invalid_request_error",
        param,
        code: "invalid_request",
      });
      expect(stand.sandbox.calls().total).toBe(before);
    }
  });
});

const textSteps = [
  "response.created",
  "response.in_progress",
  "response.output_item.added",
  "response.content_part.added",
  "response.output_text.delta",
  "response.output_text.done",
  "response.content_part.done",
  "response.output_item.done",
  "response.completed",
];
const callSteps = [
  "response.output_item.added",
  "response.function_call_arguments.delta",
  "response.function_call_arguments.done",
  "response.output_item.done",
];
const reasoningSteps = [
  "response.output_item.added",
  "response.reasoning_summary_part.added",
  "response.reasoning_summary_text.delta",
  "response.reasoning_summary_text.done",
  "response.reasoning_summary_part.done",
  "response.output_item.done",
];

/**
 * The types in their order, each run of one type once. What a vendor signed without a word travels
 * in items of its own, which stand before or behind what they are about.
 */
function stepsOf(events: readonly JsonObject[]): unknown[] {
  const signed = events
    .filter(({ type, item }) => type === "response.output_item.done" && isWordless(item))
    .map((event) => event["output_index"]);
  const spoken = events.filter((event) => !signed.includes(event["output_index"]));
  const types = spoken.map(({ type }) => type);
  return types.filter((type, at) => type !== types[at - 1]);
}

function isWordless(item: unknown): boolean {
  const { type, summary } = item as { type: string; summary?: unknown[] };
  return type === "reasoning" && summary?.length === 0;
}

describe.each([...dialects])("a streamed response of a model on %s", (to) => {
  const model = modelOf[to];

  test("T10 has every event that clients rely on, in order and numbered", async () => {
    const events = await streamed({ model, input: "What are lighthouses for?" });
    expect(stepsOf(events)).toEqual(textSteps);
    expect(events.map((event) => event["sequence_number"])).toEqual([...events.keys()]);
    const ids = events.flatMap((event) =>
      event["item_id"] === undefined ? [] : [event["item_id"]],
    );
    expect(new Set(ids).size).toBe(1);
    for (const event of events.filter(({ type }) => type === "response.output_text.delta")) {
      expect(event).toMatchObject({
        output_index: 0,
        content_index: 0,
        delta: expect.any(String),
        logprobs: [],
      } as JsonObject);
    }
  });

  test("X-S26 T10 begins without usage, and ends with it and with everything that came", async () => {
    const events = await streamed({ model, input: "What are lighthouses for?" });
    const first = events[0]?.["response"] as JsonObject;
    expect(first).toMatchObject({ status: "in_progress", output: [], usage: null });
    const last = events.at(-1)?.["response"] as JsonObject;
    expect(last).toMatchObject({ id: first["id"], status: "completed" } as JsonObject);
    const usage = last["usage"] as JsonObject;
    expect(usage["input_tokens"]).toBeGreaterThan(3);
    expect(usage["prompt_tokens"]).toBe(usage["input_tokens"] as number);
    expect(usage["completion_tokens"]).toBe(usage["output_tokens"] as number);
    const deltas = events.map(({ delta }) => delta ?? "").join("");
    expect(responsesClient.read(last).text).toBe(deltas);
  });

  test("T10 has a call's arguments in pieces and whole", async () => {
    const events = await streamed({ model, input: "Use get_weather for Oslo.", tools: [weather] });
    expect(stepsOf(events).slice(2, -1)).toEqual(callSteps);
    const last = events.at(-1)?.["response"] as JsonObject;
    const call = list<JsonObject>(last["output"]).find(({ type }) => type === "function_call");
    const id = call?.["id"];
    expect(call).toMatchObject({
      type: "function_call",
      id: expect.stringMatching(/^fc_/),
      call_id: expect.any(String),
      name: "get_weather",
      arguments: '{"city":"Oslo"}',
      status: "completed",
    } as JsonObject);
    expect(
      events.find(({ type }) => type === "response.function_call_arguments.done"),
    ).toMatchObject({ item_id: id, arguments: '{"city":"Oslo"}' } as JsonObject);
  });

  test("T10 has a summary of the reasoning before the answer", async () => {
    const reasoning = { effort: "medium", summary: "auto" };
    const events = await streamed({ model, input: "What are lighthouses for?", reasoning });
    const steps = stepsOf(events).slice(2);
    expect(steps.slice(0, reasoningSteps.length)).toEqual(reasoningSteps);
    const last = events.at(-1)?.["response"] as JsonObject;
    const [item] = list<JsonObject>(last["output"]);
    expect(item).toMatchObject({
      type: "reasoning",
      id: expect.stringMatching(/^rs_/),
      summary: [{ type: "summary_text", text: expect.stringMatching(/think|Weighing/) }],
    } as JsonObject);
  });

  test("T11 its deltas are padded to one length unless the client declines", async () => {
    const body = { model, input: "What are lighthouses for?" };
    const isPadded = ({ obfuscation }: JsonObject) => typeof obfuscation === "string";
    const deltas = (events: JsonObject[]) =>
      events.filter(({ type }) => type === "response.output_text.delta");
    const asked = { ...body, stream_options: { include_obfuscation: true } };
    expect(deltas(await streamed(asked)).every(isPadded)).toBeTrue();
    const declined = { ...body, stream_options: { include_obfuscation: false } };
    expect((await streamed(declined)).some(isPadded)).toBeFalse();
  });

  test("T10 one that is cut at its limit ends as incomplete", async () => {
    const body = { model, input: "What are lighthouses for?", max_output_tokens: 20 };
    const last = (await streamed(body)).at(-1);
    expect(last).toMatchObject({
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    });
  });
});

describe("what is built on", () => {
  test.each([...dialects])("T11 an id that was never made is a 400 on %s", async (to) => {
    const before = stand.sandbox.calls().total;
    for (const stream of [false, true]) {
      const body = {
        model: modelOf[to],
        input: "Go on.",
        previous_response_id: "resp_none",
        stream,
      };
      const response = await stand.gateway.post(path, body);
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({
        type: "invalid_request_error",
        code: "previous_response_not_found",
        param: "previous_response_id",
      });
    }
    expect(stand.sandbox.calls().total).toBe(before);
  });

  test("T11 a channel may drop `store`, and keeps everything else", async () => {
    vendor.script = answers("responses", "Hello.");
    // The bound that was paid for in advance, as the client names none.
    const bound = { max_output_tokens: 64_000 };
    for (const store of [true, false]) {
      await ask({ model: "dropping", input: "Hello?", store, metadata: {} });
      const sent = { model: "dropping", input: "Hello?", metadata: {}, ...bound };
      expect(vendor.requests.at(-1)?.body).toEqual(sent);
      await ask({ model: "scripted", input: "Hello?", store });
      const kept = { model: "scripted", input: "Hello?", store, ...bound };
      expect(vendor.requests.at(-1)?.body).toEqual(kept);
    }
  });
});

// The specification has `input` as not required, beside `previous_response_id`; with neither there
// is nothing to answer, and "Required field missing" is a 400 with `invalid_request`.
test("T9 a response without anything to answer is one 400, whichever vendor serves it", async () => {
  const before = stand.sandbox.calls().total;
  for (const dialect of dialects) {
    for (const more of [{}, { input: null }, { instructions: "Be brief." }]) {
      const response = await stand.gateway.post(path, { model: modelOf[dialect], ...more });
      expect([dialect, response.status]).toEqual([dialect, 400]);
      expect(await errorOf(response)).toMatchObject({ code: "invalid_request", param: "input" });
    }
  }
  expect(stand.sandbox.calls().total).toBe(before);
});
