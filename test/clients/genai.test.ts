// Google's official client, as it is, against upstreams of every dialect.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  ApiError,
  type CallableTool,
  type Content,
  createPartFromBase64,
  createPartFromUri,
  createUserContent,
  FinishReason,
  type FunctionCall,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  HarmBlockThreshold,
  HarmCategory,
  type Part,
  Type,
} from "@google/genai";
import { eventually, newestRow } from "../harness/books.ts";
import { dialects, modelOf, startTapped } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { farImage, placeSchema, png, pngSeen, proofsIn } from "../harness/samples.ts";
import { useStand } from "../harness/nodes/stand.ts";

let client: GoogleGenAI;

const stand = useStand(() =>
  startTapped("distribution: { failures_to_eject: 1000 }\ntext: { read_on_ms: 300 }"),
);

beforeAll(() => {
  client = clientOf(rootKey);
});

function clientOf(apiKey: string, apiVersion?: "v1"): GoogleGenAI {
  const baseUrl = stand.gateway.url;
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl, ...(apiVersion && { apiVersion }) } });
}

const question = "Where do lighthouses stand?";
const bothTools = "Use find_city and get_weather for Lisbon.";

const findCity = {
  name: "find_city",
  description: "Finds a city",
  parameters: {
    type: Type.OBJECT,
    properties: { city: { type: Type.STRING } },
    required: ["city"],
  },
};
const getWeather = {
  name: "get_weather",
  description: "Tells the weather",
  parametersJsonSchema: placeSchema,
};
const tools = [{ functionDeclarations: [findCity, getWeather] }];

interface Request {
  model: string;
  contents: Content[];
  config: GenerateContentConfig;
}

function ask(model: string, text = question, config: GenerateContentConfig = {}): Request {
  return { model, contents: [createUserContent(text)], config };
}

/** An answer as the client gave it, whole or in chunks. */
interface Answer {
  parts: Part[];
  text: string;
  calls: FunctionCall[];
  last: GenerateContentResponse;
}

async function answer(request: Request, stream: boolean): Promise<Answer> {
  const chunks = stream
    ? await Array.fromAsync(await client.models.generateContentStream(request))
    : [await client.models.generateContent(request)];
  return joined(chunks);
}

function joined(chunks: readonly GenerateContentResponse[]): Answer {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const last = chunks.at(-1);
  if (!last) throw new Error("no chunk");
  const said = parts.filter(({ thought }) => thought !== true);
  const text = said.map((part) => part.text ?? "").join("");
  return { parts, text, calls: parts.flatMap(({ functionCall }) => functionCall ?? []), last };
}

function thoughtsOf({ parts }: Answer): string {
  return parts.map(({ thought, text }) => (thought === true ? text : "")).join("");
}

function finishOf({ last }: Answer): FinishReason | undefined {
  return last.candidates?.[0]?.finishReason;
}

function resultsFor(calls: readonly FunctionCall[]): Part[] {
  return calls.map(({ id, name = "", args }) => ({
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name,
      response: { output: `${name} found ${String(args?.["city"])}` },
    },
  }));
}

/** The request that goes on from an answer, whose parts are echoed as they came. */
function goOn(request: Request, { parts, calls }: Answer, next?: Content): Request {
  const results = next ?? { role: "user", parts: resultsFor(calls) };
  return { ...request, contents: [...request.contents, { role: "model", parts }, results] };
}

/** Error of a call; a call that succeeds is a failure here. */
async function apiErrorOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

/** The error's body, which the client shows as text, in a stream with words before it. */
function bodyOf({ message }: ApiError): { code: number; status: string; details: object[] } {
  return JSON.parse(message.slice(message.indexOf("{"))).error;
}

test("T15 N1 a client that asks under /v1 gets the same", async () => {
  const newer = clientOf(rootKey, "v1");
  const { text } = await newer.models.generateContent(ask("chatC"));
  expect(text).toStartWith("You asked about lighthouses");
  const chunks = await Array.fromAsync(await newer.models.generateContentStream(ask("chatC")));
  expect(joined(chunks).text).toBe(text ?? "");
  const counted = await newer.models.countTokens({ model: "chatC", contents: question });
  expect(counted.totalTokens).toBeGreaterThan(0);
  const names = (await Array.fromAsync(await newer.models.list())).map(({ name }) => name);
  expect(names).toContain("models/chatC");
  expect(await newer.models.get({ model: "chatC" })).toMatchObject({ name: "models/chatC" });
});

describe.each(dialects)("content on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("T15 generateContent gives the answer and its usage", async () => {
    const response = await client.models.generateContent(ask(model));
    expect(response.text).toStartWith("You asked about lighthouses");
    expect(response.candidates).toHaveLength(1);
    expect(response.candidates?.[0]).toMatchObject({ finishReason: FinishReason.STOP, index: 0 });
    expect(response.candidates?.[0]?.content?.role).toBe("model");
    expect(response.modelVersion).toBe(model);
    expect(response.responseId).not.toBeEmpty();
    const { promptTokenCount: input = 0, totalTokenCount } = response.usageMetadata ?? {};
    const { candidatesTokenCount: output = 0, thoughtsTokenCount } = response.usageMetadata ?? {};
    expect(input).toBeWithin(4, 40);
    expect(output).toBeWithin(20, 200);
    expect(totalTokenCount).toBe(input + output + (thoughtsTokenCount ?? 0));
    expect(stand.sandbox.calls().recent.at(-1)).toMatchObject({ model, outcome: "completed" });
  });

  test("T15 generateContentStream gives the same answer in pieces", async () => {
    const whole = await client.models.generateContent(ask(model));
    const stream = await client.models.generateContentStream(ask(model));
    const chunks = await Array.fromAsync(stream);
    const streamed = joined(chunks);
    expect(chunks.length).toBeGreaterThan(4);
    expect(streamed.text).toBe(whole.text ?? "");
    expect(streamed.last.usageMetadata).toEqual(whole.usageMetadata ?? {});
    expect(new Set(chunks.map(({ responseId }) => responseId)).size).toBe(1);
    const ends = chunks.flatMap(({ candidates }) => candidates?.[0]?.finishReason ?? []);
    expect(ends).toEqual([FinishReason.STOP]);
  });

  test("T15 system instructions are read by the model", async () => {
    const plain = await answer(ask(model), false);
    const systemInstruction = "You keep a lighthouse in the far north. Be brief and kind.";
    for (const given of [systemInstruction, createUserContent(systemInstruction)]) {
      const told = await answer(ask(model, question, { systemInstruction: given }), false);
      expect(told.text).toBe(plain.text);
      const [before = 0, after = 0] = [plain, told].map(
        ({ last }) => last.usageMetadata?.promptTokenCount ?? 0,
      );
      expect(after - before).toBeWithin(10, 30);
    }
  });

  const ways = [
    [{ thinkingBudget: 0 }, false],
    [{ thinkingBudget: 0 }, true],
    [{ includeThoughts: true }, false],
    [{ includeThoughts: true }, true],
    [{ includeThoughts: true, thinkingBudget: 1500 }, false],
    [{ includeThoughts: true, thinkingBudget: 1500 }, true],
    [{ includeThoughts: false, thinkingBudget: 1500 }, false],
    [{ includeThoughts: false, thinkingBudget: 1500 }, true],
  ] as const;

  test.each(ways)(
    "T16 a tool loop with %j comes to its end (stream: %p)",
    async (thinkingConfig, stream) => {
      const request = ask(model, bothTools, { tools, thinkingConfig });
      const first = await answer(request, stream);
      expect(finishOf(first)).toBe(FinishReason.STOP);
      expect(first.calls).toMatchObject([
        { name: "find_city", args: { city: "Lisbon" } },
        { name: "get_weather", args: { city: "Lisbon" } },
      ]);
      const second = await answer(goOn(request, first), stream);
      expect(second.calls).toBeEmpty();
      expect(second.text).toMatch(/find_city found Lisbon[^]*get_weather found Lisbon/);
      const more = createUserContent("Now, how far is Porto?");
      const third = await answer(goOn(goOn(request, first), second, more), stream);
      expect(third.calls).toMatchObject([{ name: "find_city", args: { city: "Porto" } }]);
    },
  );

  test.each([false, true])("T16 thinking is shown and comes back (stream: %p)", async (stream) => {
    const thinkingConfig = { includeThoughts: true, thinkingBudget: 1500 };
    const request = ask(model, bothTools, { tools, thinkingConfig });
    const first = await answer(request, stream);
    expect(thoughtsOf(first)).toContain("You asked about find, city and weather");
    expect(first.last.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(3);
    expect(first.parts.filter(({ thoughtSignature }) => thoughtSignature)).not.toBeEmpty();
    const before = stand.tap.bodies.length;
    await answer(goOn(request, first), stream);
    const proofs = proofsIn(stand.tap.bodies[before], dialect);
    expect(proofs).not.toBeEmpty();
    if (dialect === "chat") expect(proofs).toEqual([thoughtsOf(first)]);
  });

  test.each([false, true])(
    "T16 hidden thinking comes back as well (stream: %p)",
    async (stream) => {
      const thinkingConfig = { includeThoughts: false, thinkingBudget: 1500 };
      const request = ask(model, bothTools, { tools, thinkingConfig });
      const first = await answer(request, stream);
      expect(thoughtsOf(first)).toBe("");
      const before = stand.tap.bodies.length;
      await answer(goOn(request, first), stream);
      expect(proofsIn(stand.tap.bodies[before], dialect)).not.toBeEmpty();
    },
  );

  test("T15 who wants no thinking pays for none", async () => {
    const { last, parts } = await answer(
      ask(model, question, { thinkingConfig: { thinkingBudget: 0 } }),
      false,
    );
    expect(parts.filter(({ thought }) => thought)).toBeEmpty();
    expect(last.usageMetadata?.thoughtsTokenCount ?? 0).toBe(0);
  });

  test("T15 the choice of functions is obeyed", async () => {
    const choose = (mode: FunctionCallingConfigMode, allowedFunctionNames?: string[]) =>
      answer(
        ask(model, "How far is it to Lisbon?", {
          tools,
          toolConfig: {
            functionCallingConfig: { mode, ...(allowedFunctionNames && { allowedFunctionNames }) },
          },
        }),
        false,
      );
    const { ANY, AUTO, NONE } = FunctionCallingConfigMode;
    expect((await choose(ANY, ["get_weather"])).calls).toMatchObject([{ name: "get_weather" }]);
    expect((await choose(ANY)).calls).toHaveLength(1);
    expect((await choose(AUTO)).calls).toHaveLength(1);
    const none = await choose(NONE);
    expect(none.calls).toBeEmpty();
    expect(none.text).toContain("Lisbon");
  });

  test.each([false, true])(
    "T16 functions are called automatically (stream: %p)",
    async (stream) => {
      const asked: FunctionCall[] = [];
      const callable: CallableTool = {
        tool: async () => ({ functionDeclarations: [findCity] }),
        async callTool(calls) {
          asked.push(...calls);
          return resultsFor(calls);
        },
      };
      for (const includeThoughts of [false, true]) {
        const config = { tools: [callable], thinkingConfig: { includeThoughts } };
        const { text } = await answer(ask(model, "How far is it to Lisbon?", config), stream);
        expect(text).toContain("find_city found Lisbon");
      }
      expect(asked).toMatchObject([
        { name: "find_city", args: { city: "Lisbon" } },
        { name: "find_city", args: { city: "Lisbon" } },
      ]);
    },
  );

  test("T16 a chat keeps its history over whole and streamed turns", async () => {
    const thinkingConfig = { includeThoughts: true, thinkingBudget: 1500 };
    const chat = client.chats.create({ model, config: { tools, thinkingConfig } });
    const first = joined([await chat.sendMessage({ message: "How far is it to Lisbon?" })]);
    const second = await chat.sendMessage({ message: resultsFor(first.calls) });
    expect(second.text).toContain("find_city found Lisbon");
    const streamed = async (message: string | Part[]) =>
      joined(await Array.fromAsync(await chat.sendMessageStream({ message })));
    const third = await streamed(bothTools.replace("Lisbon", "Porto"));
    expect(third.calls).toMatchObject([
      { name: "find_city", args: { city: "Porto" } },
      { name: "get_weather", args: { city: "Porto" } },
    ]);
    const fourth = await streamed(resultsFor(third.calls));
    expect(fourth.text).toMatch(/find_city found Porto[^]*get_weather found Porto/);
    const before = stand.tap.bodies.length;
    const fifth = await streamed("And where do lighthouses stand, find_city?");
    expect(fifth.calls).toHaveLength(1);
    const sent = JSON.stringify(stand.tap.bodies[before]);
    for (const said of ["Lisbon", "Porto"]) expect(sent).toContain(`find_city found ${said}`);
    expect(chat.getHistory(true).filter(({ role }) => role === "user")).toHaveLength(5);
  });

  test("T15 calls without ids are matched in their order, and may fail", async () => {
    const call = { functionCall: { name: "find_city", args: { city: "Lisbon" } } };
    const respond = (response: Record<string, unknown>) => ({
      functionResponse: { name: "find_city", response },
    });
    const results = [respond({ output: "It is in Portugal." }), respond({ error: "no map" })];
    const { contents } = ask(model, "How far is it to Lisbon?");
    const said = { role: "model", parts: [call, call] };
    const { text } = await answer(
      { model, contents: [...contents, said, { role: "user", parts: results }], config: { tools } },
      false,
    );
    expect(text).toMatch(/It is in Portugal\.[^]*error[^]*no map/);
  });

  test("N5 a hosted tool that the dialect lacks is left out, and named", async () => {
    const config = { tools: [{ codeExecution: {} }] };
    const { text, sdkHttpResponse } = await client.models.generateContent(
      ask(model, question, config),
    );
    expect(text).toStartWith("You asked about lighthouses");
    const ignored = sdkHttpResponse?.headers?.["x-sluice-ignored"];
    expect(ignored).toBe(dialect === "content" ? undefined : "tools.0.codeExecution");
  });

  test("T15 images come as bytes and by address, documents as well", async () => {
    const pdf = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
    const content = createUserContent([
      "What is on these?",
      createPartFromBase64(png, "image/png"),
      createPartFromUri(farImage, "image/png"),
      createPartFromBase64(pdf, "application/pdf"),
    ]);
    const { text } = await answer({ model, contents: [content], config: {} }, false);
    expect(text).toStartWith(pngSeen);
    expect(text).toContain(`at ${farImage}.`);
    expect(text).toContain("a document of type application/pdf, 14 bytes");
  });

  test.each([false, true])(
    "T15 answers have the shape of a schema (stream: %p)",
    async (stream) => {
      const responseMimeType = "application/json";
      for (const schema of [
        { responseSchema: findCity.parameters },
        { responseJsonSchema: placeSchema },
      ]) {
        const config = { responseMimeType, ...schema };
        const { text } = await answer(ask(model, "Which city is it, Lisbon?", config), stream);
        expect(JSON.parse(text)).toEqual({ city: "Lisbon" });
      }
    },
  );

  test.each([false, true])("N5 stop sequences end the text (stream: %p)", async (stream) => {
    const asked = answer(ask(model, question, { stopSequences: ["lighthouses"] }), stream);
    if (dialect === "responses") {
      const error = await apiErrorOf(asked);
      expect(bodyOf(error)).toMatchObject({
        code: 400,
        status: "INVALID_ARGUMENT",
        details: [{ param: "generationConfig.stopSequences" }],
      });
      return;
    }
    const reply = await asked;
    expect(reply.text).toBe("You asked about ");
    expect(finishOf(reply)).toBe(FinishReason.STOP);
  });

  test.each([false, true])("X-U05 the bound on the output is kept (stream: %p)", async (stream) => {
    const config = { maxOutputTokens: 20, thinkingConfig: { thinkingBudget: 0 } };
    const reply = await answer(ask(model, question, config), stream);
    expect(finishOf(reply)).toBe(FinishReason.MAX_TOKENS);
    expect(reply.last.usageMetadata?.candidatesTokenCount).toBeWithin(1, 21);
  });

  test("T15 every other setting is taken", async () => {
    const { text } = await answer(
      ask(model, question, {
        temperature: 0,
        topP: 1,
        topK: 40,
        seed: 4,
        presencePenalty: 0.5,
        frequencyPenalty: 0.5,
        safetySettings: [
          {
            category: HarmCategory.HARM_CATEGORY_HATE_SPEECH,
            threshold: HarmBlockThreshold.BLOCK_ONLY_HIGH,
          },
        ],
        labels: { team: "harbour" },
      }),
      false,
    );
    expect(text).toStartWith("You asked about lighthouses");
  });

  test("N5 several answers come where the dialect has them, else the field is named", async () => {
    const asked = client.models.generateContent(ask(model, question, { candidateCount: 2 }));
    if (dialect === "chat" || dialect === "content") {
      const { candidates = [] } = await asked;
      expect(candidates.map(({ index }) => index)).toEqual([0, 1]);
      return;
    }
    const details = [{ param: "generationConfig.candidateCount" }];
    expect(bodyOf(await apiErrorOf(asked))).toMatchObject({ code: 400, details });
  });

  test.each([false, true])("T16 a filter is told as one (stream: %p)", async (stream) => {
    const reply = await answer(ask(model, `sandbox:filter ${question}`), stream);
    expect(finishOf(reply)).toBe(FinishReason.SAFETY);
  });

  test("N5 countTokens counts what a request would be billed for", async () => {
    const { totalTokens = 0 } = await client.models.countTokens({ model, contents: question });
    const { last } = await answer(ask(model), false);
    const { promptTokenCount = 0 } = last.usageMetadata ?? {};
    expect(totalTokens).toBeWithin(promptTokenCount * 0.6, promptTokenCount * 1.6);
    if (dialect === "content") expect(totalTokens).toBe(promptTokenCount);
  });
});

const moves = [{ includeThoughts: true, thinkingBudget: 1500 }, { thinkingBudget: 0 }];

test.each(moves)("T16 a conversation with %j moves between upstreams", async (thinkingConfig) => {
  for (const [at, dialect] of dialects.entries()) {
    const request = ask(modelOf[dialect], bothTools, { tools, thinkingConfig });
    const first = await answer(request, true);
    const model = modelOf[dialects[(at + 1) % dialects.length] ?? "chat"];
    const second = await answer(goOn({ ...request, model }, first), false);
    expect(second.text).toMatch(/find_city found Lisbon[^]*get_weather found Lisbon/);
  }
});

describe("models", () => {
  test("N1 models.list pages through them and models.get finds one", async () => {
    const pager = await client.models.list({ config: { pageSize: 2 } });
    const names: string[] = [];
    for await (const { name } of pager) names.push(name ?? "");
    expect(names).toEqual(
      expect.arrayContaining(Object.values(modelOf).map((name) => `models/${name}`)),
    );
    expect(new Set(names).size).toBe(names.length);
    const one = await client.models.get({ model: modelOf.content });
    expect(one.name).toBe(`models/${modelOf.content}`);
    expect(one.inputTokenLimit).toBeGreaterThan(1000);
    expect(await apiErrorOf(client.models.get({ model: "nothing" }))).toMatchObject({
      status: 404,
    });
  });

  test("N2 an unknown model throws ApiError 503", async () => {
    const error = await apiErrorOf(client.models.generateContent(ask("nothing")));
    expect(error.status).toBe(503);
    expect(bodyOf(error)).toMatchObject({
      status: "UNAVAILABLE",
      details: [{ code: "model_not_found" }],
    });
  });

  test("N2 what the gateway does not have throws ApiError in Google's own shape", async () => {
    const error = await apiErrorOf(client.caches.create({ model: "chatA", config: {} }));
    expect(error.status).toBe(404);
    expect(bodyOf(error)).toMatchObject({ code: 404, details: [{ code: "not_found" }] });
  });
});

describe.each(dialects)("errors on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N2 a wrong key throws ApiError 401", async () => {
    for (const call of [
      clientOf("sk-nobody").models.generateContent(ask(model)),
      clientOf("sk-nobody").models.generateContentStream(ask(model)),
    ]) {
      const error = await apiErrorOf(call);
      expect(error.status).toBe(401);
      expect(bodyOf(error)).toMatchObject({ status: "UNAUTHENTICATED" });
    }
  });

  test("N2 too little quota throws ApiError 402", async () => {
    const { key } = await stand.gateway.customer(1);
    const error = await apiErrorOf(clientOf(key).models.generateContent(ask(model)));
    expect(error.status).toBe(402);
    expect(bodyOf(error)).toMatchObject({ details: [{ code: "insufficient_user_quota" }] });
  });

  test("N2 a wrong field throws ApiError 400 that names it", async () => {
    const config: object = { temperature: "hot" };
    const error = await apiErrorOf(client.models.generateContent(ask(model, question, config)));
    expect(error.status).toBe(400);
    expect(bodyOf(error)).toMatchObject({
      status: "INVALID_ARGUMENT",
      details: [{ param: "generationConfig.temperature" }],
    });
  });

  test("N2 an upstream's refusal and its failure throw ApiError with their status", async () => {
    for (const stream of [false, true]) {
      for (const status of [400, 500]) {
        const asked = answer(ask(model, `sandbox:status=${status} ${question}`), stream);
        const error = await apiErrorOf(asked);
        expect(error.status).toBe(status);
        expect(bodyOf(error)).toMatchObject({ code: status });
      }
    }
  });

  const faults = ["error-after=2", "error-after=8", "cut", "garbage"];
  test.each(faults)("T18 a stream with the fault %s throws, and never hangs", async (fault) => {
    const error = await apiErrorOf(answer(ask(model, `sandbox:${fault} ${question}`), true));
    expect(error.status).toBe(500);
    expect(bodyOf(error)).toMatchObject({ code: 500, status: "INTERNAL" });
  });

  test("T18 a stream that is aborted ends for the client and is billed", async () => {
    const { key, keyId } = await stand.gateway.customer(100_000_000);
    const controller = new AbortController();
    const asked = ask(model, `sandbox:stall ${question}`, { abortSignal: controller.signal });
    const read = async () =>
      await Array.fromAsync(await clientOf(key).models.generateContentStream(asked));
    const thrown = read().then(
      () => null,
      (error: unknown) => error,
    );
    await eventually("the upstream's answer", async () =>
      stand.sandbox.calls().recent.find(({ status, outcome }) => status === 200 && !outcome),
    );
    controller.abort();
    expect(await thrown).toMatchObject({ name: "AbortError" });
    expect(await newestRow(stand.gateway, keyId)).toMatchObject({ outcome: "client_abort" });
  });

  // Last, because the channel rests for a while after it.
  test("N2 an upstream that is too busy throws ApiError 429", async () => {
    const error = await apiErrorOf(answer(ask(model, "sandbox:status=429"), false));
    expect(error.status).toBe(429);
    expect(bodyOf(error)).toMatchObject({ status: "RESOURCE_EXHAUSTED" });
    const streamed = apiErrorOf(answer(ask(model, "sandbox:status=429"), true));
    expect(await streamed).toMatchObject({ status: 429 });
  });
});
