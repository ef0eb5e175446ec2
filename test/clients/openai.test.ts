// The official openai client, as it is, against the running gateway and its sandbox vendor.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  APIConnectionError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  OpenAI,
  RateLimitError,
  UnprocessableEntityError,
} from "openai";
import { eventually, logRow, newestRow } from "../harness/books.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { useStand } from "../harness/nodes/stand.ts";

let client: OpenAI;
/** Requests of this file's clients and their answers, in order. */
const calls: { retry: string | null; status: number }[] = [];

const gateway = useStand(() =>
  startGateway({
    config: "{ distribution: { failures_to_eject: 1000 }, text: { read_on_ms: 300 } }",
  }),
);

beforeAll(() => {
  client = clientOf(rootKey);
});

function clientOf(apiKey: string, maxRetries = 0): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: `${gateway.url}/v1`,
    maxRetries,
    fetch: async (input, init) => {
      const response = await fetch(String(input), init);
      const retry = new Headers(init?.headers).get(retryHeader);
      calls.push({ retry, status: response.status });
      return response;
    },
  });
}

const model = "chatA";
const retryHeader = "x-stainless-retry-count";

function ask(content: string) {
  return { model, messages: [{ role: "user" as const, content }] };
}

const question = ask("Where do lighthouses stand?");
/** Begins, and is not over before its client leaves, however late that is. */
const endless = ask("sandbox:stall Where do lighthouses stand?");

/** Error of a call; a call that succeeds is a failure here. */
async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call succeeded");
}

async function apiErrorOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await thrownBy(call);
  if (error instanceof APIError) return error;
  throw error;
}

describe("chat", () => {
  test("T1 the client gets an answer, its usage and the request's id", async () => {
    const { data, response, request_id } = await client.chat.completions
      .create({ ...question, temperature: 0.2, seed: 1, max_completion_tokens: 200 })
      .withResponse();
    expect(data.object).toBe("chat.completion");
    expect(data.choices[0]?.message.role).toBe("assistant");
    expect(data.choices[0]?.message.content).toContain("lighthouses");
    expect(data.choices[0]?.finish_reason).toBe("stop");
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    expect(request_id).toStartWith("req_");
    expect(data).toHaveProperty("_request_id", request_id);
    const row = await logRow(gateway, response);
    expect(row.output_tokens).toBe(data.usage?.completion_tokens ?? -1);
  });

  test("T2 the client's content parts and roles are understood", async () => {
    const reply = await client.chat.completions.create({
      model,
      messages: [
        { role: "developer", content: "Be brief." },
        { role: "system", content: [{ type: "text", text: "Be kind." }] },
        { role: "assistant", content: "Gladly." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is on the lighthouse picture?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
            { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
          ],
        },
      ],
    });
    const content = reply.choices[0]?.message.content;
    expect(content).toContain("an image of type image/png");
    expect(content).toContain("https://example.com/a.png");
  });
});

describe("streams", () => {
  test("T3 the client reads chunks one by one", async () => {
    const stream = await client.chat.completions.create({ ...question, stream: true });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.every((chunk) => (chunk.usage ?? null) === null)).toBeTrue();
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test("T4 the client reads usage from the last chunk when it asks", async () => {
    const stream = await client.chat.completions.create({
      ...question,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
  });

  test("T3 the stream helper puts the final completion together", async () => {
    const stream = client.chat.completions.stream({
      ...question,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    stream.on("content", (piece) => pieces.push(piece));
    const reply = await stream.finalChatCompletion();
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toBe(reply.choices[0]?.message.content ?? "");
    expect(reply.choices[0]?.finish_reason).toBe("stop");
    expect(reply.usage?.completion_tokens).toBeGreaterThan(0);
    const whole = await client.chat.completions.create(question);
    expect(pieces.join("")).toBe(whole.choices[0]?.message.content ?? "");
  });

  test("T18 a client that stops reading is billed as one who left", async () => {
    const { key, keyId } = await gateway.customer(100_000_000);
    const stream = await clientOf(key).chat.completions.create({ ...endless, stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) break;
    }
    const row = await newestRow(gateway, keyId);
    expect(row).toMatchObject({ outcome: "client_abort", stream: true });
    expect(row.micros).toBeGreaterThan(0);
  });

  test("T18 an aborted request throws the client's own abort error", async () => {
    const { key, keyId } = await gateway.customer(100_000_000);
    const controller = new AbortController();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const helper = clientOf(key).chat.completions.stream(endless, { signal: controller.signal });
    helper.on("chunk", () => begin());
    const thrown = thrownBy(helper.finalChatCompletion());
    await begun;
    controller.abort();
    expect(await thrown).toBeInstanceOf(APIUserAbortError);
    expect((await newestRow(gateway, keyId)).outcome).toBe("client_abort");
  });

  test("T18 a stream that breaks off throws what the error event says", async () => {
    for (const directive of ["sandbox:cut", "sandbox:error-after=5"]) {
      const stream = await client.chat.completions.create({
        ...ask(`${directive} Where do lighthouses stand?`),
        stream: true,
      });
      const read = async () => {
        for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
      };
      const error = await apiErrorOf(read());
      expect(error).not.toBeInstanceOf(APIConnectionError);
      expect(error).toMatchObject({ type: "server_error", code: "bad_response" });
    }
  });
});

const findCity = {
  type: "function" as const,
  function: {
    name: "find_city",
    description: "Finds a city",
    parameters: {
      type: "object" as const,
      properties: { city: { type: "string" as const } },
      required: ["city"],
    },
  },
};

describe("tools", () => {
  const request = { ...ask("How far is it to Lisbon?"), tools: [findCity] };
  const expected = [{ function: { name: "find_city", arguments: '{"city":"Lisbon"}' } }];

  test("T5 the client reads calls, whole and streamed", async () => {
    const whole = await client.chat.completions.create(request);
    expect(whole.choices[0]?.message.content).toBeNull();
    expect(whole.choices[0]?.finish_reason).toBe("tool_calls");
    expect(whole.choices[0]?.message.tool_calls).toMatchObject(expected);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(expected);
    expect(streamed.choices[0]?.finish_reason).toBe("tool_calls");
  });

  test("T5 the client tells calls in parallel apart by their indexes", async () => {
    const second = { ...findCity, function: { ...findCity.function, name: "get_weather" } };
    const stream = client.chat.completions.stream({
      ...ask("Use find_city and get_weather for Lisbon."),
      tools: [findCity, second],
      tool_choice: "required",
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: "find_city", arguments: '{"city":"Lisbon"}' } },
      { function: { name: "get_weather", arguments: '{"city":"Lisbon"}' } },
    ]);
  });

  test.each([false, true])("T5 runTools runs to its end (stream: %p)", async (stream) => {
    const tool = {
      type: "function" as const,
      function: {
        ...findCity.function,
        function: ({ city }: { city: string }) => `${city} is 300 km away`,
        parse: (text: string): { city: string } => JSON.parse(text),
      },
    };
    const asked = ask("How far is it to Lisbon?");
    const runner = stream
      ? client.chat.completions.runTools({ ...asked, stream, tools: [tool] })
      : client.chat.completions.runTools({ ...asked, tools: [tool] });
    expect(await runner.finalContent()).toContain("Lisbon is 300 km away");
  });
});

describe("structured output", () => {
  const json_schema = {
    name: "place",
    strict: true,
    schema: {
      type: "object",
      properties: { city: { type: "string" }, people: { type: "integer", minimum: 1000 } },
      required: ["city", "people"],
      additionalProperties: false,
    },
  };
  const response_format = { type: "json_schema" as const, json_schema };

  test("T6 parse gives the object that the schema describes", async () => {
    const reply = await client.chat.completions.parse({
      ...ask("Which city is it, Lisbon?"),
      response_format,
    });
    const written: unknown = JSON.parse(reply.choices[0]?.message.content ?? "");
    expect(written).toEqual({ city: expect.any(String), people: expect.any(Number) });
  });

  test("T6 the stream helper gives it as well", async () => {
    const stream = client.chat.completions.stream({
      ...ask("Which city is it, Lisbon?"),
      response_format,
    });
    const content = (await stream.finalContent()) ?? "";
    expect(JSON.parse(content)).toHaveProperty("people");
  });

  test("T6 json_object gives an object", async () => {
    const reply = await client.chat.completions.create({
      ...question,
      response_format: { type: "json_object" },
    });
    expect(JSON.parse(reply.choices[0]?.message.content ?? "")).toBeObject();
  });
});

describe("the client's other resources", () => {
  test("T8 legacy completions come whole and streamed", async () => {
    const request = { model, prompt: "Lighthouses stand", max_tokens: 12 };
    const whole = await client.completions.create(request);
    expect(whole.object).toBe("text_completion");
    expect(whole.choices[0]?.finish_reason).toBe("length");
    let text = "";
    for await (const chunk of await client.completions.create({ ...request, stream: true })) {
      expect(chunk.object).toBe("text_completion");
      text += chunk.choices[0]?.text ?? "";
    }
    expect(text).toBe(whole.choices[0]?.text ?? "");
  });

  test("N1 models.list lists them and models.retrieve finds one", async () => {
    const ids: string[] = [];
    for await (const entry of client.models.list()) ids.push(entry.id);
    expect(ids).toContain(model);
    expect(new Set(ids).size).toBe(ids.length);
    const one = await client.models.retrieve(model);
    expect(one).toMatchObject({ id: model, object: "model", owned_by: "vendorA" });
    expect(await thrownBy(client.models.retrieve("nothing"))).toBeInstanceOf(NotFoundError);
  });
});

describe("errors", () => {
  test("N2 a wrong key throws AuthenticationError", async () => {
    const error = await apiErrorOf(clientOf("sk-nobody").chat.completions.create(question));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      status: 401,
      code: "invalid_api_key",
      type: "invalid_request_error",
      param: null,
    });
    expect(error.requestID).toStartWith("req_");
  });

  test("N2 a wrong field throws BadRequestError that names it", async () => {
    const body = { ...question, temperature: "hot" };
    const error = await apiErrorOf(client.post("/chat/completions", { body }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code: "invalid_request", param: "temperature" });
  });

  test("N2 an upstream's refusal throws the class of its status", async () => {
    const refused = client.chat.completions.create(ask("sandbox:status=422"));
    expect(await apiErrorOf(refused)).toBeInstanceOf(UnprocessableEntityError);
    const bad = client.chat.completions.create({ ...ask("sandbox:status=400"), stream: true });
    expect(await apiErrorOf(bad)).toBeInstanceOf(BadRequestError);
  });

  test("N2 too many requests throw RateLimitError with the time to wait", async () => {
    const { key } = await gateway.customer(100_000_000, { requests_per_minute: 1 });
    const limited = clientOf(key);
    await limited.chat.completions.create(question);
    const error = await apiErrorOf(limited.chat.completions.create(question));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: "rate_limit_exceeded", type: "rate_limit_error" });
    expect(Number(error.headers?.get("retry-after"))).toBeWithin(1, 61);
  });

  test("N2 too little quota throws APIError 402 and is not tried again", async () => {
    const { key } = await gateway.customer(1);
    const before = calls.length;
    const error = await apiErrorOf(clientOf(key, 3).chat.completions.create(question));
    expect(error).toMatchObject({ status: 402, code: "insufficient_user_quota" });
    expect(calls).toHaveLength(before + 1);
  });

  test("N2 an unknown model throws InternalServerError 503 and is not tried again", async () => {
    const before = calls.length;
    const patient = clientOf(rootKey, 3);
    const error = await apiErrorOf(
      patient.chat.completions.create({ ...question, model: "nothing" }),
    );
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 503, code: "model_not_found", param: "model" });
    expect(calls).toHaveLength(before + 1);
  });

  test("N2 an upstream's failure throws InternalServerError and is tried again", async () => {
    const before = calls.length;
    const failing = clientOf(rootKey, 1).chat.completions.create(ask("sandbox:status=500"));
    const error = await apiErrorOf(failing);
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 500, code: "bad_response", type: "server_error" });
    expect(calls.slice(before)).toEqual([
      { retry: "0", status: 500 },
      { retry: "1", status: 500 },
    ]);
  });

  test("N2 a busy key's retry-after is honoured and the retry succeeds", async () => {
    const { key, keyId } = await gateway.customer(100_000_000, { concurrency: 1 });
    const controller = new AbortController();
    await clientOf(key).chat.completions.create(
      { ...endless, stream: true },
      { signal: controller.signal },
    );
    const before = calls.length;
    const patient = clientOf(key, 2).chat.completions.create(question);
    await eventually("a refusal", async () => calls[before]);
    controller.abort();
    await newestRow(gateway, keyId);
    const reply = await patient;
    expect(reply.choices[0]?.finish_reason).toBe("stop");
    expect(calls.slice(before)).toEqual([
      { retry: "0", status: 429 },
      { retry: "1", status: 200 },
    ]);
  });
});
