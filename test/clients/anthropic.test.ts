// The official Anthropic client, as it is, against upstreams of every dialect.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  Anthropic,
  APIConnectionError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  ServiceUnavailableError,
} from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { jsonSchemaOutputFormat } from "@anthropic-ai/sdk/helpers/json-schema";
import { eventually, newestRow } from "../harness/books.ts";
import { dialects, modelOf, startTapped } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { farImage, placeSchema, png, pngSeen, proofsIn } from "../harness/samples.ts";
import { useStand } from "../harness/nodes/stand.ts";

type Content = Anthropic.MessageParam["content"];
type Request = Anthropic.MessageCreateParamsNonStreaming;

let client: Anthropic;

const stand = useStand(() =>
  startTapped("distribution: { failures_to_eject: 1000 }\ntext: { read_on_ms: 300 }"),
);

beforeAll(() => {
  client = clientOf(rootKey);
});

function clientOf(apiKey: string): Anthropic {
  return new Anthropic({ apiKey, baseURL: stand.gateway.url, maxRetries: 0 });
}

const question = "Where do lighthouses stand?";
const bothTools = "Use find_city and get_weather for Lisbon.";

function ask(model: string, content: Content = question): Request {
  return { model, max_tokens: 2000, messages: [{ role: "user", content }] };
}

function tool(name: string): Anthropic.Tool {
  return { name, description: `The ${name} tool`, input_schema: placeSchema };
}

const tools = [tool("find_city"), tool("get_weather")];

/** The answer to a request, by the client's one way or by its other. */
async function answer(request: Request, stream: boolean): Promise<Anthropic.Message> {
  return stream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
}

function textOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function thoughtsOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
}

function callsOf({ content }: Anthropic.Message): Anthropic.ToolUseBlock[] {
  return content.filter((block) => block.type === "tool_use");
}

function resultsFor(message: Anthropic.Message): Anthropic.MessageParam {
  const content = callsOf(message).map(({ id, name }) => ({
    type: "tool_result" as const,
    tool_use_id: id,
    content: `what ${name} found`,
  }));
  return { role: "user", content };
}

/** The request that goes on from an answer, which is echoed as the client gave it. */
function goOn(
  request: Request,
  message: Anthropic.Message,
  next: Anthropic.MessageParam = resultsFor(message),
): Request {
  const said = { role: "assistant" as const, content: message.content };
  return { ...request, messages: [...request.messages, said, next] };
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

/** Requests to the vendors while something was done. */
async function sentDuring(work: () => Promise<unknown>) {
  const before = stand.tap.bodies.length;
  await work();
  return stand.tap.bodies.slice(before);
}

describe.each(dialects)("messages on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("T13 create gives the answer, its usage and the request's id", async () => {
    const { data, request_id } = await client.messages.create(ask(model)).withResponse();
    expect(data).toMatchObject({ type: "message", role: "assistant", model });
    expect(data).toMatchObject({ stop_reason: "end_turn", stop_sequence: null });
    expect(data.id).toStartWith("msg_");
    expect(textOf(data)).toStartWith("You asked about lighthouses");
    expect(data.usage.input_tokens).toBeWithin(4, 40);
    expect(data.usage.output_tokens).toBeWithin(20, 200);
    expect(request_id).toStartWith("req_");
    expect(stand.sandbox.calls().recent.at(-1)).toMatchObject({ model, outcome: "completed" });
  });

  test("T13 the beta namespace works alike", async () => {
    const betas = ["context-1m-2025-08-07"];
    const whole = await client.beta.messages.create({ ...ask(model), betas });
    const [last] = whole.content.slice(-1);
    expect(last?.type === "text" && last.text).toStartWith("You asked about lighthouses");
    const streamed = await client.beta.messages.stream({ ...ask(model), betas }).finalText();
    expect(streamed).toStartWith("You asked about lighthouses");
  });

  test("T14 the stream helper puts the same answer together from its pieces", async () => {
    const stream = client.messages.stream(ask(model));
    const pieces: string[] = [];
    stream.on("text", (piece) => pieces.push(piece));
    const streamed = await stream.finalMessage();
    const whole = await client.messages.create(ask(model));
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.join("")).toBe(textOf(streamed));
    expect(textOf(streamed)).toBe(textOf(whole));
    expect(streamed.stop_reason).toBe("end_turn");
    expect(streamed.usage).toMatchObject({
      input_tokens: whole.usage.input_tokens,
      output_tokens: whole.usage.output_tokens,
    });
    expect(stream.request_id).toStartWith("req_");
  });

  test("T14 events begin and end the message, and its blocks one after the other", async () => {
    const request = { ...ask(model, bothTools), tools, stream: true as const };
    const types: string[] = [];
    let open: number | null = null;
    let blocks = 0;
    for await (const event of await client.messages.create(request)) {
      types.push(event.type);
      if (event.type === "content_block_start") {
        expect(open).toBeNull();
        expect(event.index).toBe(blocks++);
        open = event.index;
      } else if (event.type === "content_block_delta" || event.type === "content_block_stop") {
        expect(event.index).toBe(open ?? -1);
        if (event.type === "content_block_stop") open = null;
      }
    }
    expect(blocks).toBeGreaterThanOrEqual(2);
    expect(types[0]).toBe("message_start");
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
    expect(types.filter((type) => type === "message_start")).toHaveLength(1);
  });

  test("T13 system prompts, as a text and as blocks, are read by the model", async () => {
    const system = "You keep a lighthouse in the far north. Be brief and kind.";
    const plain = await client.messages.create(ask(model));
    const block = { type: "text" as const, text: system };
    const cached = { ...block, cache_control: { type: "ephemeral" as const } };
    for (const given of [system, [block], [cached]]) {
      const told = await client.messages.create({ ...ask(model), system: given });
      expect(textOf(told)).toBe(textOf(plain));
      const { input_tokens: input, cache_creation_input_tokens: written } = told.usage;
      const { cache_read_input_tokens: read } = told.usage;
      const total = input + (written ?? 0) + (read ?? 0);
      expect(total - plain.usage.input_tokens).toBeWithin(10, 30);
    }
  });

  const ways = [
    [{ type: "disabled" }, false],
    [{ type: "disabled" }, true],
    [{ type: "enabled", budget_tokens: 1500 }, false],
    [{ type: "enabled", budget_tokens: 1500 }, true],
    [{ type: "adaptive" }, false],
    [{ type: "adaptive" }, true],
  ] as const;

  test.each(ways)(
    "T16 a tool loop with thinking %j comes to its end (stream: %p)",
    async (thinking, stream) => {
      const request: Request = { ...ask(model, bothTools), tools, thinking };
      const first = await answer(request, stream);
      expect(first.stop_reason).toBe("tool_use");
      expect(callsOf(first)).toMatchObject([
        { name: "find_city", input: { city: "Lisbon" } },
        { name: "get_weather", input: { city: "Lisbon" } },
      ]);
      expect(new Set(callsOf(first).map(({ id }) => id)).size).toBe(2);
      const second = await answer(goOn(request, first), stream);
      expect(second.stop_reason).toBe("end_turn");
      expect(textOf(second)).toMatch(/what find_city found[^]*what get_weather found/);
      const more = { role: "user" as const, content: "Now, how far is Porto?" };
      const third = await answer(goOn(goOn(request, first), second, more), stream);
      expect(callsOf(third)).toMatchObject([{ name: "find_city", input: { city: "Porto" } }]);
      const ids = [...callsOf(first), ...callsOf(third)].map(({ id }) => id);
      expect(new Set(ids).size).toBe(3);
    },
  );

  test.each([false, true])("T16 thinking is shown and comes back (stream: %p)", async (stream) => {
    const thinking = { type: "enabled" as const, budget_tokens: 1500 };
    const request: Request = { ...ask(model, bothTools), tools, thinking };
    const first = await answer(request, stream);
    const [thought] = first.content;
    if (thought?.type !== "thinking") throw new Error(JSON.stringify(first.content));
    expect(thought.thinking).toContain("You asked about find, city and weather");
    expect(thought.signature).not.toBeEmpty();
    expect(first.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(3);
    const [sent] = await sentDuring(() => answer(goOn(request, first), stream));
    expect(proofsIn(sent, dialect)).not.toBeEmpty();
    if (dialect === "chat") expect(proofsIn(sent, dialect)).toEqual([thoughtsOf(first)]);
  });

  test("T13 who wants no thinking is shown none", async () => {
    const thinking = { type: "disabled" as const };
    const message = await client.messages.create({ ...ask(model), thinking });
    expect(thoughtsOf(message)).toBe("");
    expect(message.usage.output_tokens_details?.thinking_tokens ?? 0).toBe(0);
  });

  test("T13 effort is understood", async () => {
    const output_config = { effort: "low" as const };
    const thinking = { type: "adaptive" as const };
    const message = await client.messages.create({ ...ask(model), output_config, thinking });
    expect(thoughtsOf(message)).toContain("lighthouses");
    expect(textOf(message)).toStartWith("You asked about lighthouses");
  });

  test("T14 a tool's input is streamed in pieces that make up the whole", async () => {
    const stream = client.messages.stream({ ...ask(model, bothTools), tools });
    const pieces: string[] = [];
    const blocks: Anthropic.ContentBlock[] = [];
    stream.on("inputJson", (piece) => pieces.push(piece));
    stream.on("contentBlock", (block) => blocks.push(block));
    const message = await stream.finalMessage();
    expect(pieces.join("")).toBe('{"city":"Lisbon"}{"city":"Lisbon"}');
    expect(blocks).toEqual(message.content);
  });

  test("T13 the choice of tools is obeyed", async () => {
    const request = { ...ask(model, "How far is it to Lisbon?"), tools };
    const named = { type: "tool" as const, name: "get_weather" };
    const forced = await client.messages.create({ ...request, tool_choice: named });
    expect(callsOf(forced)).toMatchObject([{ name: "get_weather", input: { city: "Lisbon" } }]);
    const any = await client.messages.create({ ...request, tool_choice: { type: "any" } });
    expect(callsOf(any)).toHaveLength(1);
    const none = await client.messages.create({ ...request, tool_choice: { type: "none" } });
    expect(callsOf(none)).toBeEmpty();
    expect(textOf(none)).toContain("Lisbon");
  });

  test("T13 one call at a time can be asked for, where the dialect knows it", async () => {
    const tool_choice = { type: "auto" as const, disable_parallel_tool_use: true };
    const message = await client.messages.create({ ...ask(model, bothTools), tools, tool_choice });
    expect(callsOf(message)).toHaveLength(dialect === "content" ? 2 : 1);
  });

  test("T13 a tool may fail, and may answer in blocks and with an image", async () => {
    const request: Request = { ...ask(model, bothTools), tools };
    const first = await client.messages.create(request);
    const [one, other] = callsOf(first);
    if (!one || !other) throw new Error("no calls");
    // An image without a place in a result comes with the next words of the user.
    const closing: Request = { ...request, tool_choice: { type: "none" } };
    const second = await client.messages.create(
      goOn(closing, first, {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: one.id,
            is_error: true,
            content: [{ type: "text", text: "no such city" }],
          },
          {
            type: "tool_result",
            tool_use_id: other.id,
            content: [
              { type: "text", text: "a picture of the sky" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
            ],
          },
        ],
      }),
    );
    expect(textOf(second)).toContain("an image of type image/png, 3 by 2 pixels");
    const sent = JSON.stringify(stand.tap.bodies.at(-1));
    expect(sent).toMatch(/error[^]*no such city/i);
    expect(sent).toContain("a picture of the sky");
  });

  test("X-T08 a tool may have a name that is longer than the vendor takes", async () => {
    const name = `mcp__plugin__${"x".repeat(80)}`;
    const request: Request = { ...ask(model, "How far is it to Lisbon?"), tools: [tool(name)] };
    for (const stream of [false, true]) {
      const first = await answer(request, stream);
      expect(callsOf(first)).toMatchObject([{ name, input: { city: "Lisbon" } }]);
      expect(textOf(await answer(goOn(request, first), stream))).toContain(`what ${name} found`);
    }
  });

  test("N5 a hosted tool that the dialect lacks is left out, and named", async () => {
    const hosted = { type: "web_fetch_20250910" as const, name: "web_fetch" as const };
    const { data, response } = await client.messages
      .create({ ...ask(model, "How far is it to Lisbon?"), tools: [hosted, tool("find_city")] })
      .withResponse();
    expect(callsOf(data)).toMatchObject([{ name: "find_city" }]);
    const ignored = response.headers.get("x-sluice-ignored");
    expect(ignored).toBe(dialect === "messages" ? null : "tools.0");
  });

  test.each([false, true])("T16 toolRunner runs to its end (stream: %p)", async (stream) => {
    const asked: string[] = [];
    const findCity = betaTool({
      name: "find_city",
      description: "Finds a city",
      inputSchema: placeSchema,
      run: ({ city }) => {
        asked.push(city);
        return `${city} is 300 km away`;
      },
    });
    const runner = client.beta.messages.toolRunner({
      model,
      stream,
      max_tokens: 2000,
      thinking: { type: "adaptive" },
      messages: [{ role: "user", content: "How far is it to Lisbon?" }],
      tools: [findCity],
    });
    const last = await runner.runUntilDone();
    const said = last.content.map((block) => (block.type === "text" ? block.text : ""));
    expect(said.join("")).toContain("Lisbon is 300 km away");
    expect(asked).toEqual(["Lisbon"]);
    expect(last.stop_reason).toBe("end_turn");
  });

  test("T13 images come as bytes and by address, documents as well", async () => {
    const data = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
    const reply = await client.messages.create(
      ask(model, [
        { type: "text", text: "What is on these?" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
        { type: "image", source: { type: "url", url: farImage } },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data } },
      ]),
    );
    expect(textOf(reply)).toStartWith(pngSeen);
    expect(textOf(reply)).toContain(`at ${farImage}.`);
    expect(textOf(reply)).toContain("a document of type application/pdf, 14 bytes");
  });

  test("T13 parse gives the object that the schema describes, whole and streamed", async () => {
    const body = {
      ...ask(model, "Which city is it, Lisbon?"),
      output_config: { format: jsonSchemaOutputFormat(placeSchema) },
    };
    const whole = await client.messages.parse(body);
    expect<unknown>(whole.parsed_output).toEqual({ city: "Lisbon" });
    const streamed = await client.messages.stream(body).finalMessage();
    expect<unknown>(streamed.parsed_output).toEqual({ city: "Lisbon" });
  });

  test.each([false, true])("N5 stop sequences end the text (stream: %p)", async (stream) => {
    const asked = answer({ ...ask(model), stop_sequences: ["lighthouses"] }, stream);
    if (dialect === "responses") {
      const error = await apiErrorOf(asked);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ type: "invalid_request_error" });
      expect(error.apiMessage).toStartWith("stop_sequences ");
      return;
    }
    const message = await asked;
    expect(textOf(message)).toBe("You asked about ");
    const isTold = dialect === "messages";
    expect(message.stop_reason).toBe(isTold ? "stop_sequence" : "end_turn");
    expect(message.stop_sequence).toBe(isTold ? "lighthouses" : null);
  });

  test.each([false, true])("T16 the bound on the output is kept (stream: %p)", async (stream) => {
    const message = await answer({ ...ask(model), max_tokens: 20 }, stream);
    expect(message.stop_reason).toBe("max_tokens");
    expect(message.usage.output_tokens).toBeWithin(1, 21);
  });

  test.each([false, true])("T16 a refusal is told as one (stream: %p)", async (stream) => {
    const message = await answer(ask(model, `sandbox:filter ${question}`), stream);
    expect(message.stop_reason).toBe("refusal");
  });

  test("N5 countTokens counts what a request would be billed for", async () => {
    const request = { model, messages: ask(model).messages, system: "Be brief.", tools };
    const { input_tokens: counted } = await client.messages.countTokens(request);
    const { usage } = await client.messages.create({ ...request, max_tokens: 100 });
    expect(counted).toBeWithin(usage.input_tokens * 0.6, usage.input_tokens * 1.6);
    if (dialect === "messages") expect(counted).toBe(usage.input_tokens);
  });
});

test("T13 redacted thinking goes there and back", async () => {
  const trigger = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING";
  const thinking = { type: "enabled" as const, budget_tokens: 1500 };
  const request: Request = {
    ...ask(modelOf.messages, `${trigger} ${bothTools}`),
    tools,
    thinking,
  };
  for (const stream of [false, true]) {
    const first = await answer(request, stream);
    expect(first.content[0]?.type).toBe("redacted_thinking");
    const second = await answer(goOn(request, first), stream);
    expect(textOf(second)).toContain("what find_city found");
  }
});

const moves = [{ type: "enabled", budget_tokens: 1500 }, { type: "disabled" }] as const;

test.each(moves)(
  "T16 a conversation with thinking %j moves between upstreams",
  async (thinking) => {
    for (const [at, dialect] of dialects.entries()) {
      const request: Request = { ...ask(modelOf[dialect], bothTools), tools, thinking };
      const first = await answer(request, true);
      const model = modelOf[dialects[(at + 1) % dialects.length] ?? "chat"];
      const second = await answer(goOn({ ...request, model }, first), false);
      expect(textOf(second)).toMatch(/what find_city found[^]*what get_weather found/);
    }
  },
);

describe("models", () => {
  test("N1 models.list pages through them and models.retrieve finds one", async () => {
    const found: Anthropic.ModelInfo[] = [];
    for await (const model of client.models.list({ limit: 2 })) found.push(model);
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(Object.values(modelOf)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(found[0]).toMatchObject({ type: "model", display_name: expect.any(String) });
    expect(Date.parse(found[0]?.created_at ?? "")).toBeGreaterThan(0);
    const one = await client.models.retrieve(modelOf.messages);
    expect(one).toMatchObject({ id: modelOf.messages, type: "model" });
    expect(await apiErrorOf(client.models.retrieve("nothing"))).toBeInstanceOf(NotFoundError);
  });

  test("N2 an unknown model throws ServiceUnavailableError and is not worth a retry", async () => {
    const error = await apiErrorOf(client.messages.create(ask("nothing")));
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ status: 503, errorCode: "model_not_found" });
    expect(error.headers?.get("x-should-retry")).toBe("false");
  });
});

describe.each(dialects)("errors on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N2 a wrong key throws AuthenticationError", async () => {
    const error = await apiErrorOf(clientOf("sk-nobody").messages.create(ask(model)));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, errorCode: "invalid_api_key" });
    expect(error.requestID).toStartWith("req_");
  });

  test("N2 too little quota throws APIError 402", async () => {
    const { key } = await stand.gateway.customer(1);
    const error = await apiErrorOf(clientOf(key).messages.create(ask(model)));
    expect(error).toMatchObject({ status: 402, errorCode: "insufficient_user_quota" });
    expect(error.headers?.get("x-should-retry")).toBe("false");
  });

  test("N2 a wrong field throws BadRequestError that names it", async () => {
    const body = { ...ask(model), thinking: { type: "enabled", budget_tokens: "many" } };
    const error = await apiErrorOf(client.post("/v1/messages", { body }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ type: "invalid_request_error", errorCode: "invalid_request" });
    expect(error.apiMessage).toStartWith("thinking.budget_tokens ");
  });

  test("N2 a thread is refused in the words that the client knows", async () => {
    const thread = client.beta.messages.thread({ model, max_tokens: 100 });
    const error = await apiErrorOf(thread.send({ role: "user", content: question }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.errorCode).toBe("thread_unsupported_request");
  });

  test("T17 sampling goes on, and what the vendor no longer takes is left out", async () => {
    const body = { ...ask(model), temperature: 0.5 };
    expect(await client.post("/v1/messages", { body })).toMatchObject({ type: "message" });
  });

  test("N2 an upstream's refusal throws BadRequestError, its failure a server error", async () => {
    for (const stream of [false, true]) {
      const refused = answer(ask(model, `sandbox:status=400 ${question}`), stream);
      expect(await apiErrorOf(refused)).toBeInstanceOf(BadRequestError);
      const failed = answer(ask(model, `sandbox:status=500 ${question}`), stream);
      const error = await apiErrorOf(failed);
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({ status: 500, errorCode: "bad_response" });
    }
  });

  const faults = ["error-after=2", "error-after=8", "cut", "garbage"];
  test.each(faults)("T18 a stream with the fault %s throws, and never hangs", async (fault) => {
    const stream = client.messages.stream(ask(model, `sandbox:${fault} ${question}`));
    const error = await apiErrorOf(stream.finalMessage());
    expect(error).not.toBeInstanceOf(APIConnectionError);
    expect(String(error.type)).toBe("server_error");
    expect(error.apiMessage).not.toBeEmpty();
  });

  test("T18 an aborted stream throws the client's own error and is billed", async () => {
    const { key, keyId } = await stand.gateway.customer(100_000_000);
    const stream = clientOf(key).messages.stream(ask(model, `sandbox:stall ${question}`));
    const thrown = apiErrorOf(stream.finalMessage());
    await eventually("the upstream's answer", async () =>
      stand.sandbox.calls().recent.find(({ status, outcome }) => status === 200 && !outcome),
    );
    stream.abort();
    expect(await thrown).toBeInstanceOf(APIUserAbortError);
    expect(await newestRow(stand.gateway, keyId)).toMatchObject({ outcome: "client_abort" });
  });

  // Last, because the channel rests for a while after it.
  test("N2 an upstream that is too busy throws RateLimitError", async () => {
    const error = await apiErrorOf(answer(ask(model, "sandbox:status=429"), false));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ type: "rate_limit_error", errorCode: "too_many_requests" });
    const streamed = apiErrorOf(answer(ask(model, "sandbox:status=429"), true));
    expect(await streamed).toBeInstanceOf(RateLimitError);
  });
});
