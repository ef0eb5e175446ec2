// Function calls over real HTTP.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface Call {
  id?: string;
  name: string;
  args: object;
}
interface Part {
  text?: string;
  functionCall?: Call;
}
interface Reply {
  candidates: { content: { role: string; parts?: Part[] }; finishReason: string }[];
}

const weather = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: {
    type: "object",
    properties: {
      city: { type: "string" },
      unit: { type: "STRING", enum: ["celsius", "kelvin"] },
    },
    required: ["city"],
  },
};
const clock = { name: "get_time" };
const tools = [{ functionDeclarations: [weather] }, { functionDeclarations: [clock] }];
const user = { role: "user", parts: [{ text: "How warm is it in Paris?" }] };
const bothNamed = { role: "user", parts: [{ text: "Use get_time and get_weather for Paris" }] };

function post(body: object, model = "gemini-2.5-flash") {
  return fetch(`${sandbox.url}/google/v1beta/models/${model}:generateContent`, {
    method: "POST",
    headers: { "x-goog-api-key": "sk-sandbox-a" },
    body: JSON.stringify({ contents: [user], tools, ...body }),
  });
}

async function candidateOf(body: object, model?: string) {
  const response = await post(body, model);
  expect(response.status).toBe(200);
  const [candidate] = ((await response.json()) as Reply).candidates;
  if (!candidate) throw new Error("no candidate");
  return candidate;
}

async function callsOf(body: object, model?: string): Promise<Call[]> {
  const parts = (await candidateOf(body, model)).content.parts ?? [];
  return parts.flatMap(({ functionCall }) => functionCall ?? []);
}

async function namesOf(body: object): Promise<string[]> {
  return (await callsOf(body)).map(({ name }) => name);
}

const choice = (functionCallingConfig: object) => ({ toolConfig: { functionCallingConfig } });

describe("functions", () => {
  test("are called with arguments that fit, instead of an answer in words", async () => {
    const { content, finishReason } = await candidateOf({});
    expect(finishReason).toBe("STOP");
    expect(content).toEqual({
      parts: [{ functionCall: { name: "get_weather", args: { city: "Paris" } } }],
      role: "model",
    });
  });

  test("may be described in JSON Schema", async () => {
    const parametersJsonSchema = {
      $defs: { place: { type: "object", properties: { at: { const: 7 } }, required: ["at"] } },
      properties: { place: { $ref: "#/$defs/place" } },
      required: ["place"],
      additionalProperties: false,
    };
    const declared = [{ functionDeclarations: [{ name: "go", parametersJsonSchema }] }];
    expect(await callsOf({ tools: declared })).toEqual([
      { name: "go", args: { place: { at: 7 } } },
    ]);
  });

  test("without parameters get an empty object", async () => {
    const declared = [{ functionDeclarations: [clock] }];
    expect(await callsOf({ tools: declared })).toEqual([{ name: "get_time", args: {} }]);
  });

  test("are chosen as the mode says", async () => {
    expect(await namesOf(choice({ mode: "AUTO" }))).toEqual(["get_weather"]);
    expect(await namesOf(choice({ mode: "VALIDATED" }))).toEqual(["get_weather"]);
    expect(await namesOf(choice({ mode: "any" }))).toEqual(["get_weather"]);
    const allowed = { mode: "ANY", allowedFunctionNames: ["get_time"] };
    expect(await namesOf(choice(allowed))).toEqual(["get_time"]);
    const { content } = await candidateOf(choice({ mode: "NONE" }));
    expect(content.parts?.[0]?.text).toContain("Paris");
  });

  test("are called together when the prompt names several", async () => {
    expect(await namesOf({ contents: [bothNamed] })).toEqual(["get_weather", "get_time"]);
  });

  test("have ids where the model gives them", async () => {
    const [first, second] = await callsOf({ contents: [bothNamed] }, "chatC-3-pro");
    expect(first?.id).toStartWith("call_");
    expect(second?.id).toStartWith("call_");
    expect(first?.id).not.toBe(second?.id);
  });

  test("that do not fit the limit are not called", async () => {
    const generationConfig = { maxOutputTokens: 4, thinkingConfig: { thinkingBudget: 0 } };
    expect(await candidateOf({ generationConfig })).toMatchObject({
      content: { role: "model" },
      finishReason: "MAX_TOKENS",
    });
  });

  test("are not called again once they have answered", async () => {
    const { content } = await candidateOf({});
    const response = { output: { degrees: 21 } };
    const answered = {
      role: "user",
      parts: [{ functionResponse: { name: "get_weather", response } }],
    };
    const contents = [user, content, answered];
    const { content: said, finishReason } = await candidateOf({ contents });
    expect(finishReason).toBe("STOP");
    expect(said.parts?.[0]?.text).toContain('{"output":{"degrees":21}}');
    const again = await namesOf({ contents, ...choice({ mode: "ANY" }) });
    expect(again).toEqual(["get_weather"]);
  });

  test("may return media, which the answer describes", async () => {
    const { content } = await candidateOf({});
    const data = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
    const parts = [{ inlineData: { mimeType: "application/pdf", data } }];
    const functionResponse = { name: "get_weather", response: {}, parts };
    const contents = [user, content, { role: "user", parts: [{ functionResponse }] }];
    const { content: said } = await candidateOf({ contents });
    expect(said.parts?.[0]?.text).toContain("a document of type application/pdf, 14 bytes");
  });
});
