// The official openai client's responses, as they are, against upstreams of every dialect.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  OpenAI,
  RateLimitError,
} from "openai";
import { ResponsesToolRunner } from "openai/helpers/responses-tool-runner";
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";
import type { Response, ResponseInputItem } from "openai/resources/responses/responses";
import { dialects, modelOf, startTapped } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { farImage, placeSchema, pngSeen, pngUrl, proofsIn } from "../harness/samples.ts";
import { useStand } from "../harness/nodes/stand.ts";

let client: OpenAI;

const stand = useStand(() => startTapped("distribution: { failures_to_eject: 1000 }"));

beforeAll(() => {
  client = clientOf(rootKey);
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stand.gateway.url}/v1`, maxRetries: 0 });
}

const question = "Where do lighthouses stand?";

/** Error of a call; a call that succeeds is a failure here. */
async function apiErrorOf(call: PromiseLike<unknown>): Promise<APIError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

function tool(name: string) {
  return {
    type: "function" as const,
    name,
    description: `The ${name} tool`,
    parameters: placeSchema,
    strict: true,
  };
}

const findCity = tool("find_city");
const thinking = {
  reasoning: { effort: "medium" as const, summary: "auto" as const },
  include: ["reasoning.encrypted_content" as const],
};

interface Asked {
  model: string;
  input: string | ResponseInputItem[];
}

/** One response, whole or put together from its stream. */
async function respond<Body extends Asked>(body: Body, isStream: boolean): Promise<Response> {
  return isStream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create(body);
}

/** Conversation so far, as the client has it, and the results of the tools. */
function continued(asked: string, { output }: Response, results: readonly string[]) {
  const calls = output.filter(
    ({ type }) => type === "function_call" || type === "custom_tool_call",
  );
  const returned = calls.map((call, at): ResponseInputItem => {
    if (!("call_id" in call) || !call.call_id) throw new Error("a call without an id");
    const isCustom = call.type === "custom_tool_call";
    const type = isCustom ? "custom_tool_call_output" : "function_call_output";
    return { type, call_id: call.call_id, output: results[at] ?? "" };
  });
  return [{ role: "user" as const, content: asked }, ...toResponseInputItems(output), ...returned];
}

describe.each(dialects)("responses on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("T9 create gives the answer, its usage and what was asked", async () => {
    const body = { model, input: question, instructions: "Be brief.", metadata: { topic: "sea" } };
    const { data, request_id } = await client.responses.create(body).withResponse();
    expect(data).toMatchObject({
      object: "response",
      status: "completed",
      model,
      error: null,
      incomplete_details: null,
      instructions: "Be brief.",
      metadata: { topic: "sea" },
    });
    expect(data.id).toStartWith("resp_");
    expect(data.output_text).toStartWith("You asked about lighthouses");
    const { input_tokens: input = 0, output_tokens: output = 0 } = data.usage ?? {};
    expect(input).toBeGreaterThan(5);
    expect(output).toBeGreaterThan(20);
    expect(data.usage).toMatchObject({
      total_tokens: input + output,
      prompt_tokens: input,
      completion_tokens: output,
    });
    expect(request_id).toStartWith("req_");
    expect(stand.sandbox.calls().recent.at(-1)).toMatchObject({ model, outcome: "completed" });
  });

  test("T10 the stream helper puts the same answer together from its events", async () => {
    const stream = client.responses.stream({ model, input: question });
    const pieces: string[] = [];
    const numbers: number[] = [];
    stream.on("response.output_text.delta", ({ delta }) => pieces.push(delta));
    stream.on("event", ({ sequence_number: number }) => numbers.push(number));
    const streamed = await stream.finalResponse();
    const whole = await client.responses.create({ model, input: question });
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.join("")).toBe(streamed.output_text);
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.status).toBe("completed");
    expect(streamed.usage).toEqual(whole.usage ?? undefined);
    expect(numbers).toEqual([...numbers.keys()]);
  });

  test("T9 instructions and late system and developer items are read by the model", async () => {
    const plain = await client.responses.create({ model, input: question });
    const told = await client.responses.create({
      model,
      instructions: "You keep a lighthouse in the far north.",
      input: [
        { role: "developer", content: "Be brief and kind." },
        { role: "user", content: "Good morning!" },
        { role: "assistant", content: "Good morning to you." },
        { role: "system", content: "The next question matters." },
        { role: "user", content: [{ type: "input_text", text: question }] },
      ],
    });
    expect(told.output_text).toMatch(/^You asked about .*lighthouses/);
    const more = (told.usage?.input_tokens ?? 0) - (plain.usage?.input_tokens ?? 0);
    expect(more).toBeWithin(20, 60);
  });

  test.each([false, true])(
    "T9 a tool loop of two turns comes to its end (stream: %p)",
    async (isStream) => {
      const asked = "How far is it to Lisbon?";
      const first = await respond({ model, input: asked, tools: [findCity] }, isStream);
      expect(first).toMatchObject({ status: "completed", output_text: "" });
      expect(first.output.filter(({ type }) => type === "function_call")).toMatchObject([
        { name: "find_city", arguments: '{"city":"Lisbon"}', status: "completed" },
      ]);
      const input = continued(asked, first, ["Lisbon is 300 km away"]);
      const next = await respond({ model, input, tools: [findCity] }, isStream);
      expect(next.output_text).toContain("Lisbon is 300 km away");
    },
  );

  test.each([false, true])(
    "T16 thinking comes back with its items (stream: %p)",
    async (isStream) => {
      const asked = "How far is it to Lisbon?";
      const body = { model, tools: [findCity], store: false, ...thinking };
      const first = await respond({ ...body, input: asked }, isStream);
      const [thought] = first.output.filter((item) => item.type === "reasoning");
      expect(thought?.summary[0]?.type).toBe("summary_text");
      expect(thought?.summary[0]?.text).toMatch(/think|Weighing/);
      expect(first.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(5);
      const input = continued(asked, first, ["300 km"]);
      const next = await respond({ ...body, input }, isStream);
      expect(next.output_text).toContain("300 km");
      expect(proofsIn(stand.tap.bodies.at(-1), dialect)).not.toEqual([]);
    },
  );

  test.each([false, true])(
    "T9 the client's tool runner runs to its end (stream: %p)",
    async (stream) => {
      const asked: unknown[] = [];
      const runner = new ResponsesToolRunner({
        functions: [
          {
            tool: findCity,
            execute: (input) => {
              asked.push(input);
              return "Lisbon is 300 km away";
            },
          },
        ],
      });
      const body = { model, input: "How far is it to Lisbon?", store: false, ...thinking };
      const response = await runner.run(client, body, { stream });
      expect(asked).toEqual([{ city: "Lisbon" }]);
      expect(response.output_text).toContain("Lisbon is 300 km away");
      expect(proofsIn(stand.tap.bodies.at(-1), dialect)).not.toEqual([]);
    },
  );

  test.each([false, true])(
    "T9 calls in parallel are answered by their results (stream: %p)",
    async (isStream) => {
      const asked = "Use find_city and get_weather for Lisbon.";
      const tools = [findCity, tool("get_weather")];
      const first = await respond({ model, input: asked, tools }, isStream);
      expect(first.output.filter(({ type }) => type === "function_call")).toMatchObject([
        { name: "find_city", arguments: '{"city":"Lisbon"}' },
        { name: "get_weather", arguments: '{"city":"Lisbon"}' },
      ]);
      const input = continued(asked, first, ["In Portugal.", "Sunny."]);
      const next = await respond({ model, input, tools }, isStream);
      expect(next.output_text).toMatch(/In Portugal\.[^]*Sunny\./);
    },
  );

  test.each([false, true])("T9 custom tools take free text (stream: %p)", async (isStream) => {
    const asked = "Which town is it, Lisbon?";
    const format = { type: "grammar" as const, syntax: "regex" as const, definition: "[A-Z]+" };
    const tools = [{ type: "custom" as const, name: "town", format }];
    const first = await respond({ model, input: asked, tools }, isStream);
    expect(first.output.filter(({ type }) => type !== "reasoning")).toMatchObject([
      { type: "custom_tool_call", name: "town", input: "Lisbon" },
    ]);
    const input = continued(asked, first, ["It is a capital."]);
    const next = await respond({ model, input, tools }, isStream);
    expect(next.output_text).toContain("It is a capital.");
  });

  test("T16 images come as bytes and by address", async () => {
    const reply = await client.responses.create({
      model,
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is on these?" },
            { type: "input_image", image_url: pngUrl, detail: "auto" },
            { type: "input_image", image_url: farImage, detail: "low" },
          ],
        },
      ],
    });
    expect(reply.output_text).toStartWith(pngSeen);
    expect(reply.output_text).toContain(`at ${farImage}.`);
  });

  test("T9 parse gives the object that the schema describes, whole and streamed", async () => {
    const format = {
      type: "json_schema" as const,
      name: "place",
      strict: true,
      schema: placeSchema,
    };
    const body = { model, input: "Which city is it, Lisbon?", text: { format } };
    const whole = await client.responses.parse(body);
    expect(whole.output_parsed).toEqual({ city: "Lisbon" });
    const streamed = await client.responses.stream(body).finalResponse();
    expect(streamed.output_parsed).toEqual({ city: "Lisbon" });
  });

  test("T9 the bound on the output is kept and told", async () => {
    for (const isStream of [false, true]) {
      const reply = await respond({ model, input: question, max_output_tokens: 20 }, isStream);
      expect(reply).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        max_output_tokens: 20,
      });
      expect(reply.usage?.output_tokens).toBeWithin(1, 21);
    }
  });

  test("T16 an answer that is withheld says so", async () => {
    for (const isStream of [false, true]) {
      const input = "sandbox:filter Where do lighthouses stand?";
      const reply = await respond({ model, input }, isStream);
      expect(reply).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason: "content_filter" },
      });
    }
  });

  test("T12 compact gives what a later response goes on with", async () => {
    const compacted = await client.responses.compact({
      model,
      input: [
        { role: "user", content: "Tell me about harbours." },
        { role: "assistant", content: "A harbour is where ships rest." },
        { role: "user", content: "And about tides?" },
        { role: "assistant", content: "They come twice a day." },
      ],
    });
    expect(compacted.object).toBe("response.compaction");
    expect(compacted.output.filter(({ type }) => type === "compaction")).toHaveLength(1);
    expect(compacted.usage.input_tokens).toBeGreaterThan(10);
    const said = toResponseInputItems(compacted.output);
    const input = [...said, { role: "user" as const, content: question }];
    const next = await client.responses.create({ model, input });
    expect(next.output_text).toStartWith("You asked about");
    const sent = JSON.stringify(stand.tap.bodies.at(-1));
    expect(sent).toContain("lighthouses");
    expect(sent).toContain(
      dialect === "responses" ? '"compaction"' : "a summary of the conversation",
    );
  });

  test("N5 the tokens of an input are counted as its response counts them", async () => {
    const counted = await client.responses.inputTokens.count({ model, input: question });
    expect(counted.object).toBe("response.input_tokens");
    const { usage } = await client.responses.create({ model, input: question });
    expect(counted.input_tokens).toBe(usage?.input_tokens ?? 0);
  });

  test("T11 a response goes on from the id of an earlier one, and is found by its own", async () => {
    const first = await client.responses.create({ model, input: "Tell me about harbours." });
    const next = await client.responses.create({
      model,
      input: question,
      previous_response_id: first.id,
    });
    expect(next.previous_response_id).toBe(first.id);
    expect(next.output_text).toStartWith("You asked about lighthouses");
    const plain = await client.responses.create({ model, input: question });
    const more = (next.usage?.input_tokens ?? 0) - (plain.usage?.input_tokens ?? 0);
    expect(more).toBeGreaterThan(30);
    expect((await client.responses.retrieve(next.id)).output_text).toBe(next.output_text);
  });

  test("T11 the id of a response that is not kept throws BadRequestError that names it", async () => {
    const unkept = await client.responses.create({ model, input: question, store: false });
    for (const id of [unkept.id, "resp_unknown"]) {
      const body = { model, input: question, previous_response_id: id };
      const error = await apiErrorOf(client.responses.create(body));
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ status: 400, param: "previous_response_id" });
      expect(await apiErrorOf(client.responses.retrieve(id))).toBeInstanceOf(NotFoundError);
    }
  });
});

/** With this word in a prompt the vendor of messages shows nothing of its thinking. */
const redacting = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING";

test.each([false, true])(
  "T16 thinking that is hidden comes back too (stream: %p)",
  async (isStream) => {
    const asked = `${redacting} How far is it to Lisbon?`;
    const body = { model: modelOf.messages, tools: [findCity], store: false, ...thinking };
    const first = await respond({ ...body, input: asked }, isStream);
    const next = await respond({ ...body, input: continued(asked, first, ["300 km"]) }, isStream);
    expect(next.output_text).toContain("300 km");
    expect(JSON.stringify(stand.tap.bodies.at(-1))).toContain('"redacted_thinking"');
  },
);

describe.each(dialects)("errors of responses on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N2 a wrong key and too little quota throw what they are", async () => {
    const wrong = clientOf("sk-nobody").responses.create({ model, input: question });
    expect(await apiErrorOf(wrong)).toBeInstanceOf(AuthenticationError);
    const { key } = await stand.gateway.customer(1);
    const poor = await apiErrorOf(clientOf(key).responses.create({ model, input: question }));
    expect(poor).toMatchObject({ status: 402, code: "insufficient_user_quota" });
  });

  test("T18 a stream that breaks off throws, and never hangs", async () => {
    for (const directive of ["sandbox:error-after=2", "sandbox:error-after=8", "sandbox:cut"]) {
      const body = { model, input: `${directive} ${question}` };
      const helper = client.responses.stream(body).finalResponse();
      expect(await apiErrorOf(helper)).not.toBeInstanceOf(APIConnectionError);
      const read = async () => {
        const stream = await client.responses.create({ ...body, stream: true });
        for await (const event of stream) expect(event.type).not.toBe("response.completed");
      };
      expect((await apiErrorOf(read())).code).toBeOneOf(["bad_response", "do_request_failed"]);
    }
  });

  test("N2 a busy upstream throws RateLimitError", async () => {
    const busy = client.responses.create({ model, input: "sandbox:status=429 lighthouses" });
    expect(await apiErrorOf(busy)).toBeInstanceOf(RateLimitError);
  });
});

test("N2 an unknown model throws InternalServerError 503", async () => {
  const error = await apiErrorOf(client.responses.create({ model: "nothing", input: question }));
  expect(error).toBeInstanceOf(InternalServerError);
  expect(error).toMatchObject({ status: 503, code: "model_not_found", param: "model" });
});
