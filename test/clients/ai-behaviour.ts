// What the AI SDK does through one of its providers, against upstreams of every dialect. The
// providers share their whole face, so the same holds for each of them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from "ai";
import type { Dialect } from "../../src/formats/exchange.ts";
import { dialects, modelOf, startTapped, type TappedStand } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { farImage, placeSchema, png, pngSeen, proofsIn } from "../harness/samples.ts";

type Options = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>;

export interface AiClient {
  model(id: string, access: { url: string; key: string }): LanguageModel;
  /** What this provider must always be told. */
  options: Options;
  /** Thinking is wanted, and wanted to be seen. */
  thinking: Options;
  /** Whether the provider shows thinking and brings it back. */
  returnsThinking: boolean;
  /** The same for thinking that has no words. */
  returnsHiddenThinking: { whole: boolean; streamed: boolean };
  /** Whether the provider leaves it to the vendor to fetch a picture. */
  sendsAddresses: boolean;
}

globalThis.AI_SDK_LOG_WARNINGS = false;

const question = "Where do lighthouses stand?";
const place = jsonSchema<{ city: string }>(placeSchema);

/** To be called within a describe block of its own. */
export function aiHolds(client: AiClient): void {
  const desk = new Desk(client);
  beforeAll(() => desk.open());
  afterAll(() => desk.close());
  for (const dialect of dialects) {
    textHolds(desk, dialect);
    toolsHold(desk, dialect);
    thinkingHolds(desk, dialect);
    effortHolds(desk, dialect);
    mediaHolds(desk, dialect);
  }
  hiddenThinkingHolds(desk);
  for (const dialect of dialects) errorsHold(desk, dialect);
}

/** One client and the gateway that it talks to. */
class Desk {
  readonly client: AiClient;
  #stand: TappedStand | null = null;

  constructor(client: AiClient) {
    this.client = client;
  }

  get stand(): TappedStand {
    if (!this.#stand) throw new Error("not open");
    return this.#stand;
  }

  async open(): Promise<void> {
    this.#stand = await startTapped("distribution: { failures_to_eject: 1000 }");
  }

  async close(): Promise<void> {
    await this.#stand?.[Symbol.asyncDispose]();
  }

  /** What every call to a model of this name has in common. */
  to(id: string, key: string = rootKey) {
    const { url } = this.stand.gateway;
    const model = this.client.model(id, { url, key });
    return { model, maxRetries: 0, providerOptions: this.client.options };
  }
}

/** The tools that are offered, and what they were called with. */
function toolbox() {
  const calls: unknown[] = [];
  const run = (name: string, say: (city: string) => string) =>
    tool({
      description: `The ${name} tool`,
      inputSchema: place,
      execute: (input) => {
        calls.push({ name, input });
        return say(input.city);
      },
    });
  return {
    calls,
    tools: {
      find_city: run("find_city", (city) => `${city} is 300 km away`),
      get_weather: run("get_weather", (city) => `Sun over ${city}`),
    },
  };
}

type Streamed = ReturnType<typeof streamText>;

/** Reads a stream to its end as an application does; errors in it are part of what is read. */
async function readAll(result: Pick<Streamed, "fullStream">) {
  const seen = { text: "", reasoning: "", finish: "", errors: [] as unknown[], kinds: new Set() };
  for await (const part of result.fullStream) {
    seen.kinds.add(part.type);
    if (part.type === "text-delta") seen.text += part.text;
    else if (part.type === "reasoning-delta") seen.reasoning += part.text;
    else if (part.type === "error") seen.errors.push(part.error);
    else if (part.type === "finish") seen.finish = part.finishReason;
  }
  return seen;
}

/** The whole text of a stream that must end well. */
async function textOf(result: Pick<Streamed, "fullStream">): Promise<string> {
  const { text, errors, finish } = await readAll(result);
  expect(errors).toEqual([]);
  expect(finish).toBe("stop");
  return text;
}

function textHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 generateText gives the answer and its usage, on ${dialect}`, async () => {
    const reply = await generateText({ ...desk.to(id), prompt: question });
    expect(reply.text).toStartWith("You asked about lighthouses");
    expect(reply.finishReason).toBe("stop");
    const { inputTokens = 0, outputTokens = 0, totalTokens } = reply.usage;
    expect(inputTokens).toBeGreaterThan(3);
    expect(outputTokens).toBeGreaterThan(20);
    expect(totalTokens).toBe(inputTokens + outputTokens);
    expect(desk.stand.sandbox.calls().recent.at(-1)).toMatchObject({ model: id, stream: false });
  });

  test(`T16 streamText puts the same answer together, on ${dialect}`, async () => {
    const whole = await generateText({ ...desk.to(id), prompt: question });
    const result = streamText({ ...desk.to(id), prompt: question });
    const seen = await readAll(result);
    expect(seen).toMatchObject({ errors: [], finish: "stop", text: whole.text });
    expect(await result.text).toBe(whole.text);
    const usage = await result.usage;
    expect(usage.inputTokens).toBe(whole.usage.inputTokens ?? -1);
    expect(usage.outputTokens).toBe(whole.usage.outputTokens ?? -1);
  });

  test(`T16 instructions are read by the model, on ${dialect}`, async () => {
    const plain = await generateText({ ...desk.to(id), prompt: question });
    const instructions = "You keep a lighthouse in the far north. Be brief and kind.";
    const told = await generateText({ ...desk.to(id), prompt: question, instructions });
    expect(told.text).toBe(plain.text);
    expect((told.usage.inputTokens ?? 0) - (plain.usage.inputTokens ?? 0)).toBeWithin(10, 30);
  });

  test(`T16 the messages of an answer go on into the next question, on ${dialect}`, async () => {
    const first: ModelMessage[] = [{ role: "user", content: "Tell me about harbours." }];
    for (const isStream of [false, true]) {
      const ask = { ...desk.to(id), messages: first };
      const result = isStream ? streamText(ask) : await generateText(ask);
      if ("fullStream" in result) await textOf(result);
      const { messages } = await result.response;
      const next: ModelMessage[] = [...first, ...messages, { role: "user", content: question }];
      const reply = await generateText({ ...desk.to(id), messages: next });
      expect(reply.text).toStartWith("You asked about lighthouses");
      expect(JSON.stringify(desk.stand.tap.bodies.at(-1))).toContain("You asked about harbours");
    }
  });

  test(`T16 an answer of a given shape has it, whole and streamed, on ${dialect}`, async () => {
    const ask = { ...desk.to(id), prompt: "Which city is it, Lisbon?" };
    const output = Output.object({ schema: place });
    expect((await generateText({ ...ask, output })).output).toEqual({ city: "Lisbon" });
    const streamed = streamText({ ...ask, output });
    expect((await readAll(streamed)).errors).toEqual([]);
    expect(await streamed.output).toEqual({ city: "Lisbon" });
    expect((await generateObject({ ...ask, schema: place })).object).toEqual({ city: "Lisbon" });
  });

  test(`T16 an answer that is withheld says so, on ${dialect}`, async () => {
    const ask = { ...desk.to(id), prompt: "sandbox:filter Where do lighthouses stand?" };
    expect((await generateText(ask)).finishReason).toBe("content-filter");
    expect(await readAll(streamText(ask))).toMatchObject({ errors: [], finish: "content-filter" });
  });

  test(`T16 an answer that is cut at its limit says so, on ${dialect}`, async () => {
    const ask = { ...desk.to(id), prompt: question, maxOutputTokens: 20 };
    const whole = await generateText(ask);
    expect(whole.finishReason).toBe("length");
    expect(whole.usage.outputTokens).toBeWithin(1, 21);
    expect(await readAll(streamText(ask))).toMatchObject({ errors: [], finish: "length" });
  });
}

function toolsHold(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];
  const stopWhen = isStepCount(3);

  test(`T16 generateText runs tools to their end, on ${dialect}`, async () => {
    const { calls, tools } = toolbox();
    const prompt = "How far is it to Lisbon?";
    const reply = await generateText({ ...desk.to(id), prompt, tools, stopWhen });
    expect(calls).toEqual([{ name: "find_city", input: { city: "Lisbon" } }]);
    expect(reply.steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(reply.text).toContain("Lisbon is 300 km away");
  });

  test(`T16 streamText runs tools to their end, on ${dialect}`, async () => {
    const { calls, tools } = toolbox();
    const prompt = "How far is it to Lisbon?";
    const result = streamText({ ...desk.to(id), prompt, tools, stopWhen });
    const seen = await readAll(result);
    expect(calls).toEqual([{ name: "find_city", input: { city: "Lisbon" } }]);
    expect(seen).toMatchObject({ errors: [], finish: "stop" });
    expect(seen.text).toContain("Lisbon is 300 km away");
    expect(await result.steps).toHaveLength(2);
  });

  test(`T16 tools are called in parallel, whole and streamed, on ${dialect}`, async () => {
    for (const isStream of [false, true]) {
      const { calls, tools } = toolbox();
      const prompt = "Use find_city and get_weather for Lisbon.";
      const ask = { ...desk.to(id), prompt, tools, stopWhen };
      const text = isStream ? await textOf(streamText(ask)) : (await generateText(ask)).text;
      expect(text).toMatch(/Lisbon is 300 km away[^]*Sun over Lisbon/);
      expect(calls).toMatchObject([{ name: "find_city" }, { name: "get_weather" }]);
    }
  });

  test(`T16 the choice of a tool is kept, on ${dialect}`, async () => {
    const { tools } = toolbox();
    const ask = { ...desk.to(id), prompt: question, tools };
    const none = await generateText({ ...ask, toolChoice: "none" });
    expect(none.toolCalls).toEqual([]);
    expect(none.text).toContain("lighthouses");
    const any = await generateText({ ...ask, toolChoice: "required" });
    expect(any.toolCalls).toHaveLength(1);
    const named = { type: "tool" as const, toolName: "get_weather" as const };
    const one = await generateText({ ...ask, toolChoice: named });
    expect(one.toolCalls).toMatchObject([{ toolName: "get_weather" }]);
  });

  test(`T16 the failure of a tool is told to the model, on ${dialect}`, async () => {
    const failing = tool({
      inputSchema: place,
      execute: (): string => {
        throw new Error("The road is closed.");
      },
    });
    const ask = { ...desk.to(id), prompt: "How far is it to Lisbon?", stopWhen };
    const reply = await generateText({ ...ask, tools: { find_city: failing } });
    expect(reply.text).toContain("The road is closed.");
  });
}

function thinkingHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 thinking comes back with its turn, whole and streamed, on ${dialect}`, async () => {
    for (const isStream of [false, true]) {
      const { tools } = toolbox();
      const { thinking: providerOptions, returnsThinking } = desk.client;
      const prompt = "How far is it to Lisbon?";
      const ask = { ...desk.to(id), prompt, tools, stopWhen: isStepCount(3), providerOptions };
      const result = isStream ? streamText(ask) : await generateText(ask);
      if ("fullStream" in result) await textOf(result);
      const [first, second, ...more] = await result.steps;
      expect(more).toEqual([]);
      expect(second?.text).toContain("Lisbon is 300 km away");
      expect(first?.usage.outputTokenDetails.reasoningTokens).toBeGreaterThan(5);
      if (!returnsThinking) continue;
      expect(first?.reasoningText).toMatch(/think|Weighing/);
      expect(proofsIn(desk.stand.tap.bodies.at(-1), dialect)).not.toEqual([]);
    }
  });
}

function hiddenThinkingHolds(desk: Desk): void {
  /** With this word in a prompt the vendor of messages shows nothing of its thinking. */
  const redacting = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING";

  test("T16 thinking that is hidden comes back too, whole and streamed", async () => {
    const { thinking: providerOptions, returnsHiddenThinking: returns } = desk.client;
    for (const isStream of [false, true]) {
      const { tools } = toolbox();
      const prompt = `How far is it to Lisbon? ${redacting}`;
      const to = desk.to(modelOf.messages);
      const ask = { ...to, prompt, tools, stopWhen: isStepCount(3), providerOptions };
      const text = isStream ? await textOf(streamText(ask)) : (await generateText(ask)).text;
      expect(text).toContain("Lisbon is 300 km away");
      const isReturned = isStream ? returns.streamed : returns.whole;
      const sent = JSON.stringify(desk.stand.tap.bodies.at(-1));
      expect(sent.includes('"redacted_thinking"')).toBe(isReturned);
    }
  });
}

function effortHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T7 the SDK's own setting for reasoning is understood, on ${dialect}`, async () => {
    for (const reasoning of ["none", "minimal", "xhigh"] as const) {
      const reply = await generateText({ ...desk.to(id), prompt: question, reasoning });
      expect(reply.text).toContain("lighthouses");
      expect(reply.finishReason).toBe("stop");
    }
  });
}

function mediaHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 images come as bytes and by address, on ${dialect}`, async () => {
    const { sendsAddresses } = desk.client;
    const near = { type: "file" as const, mediaType: "image/png", data: png };
    const far = { type: "file" as const, mediaType: "image/png", data: new URL(farImage) };
    const content = [
      { type: "text" as const, text: "What is on these?" },
      near,
      ...(sendsAddresses ? [far] : []),
    ];
    const { text } = await generateText({
      ...desk.to(id),
      messages: [{ role: "user", content }],
    });
    expect(text).toStartWith(pngSeen);
    expect(text.includes(`at ${farImage}.`)).toBe(sendsAddresses);
  });

  test(`T16 a document comes as it is, on ${dialect}`, async () => {
    const data = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
    const content = [
      { type: "text" as const, text: "What does it say?" },
      { type: "file" as const, mediaType: "application/pdf", data, filename: "harbour.pdf" },
    ];
    const { text } = await generateText({
      ...desk.to(id),
      messages: [{ role: "user", content }],
    });
    expect(text).toContain("a document of type application/pdf, 14 bytes");
  });

  test(`T16 an image that a tool returns reaches the vendor, on ${dialect}`, async () => {
    const data = { type: "data" as const, data: png };
    const photograph = tool({
      inputSchema: place,
      execute: ({ city }) => city,
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [
          { type: "text", text: `A picture of ${output}` },
          { type: "file", mediaType: "image/png", data },
        ],
      }),
    });
    const ask = { ...desk.to(id), prompt: "Show me Lisbon.", stopWhen: isStepCount(2) };
    const { steps } = await generateText({ ...ask, tools: { photograph } });
    expect(steps).toHaveLength(2);
    const sent = JSON.stringify(desk.stand.tap.bodies.at(-1));
    expect(sent).toContain("A picture of Lisbon");
    expect(sent).toContain(png);
  });
}

/** What a call threw; a call that succeeds is a failure here. */
async function apiErrorOf(call: PromiseLike<unknown>): Promise<APICallError> {
  try {
    await call;
  } catch (error) {
    if (APICallError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

function errorsHold(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`N2 errors have their status and the gateway's words, on ${dialect}`, async () => {
    const ask = { prompt: question };
    const wrong = await apiErrorOf(generateText({ ...desk.to(id, "sk-nobody"), ...ask }));
    expect(wrong.statusCode).toBe(401);
    expect(wrong.message).toMatch(/key/i);
    const { key } = await desk.stand.gateway.customer(1);
    const poor = await apiErrorOf(generateText({ ...desk.to(id, key), ...ask }));
    expect(poor.statusCode).toBe(402);
    expect(poor.message).toMatch(/quota/i);
    const unknown = await apiErrorOf(generateText({ ...desk.to("nothing"), ...ask }));
    expect(unknown.statusCode).toBe(503);
    expect(unknown.message).toMatch(/model/i);
    const refused = { ...desk.to(id), prompt: "sandbox:status=400 lighthouses" };
    expect((await apiErrorOf(generateText(refused))).statusCode).toBe(400);
  });

  test(`T18 a stream that breaks off ends with an error, and never hangs, on ${dialect}`, async () => {
    for (const directive of ["sandbox:error-after=2", "sandbox:error-after=8", "sandbox:cut"]) {
      const prompt = `${directive} ${question}`;
      const seen = await readAll(streamText({ ...desk.to(id), prompt, onError: () => {} }));
      expect(seen.errors).toHaveLength(1);
      expect(seen.finish).not.toBe("stop");
    }
  });

  test(`N2 a busy upstream is a 429 that may be tried again, on ${dialect}`, async () => {
    const busy = { ...desk.to(id), prompt: "sandbox:status=429 lighthouses" };
    expect(await apiErrorOf(generateText(busy))).toMatchObject({
      statusCode: 429,
      isRetryable: true,
    });
  });
}
