// The official openai client, as it is, against upstreams of every dialect: chat, legacy
// completions and embeddings.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  OpenAI,
  RateLimitError,
} from "openai";
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

function ask(model: string, content: string = question) {
  return { model, messages: [{ role: "user" as const, content }] };
}

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
    function: { name, description: `The ${name} tool`, parameters: placeSchema },
  };
}

const findCity = tool("find_city");

describe.each(dialects)("chat on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("T1 create gives the answer and its usage", async () => {
    const { data, request_id } = await client.chat.completions.create(ask(model)).withResponse();
    expect(data).toMatchObject({ object: "chat.completion", model });
    const [choice] = data.choices;
    expect(choice).toMatchObject({ index: 0, finish_reason: "stop" });
    expect(choice?.message.role).toBe("assistant");
    expect(choice?.message.content).toStartWith("You asked about lighthouses");
    const { prompt_tokens: input = 0, completion_tokens: output = 0 } = data.usage ?? {};
    expect(input).toBeGreaterThan(3);
    expect(output).toBeGreaterThan(20);
    expect(data.usage?.total_tokens).toBe(input + output);
    expect(request_id).toStartWith("req_");
    expect(stand.sandbox.calls().recent.at(-1)).toMatchObject({ model, outcome: "completed" });
  });

  test("T3 the stream helper puts the same answer together from its pieces", async () => {
    const stream = client.chat.completions.stream({
      ...ask(model),
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    stream.on("content", (piece) => pieces.push(piece));
    const streamed = await stream.finalChatCompletion();
    const whole = await client.chat.completions.create(ask(model));
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.join("")).toBe(streamed.choices[0]?.message.content ?? "");
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content ?? "");
    expect(streamed.choices[0]?.finish_reason).toBe("stop");
    expect(streamed.usage).toEqual(whole.usage ?? undefined);
  });

  test("T3 chunks are of one completion, and usage comes only when it is asked for", async () => {
    const chunks = [];
    const stream = await client.chat.completions.create({ ...ask(model), stream: true });
    for await (const chunk of stream) chunks.push(chunk);
    expect(new Set(chunks.map(({ id, model: name }) => `${id} ${name}`)).size).toBe(1);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.every(({ usage }) => (usage ?? null) === null)).toBeTrue();
  });

  test("T2 system and developer prompts, early and late, are read by the model", async () => {
    const plain = await client.chat.completions.create(ask(model));
    const told = await client.chat.completions.create({
      model,
      messages: [
        { role: "developer", content: "You keep a lighthouse in the far north." },
        { role: "system", content: [{ type: "text", text: "Be brief and kind." }] },
        { role: "user", content: "Good morning!" },
        { role: "assistant", content: "Good morning to you." },
        { role: "system", content: "The next question matters." },
        { role: "user", content: question },
      ],
    });
    expect(told.choices[0]?.message.content).toMatch(/^You asked about .*lighthouses/);
    const more = (told.usage?.prompt_tokens ?? 0) - (plain.usage?.prompt_tokens ?? 0);
    expect(more).toBeWithin(20, 60);
  });

  test.each([false, true])("T5 runTools runs to its end (stream: %p)", async (stream) => {
    expect(await runTools(model, { stream })).toContain("Lisbon is 300 km away");
  });

  test("T16 runTools runs to its end when the model thinks", async () => {
    for (const stream of [false, true]) {
      const text = await runTools(model, { stream, reasoning_effort: "medium" });
      expect(text).toContain("Lisbon is 300 km away");
    }
  });

  test.each([false, true])(
    "T16 thinking comes back with its message (stream: %p)",
    async (stream) => {
      const body = {
        ...ask(model, "How far is it to Lisbon?"),
        reasoning_effort: "medium" as const,
        tools: [findCity],
      };
      const reply = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const message = reply.choices[0]?.message;
      const [call] = message?.tool_calls ?? [];
      if (!message || !call) throw new Error(JSON.stringify(reply));
      const result = { role: "tool" as const, tool_call_id: call.id, content: "300 km" };
      const next = await client.chat.completions.create({
        ...body,
        messages: [...body.messages, message, result],
      });
      expect(next.choices[0]?.message.content).toContain("300 km");
      expect(next.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(5);
      expect(proofsIn(stand.tap.bodies.at(-1), dialect)).not.toEqual([]);
    },
  );

  test.each([false, true])(
    "T5 calls in parallel are answered by their results (stream: %p)",
    async (stream) => {
      const body = {
        ...ask(model, "Use find_city and get_weather for Lisbon."),
        tools: [findCity, tool("get_weather")],
      };
      const reply = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const [choice] = reply.choices;
      if (!choice) throw new Error("no choice");
      expect(choice.finish_reason).toBe("tool_calls");
      const calls = choice.message.tool_calls ?? [];
      expect(calls).toMatchObject([
        { type: "function", function: { name: "find_city", arguments: '{"city":"Lisbon"}' } },
        { type: "function", function: { name: "get_weather", arguments: '{"city":"Lisbon"}' } },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      const results = calls.map(({ id }, at) => ({
        role: "tool" as const,
        tool_call_id: id,
        content: ["In Portugal.", "Sunny."][at] ?? "",
      }));
      const next = await client.chat.completions.create({
        ...body,
        messages: [...body.messages, choice.message, ...results],
      });
      expect(next.choices[0]?.message.content).toMatch(/In Portugal\.[^]*Sunny\./);
      expect(next.choices[0]?.finish_reason).toBe("stop");
    },
  );

  test.each([false, true])("T5 custom tools take free text (stream: %p)", async (stream) => {
    const grammar = { syntax: "regex" as const, definition: "[A-Z][a-z]+" };
    const body = {
      ...ask(model, "Which town is it, Lisbon?"),
      tools: [
        {
          type: "custom" as const,
          custom: { name: "town", format: { type: "grammar" as const, grammar } },
        },
      ],
    };
    const reply = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body);
    const message = reply.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (!message || call?.type !== "custom") throw new Error(JSON.stringify(message));
    expect(call.custom).toEqual({ name: "town", input: "Lisbon" });
    expect(reply.choices[0]?.finish_reason).toBe("tool_calls");
    const result = { role: "tool" as const, tool_call_id: call.id, content: "It is a capital." };
    const next = await client.chat.completions.create({
      ...body,
      messages: [...body.messages, message, result],
    });
    expect(next.choices[0]?.message.content).toContain("It is a capital.");
  });

  test("T5 a tool without parameters is called with none", async () => {
    const body = {
      ...ask(model),
      tools: [{ type: "function" as const, function: { name: "look_around" } }],
    };
    const expected = [{ function: { name: "look_around", arguments: "{}" } }];
    const whole = await client.chat.completions.create(body);
    expect(whole.choices[0]?.message.tool_calls).toMatchObject(expected);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(expected);
  });

  test("T16 an answer that is withheld says so", async () => {
    const body = ask(model, "sandbox:filter Where do lighthouses stand?");
    const whole = await client.chat.completions.create(body);
    expect(whole.choices[0]?.finish_reason).toBe("content_filter");
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices[0]?.finish_reason).toBe("content_filter");
  });

  test("T2 sound is heard where the dialect takes it, else it is named", async () => {
    const data = Buffer.from("RIFF\x24\0\0\0WAVEfmt ", "latin1").toString("base64");
    const asked = client.chat.completions.create({
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What do you hear?" },
            { type: "input_audio", input_audio: { data, format: "wav" } },
          ],
        },
      ],
    });
    if (dialect === "chat" || dialect === "content") {
      const [choice] = (await asked).choices;
      expect(choice?.message.content).toContain("audio of type audio/wav, 16 bytes");
      return;
    }
    const error = await apiErrorOf(asked);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.param).toStartWith("messages.0.content.1");
  });

  test("T2 images come as bytes and by address", async () => {
    const reply = await client.chat.completions.create({
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is on these?" },
            { type: "image_url", image_url: { url: pngUrl } },
            { type: "image_url", image_url: { url: farImage, detail: "low" } },
          ],
        },
      ],
    });
    expect(reply.choices[0]?.message.content).toStartWith(pngSeen);
    expect(reply.choices[0]?.message.content).toContain(`at ${farImage}.`);
  });

  test("T6 parse gives the object that the schema describes, whole and streamed", async () => {
    const json_schema = { name: "place", strict: true, schema: placeSchema };
    const body = {
      ...ask(model, "Which city is it, Lisbon?"),
      response_format: { type: "json_schema" as const, json_schema },
    };
    const whole = await client.chat.completions.parse(body);
    expect(whole.choices[0]?.message.parsed).toEqual({ city: "Lisbon" });
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual({ city: "Lisbon" });
  });

  test("T7 the bound on the output is kept and told", async () => {
    const body = { ...ask(model), max_completion_tokens: 20 };
    const whole = await client.chat.completions.create(body);
    expect(whole.choices[0]?.finish_reason).toBe("length");
    expect(whole.usage?.completion_tokens).toBeWithin(1, 21);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed.choices[0]?.finish_reason).toBe("length");
  });

  test("T7 the answer ends at a stop sequence, or the field is named", async () => {
    const asked = client.chat.completions.create({ ...ask(model), stop: ["."] });
    if (dialect === "responses") {
      const error = await apiErrorOf(asked);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error.param).toBe("stop");
      return;
    }
    const [choice] = (await asked).choices;
    expect(choice?.message.content).toBe("You asked about lighthouses and stand");
    expect(choice?.finish_reason).toBe("stop");
  });

  test("N5 several answers come where the dialect has them, else the field is named", async () => {
    const asked = client.chat.completions.create({ ...ask(model), n: 2 });
    if (dialect === "chat" || dialect === "content") {
      const { choices } = await asked;
      expect(choices.map(({ index }) => index)).toEqual([0, 1]);
      expect(choices[0]?.message.content).not.toBe(choices[1]?.message.content ?? "");
      return;
    }
    const error = await apiErrorOf(asked);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, param: "n", type: "invalid_request_error" });
  });

  test("N5 legacy completions come whole and streamed", async () => {
    const request = { model, prompt: "Lighthouses stand", max_tokens: 20 };
    const whole = await client.completions.create(request);
    expect(whole).toMatchObject({ object: "text_completion", model });
    expect(whole.choices[0]?.finish_reason).toBe("length");
    expect(whole.usage?.completion_tokens).toBeWithin(1, 21);
    let text = "";
    let finish: string | null = null;
    for await (const chunk of await client.completions.create({ ...request, stream: true })) {
      expect(chunk.object).toBe("text_completion");
      text += chunk.choices[0]?.text ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    expect(text).toBe(whole.choices[0]?.text ?? "");
    expect(finish).toBe("length");
  });
});

/** With this word in a prompt the vendor of messages shows nothing of its thinking. */
const redacting = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING";

test.each([false, true])(
  "T16 thinking that is hidden comes back too (stream: %p)",
  async (stream) => {
    const body = {
      ...ask(modelOf.messages, `${redacting} How far is it to Lisbon?`),
      reasoning_effort: "medium" as const,
      tools: [findCity],
    };
    const reply = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body);
    const message = reply.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (!message || !call) throw new Error(JSON.stringify(reply));
    const result = { role: "tool" as const, tool_call_id: call.id, content: "300 km" };
    const messages = [...body.messages, message, result];
    const next = await client.chat.completions.create({ ...body, messages });
    expect(next.choices[0]?.message.content).toContain("300 km");
    expect(JSON.stringify(stand.tap.bodies.at(-1))).toContain('"redacted_thinking"');
  },
);

/** A whole loop by the client's own hands; gives the last words. */
async function runTools(
  model: string,
  { stream, ...settings }: { stream: boolean; reasoning_effort?: "medium" },
): Promise<string | null> {
  const asked: string[] = [];
  const runnable = {
    type: "function" as const,
    function: {
      ...findCity.function,
      function: ({ city }: { city: string }) => {
        asked.push(city);
        return `${city} is 300 km away`;
      },
      parse: (text: string): { city: string } => JSON.parse(text),
    },
  };
  const body = { ...ask(model, "How far is it to Lisbon?"), ...settings, tools: [runnable] };
  const runner = stream
    ? client.chat.completions.runTools({ ...body, stream })
    : client.chat.completions.runTools(body);
  const text = await runner.finalContent();
  expect(asked).toEqual(["Lisbon"]);
  expect(runner.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  return text;
}

describe("embeddings", () => {
  const request = { model: "embedA", input: ["harbour", "lighthouse"], dimensions: 8 };

  test("the client's base64 and plain numbers are the same vectors", async () => {
    const encoded = await client.embeddings.create(request);
    const plain = await client.embeddings.create({ ...request, encoding_format: "float" });
    expect(plain.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    expect(encoded.data).toEqual(plain.data);
    expect(plain.data[0]?.embedding).not.toEqual(plain.data[1]?.embedding ?? []);
    expect(plain.usage.prompt_tokens).toBeGreaterThan(1);
  });
});

describe.each(dialects)("errors on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N2 a wrong key throws AuthenticationError", async () => {
    const error = await apiErrorOf(clientOf("sk-nobody").chat.completions.create(ask(model)));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  test("N2 too little quota throws APIError 402", async () => {
    const { key } = await stand.gateway.customer(1);
    const error = await apiErrorOf(clientOf(key).chat.completions.create(ask(model)));
    expect(error).toMatchObject({ status: 402, code: "insufficient_user_quota" });
  });

  test("N2 an upstream's refusal throws BadRequestError with its words", async () => {
    const refused = client.chat.completions.create(ask(model, "sandbox:status=400 lighthouses"));
    const error = await apiErrorOf(refused);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.message).toMatch(/refused|invalid|400/i);
  });

  test("T18 a stream that breaks off throws, and never hangs", async () => {
    for (const directive of ["sandbox:error-after=2", "sandbox:error-after=8", "sandbox:cut"]) {
      const body = ask(model, `${directive} ${question}`);
      const helper = client.chat.completions.stream(body).finalChatCompletion();
      expect(await apiErrorOf(helper)).not.toBeInstanceOf(APIConnectionError);
      const read = async () => {
        const stream = await client.chat.completions.create({ ...body, stream: true });
        for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
      };
      const error = await apiErrorOf(read());
      expect(error.type).toBe("server_error");
      // A stream that breaks before it says anything is a whole answer's failure.
      expect(error.code).toBeOneOf(["bad_response", "do_request_failed"]);
    }
  });

  test("N2 a busy upstream throws RateLimitError", async () => {
    const busy = client.chat.completions.create(ask(model, "sandbox:status=429 lighthouses"));
    const error = await apiErrorOf(busy);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(Number(error.headers?.get("retry-after"))).toBeWithin(1, 61);
  });
});

describe("errors before any upstream", () => {
  test("N2 an unknown model throws InternalServerError 503", async () => {
    for (const path of ["chat", "completions", "embeddings"] as const) {
      const asked = {
        chat: () => client.chat.completions.create(ask("nothing")),
        completions: () => client.completions.create({ model: "nothing", prompt: "Hello" }),
        embeddings: () => client.embeddings.create({ model: "nothing", input: "Hello" }),
      }[path]();
      const error = await apiErrorOf(asked);
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({ status: 503, code: "model_not_found", param: "model" });
    }
  });
});
