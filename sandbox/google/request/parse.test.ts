// Google's refusals, over real HTTP: names it does not know, and rules that are broken.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const user = (...parts: object[]) => ({ role: "user", parts });
const model = (...parts: object[]) => ({ role: "model", parts });
const hello = user({ text: "hello" });
const call = (name: string, id?: string) => ({
  functionCall: { name, args: {}, ...(id === undefined ? {} : { id }) },
});
const result = (name: string, id?: string) => ({
  functionResponse: { name, response: {}, ...(id === undefined ? {} : { id }) },
});

function post(body: object, name = "sandbox-large") {
  return fetch(`${sandbox.url}/google/v1beta/models/${name}:generateContent`, {
    method: "POST",
    headers: { "x-goog-api-key": "sk-sandbox-a" },
    body: JSON.stringify(body),
  });
}

async function refusalOf(body: object, name?: string): Promise<string> {
  const response = await post(body, name);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string; status: string } };
  expect(error.status).toBe("INVALID_ARGUMENT");
  return error.message;
}

async function expectServed(body: object, name?: string): Promise<void> {
  const response = await post(body, name);
  expect(await response.json()).toHaveProperty("candidates");
}

const declare = (...functionDeclarations: object[]) => ({ tools: [{ functionDeclarations }] });
const withParameters = (parameters: unknown) => declare({ name: "f", parameters });
const settings = (generationConfig: object) => ({ contents: [hello], generationConfig });

describe("a name that is not known", () => {
  const at = (place: string, name: string) =>
    `Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`;

  test.each([
    [{ contents: [{ ...hello, name: "x" }] }, at("contents[0]", "name")],
    [{ contents: [user({ text: "a", type: "text" })] }, at("contents[0].parts[0]", "type")],
    [
      { contents: [user({ inlineData: { mime: "a/b" } })] },
      at("contents[0].parts[0].inline_data", "mime"),
    ],
    [
      { contents: [user({ functionResponse: { call_id: "1" } })] },
      at("contents[0].parts[0].function_response", "call_id"),
    ],
    [settings({ maxTokens: 3 }), at("generation_config", "maxTokens")],
    [
      settings({ thinkingConfig: { effort: "low" } }),
      at("generation_config.thinking_config", "effort"),
    ],
    [{ tools: [{ type: "function" }] }, at("tools[0]", "type")],
    [declare({ name: "f", strict: true }), at("tools[0].function_declarations[0]", "strict")],
    [{ toolConfig: { mode: "ANY" } }, at("tool_config", "mode")],
    [{ safetySettings: [{ method: "X" }] }, at("safety_settings[0]", "method")],
    [{ contents: [user({ Text: "a" })] }, at("contents[0].parts[0]", "Text")],
    [{ contents: [user({ inline_Data: {} })] }, at("contents[0].parts[0]", "inline_Data")],
  ])("is refused where it stands: %j", async (body, message) => {
    expect(await refusalOf({ contents: [hello], ...body })).toBe(message);
  });

  test("is refused at the top, with the violation in the details", async () => {
    const response = await post({ contents: [hello], stream: true });
    const description = 'Invalid JSON payload received. Unknown name "stream": Cannot find field.';
    expect(await response.json()).toMatchObject({
      error: { message: description, details: [{ fieldViolations: [{ description }] }] },
    });
    expect(await refusalOf([hello])).toContain("Root element must be a message.");
    expect(await refusalOf({ contents: [hello], ["__proto__x"]: 1 })).toContain("__proto__x");
  });
});

describe("a value of the wrong kind", () => {
  test.each([
    [{ contents: [user({ text: 7 })] }, "Invalid value at 'contents[0].parts[0].text'"],
    [{ contents: ["hello"] }, "Invalid value at 'contents[0]'"],
    [settings({ topK: 1.5 }), "(TYPE_INT32), 1.5"],
    [settings({ topP: "" }), "(TYPE_DOUBLE)"],
    [settings({ responseLogprobs: "true" }), "(TYPE_BOOL)"],
    [settings({ thinkingConfig: { thinkingLevel: "XHIGH" } }), "(TYPE_ENUM)"],
    [{ safetySettings: [{ category: "HARM", threshold: "OFF" }] }, "(TYPE_ENUM)"],
    [
      { contents: [user({ functionResponse: { name: "f", response: "21 degrees" } })] },
      "'contents[0].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Str",
    ],
    [
      { contents: [user({ functionResponse: { name: "f", response: [1] } })] },
      "Unknown name \"response\" at 'contents[0].parts[0].function_response': Proto field is not",
    ],
    [
      { contents: [user({ inlineData: { mimeType: "image/png", data: "data:image/png;x" } })] },
      "Base64 decoding failed",
    ],
  ])("is refused where it stands: %j", async (body, message) => {
    expect(await refusalOf({ contents: [hello], ...body })).toContain(message);
  });
});

describe("contents", () => {
  test.each([
    [{}, "contents is not specified"],
    [{ contents: [] }, "contents is not specified"],
    [{ contents: null }, "contents is not specified"],
    [{ contents: [{ role: "user" }] }, "contents[0].parts: must not be empty"],
    [{ contents: [user({})] }, "must have one initialized field"],
    [{ contents: [user({ thought: true })] }, "must have one initialized field"],
    [{ contents: [user({ text: "a", ...call("f") })] }, "oneof field 'data' is already set"],
    [{ contents: [hello, { role: "assistant", parts: [{ text: "a" }] }, hello] }, "valid role"],
    [{ contents: [{ role: "system", parts: [{ text: "a" }] }] }, "valid role"],
    [{ contents: [hello, { parts: [{ text: "a" }] }] }, "valid role"],
    [{ contents: [hello, model({ text: "a" })] }, "end with a user role"],
    [{ contents: [hello], systemInstruction: { parts: [] } }, "must not be empty"],
    [{ contents: [user({ inlineData: { data: "AAAA" } })] }, "mime_type: is required"],
    [{ contents: [user({ inlineData: { mimeType: "image/png" } })] }, "data: is required"],
    [
      { contents: [user({ inlineData: { mimeType: "application/octet-stream", data: "AAAA" } })] },
      "Unsupported MIME type",
    ],
    [{ contents: [user({ fileData: { mimeType: "image/png" } })] }, "file_uri: is required"],
  ])("are refused when they are %j", async (body, message) => {
    expect(await refusalOf(body)).toContain(message);
  });

  test("may come without a role when they are one, and twice from the user", async () => {
    await expectServed({ contents: [{ parts: [{ text: "hello" }] }] });
    await expectServed({ contents: [hello, hello] });
    await expectServed({ contents: [hello, model({ text: "a", thought: true }), hello] });
  });
});

describe("calls and responses", () => {
  const wrongPlace = "function call turn comes immediately after a user turn";
  const wrongAnswer = "function response turn comes immediately after a function call turn";
  const wrongNumber = "number of function response parts is equal";

  test.each([
    [[model(call("f")), user(result("f"))], wrongPlace],
    [[user(call("f")), model({ text: "a" }), hello], wrongPlace],
    [[user(result("f"))], wrongAnswer],
    [[hello, model({ text: "a" }), user(result("f"))], wrongAnswer],
    [[hello, model(result("f")), hello], wrongAnswer],
    [[hello, model(call("f")), hello], wrongNumber],
    [[hello, model(call("f"), call("g")), user(result("f"))], wrongNumber],
    [[hello, model(call("f")), user(result("f"), result("f"))], wrongNumber],
    [[hello, model(call("f"), call("g")), user(result("f")), user(result("g"))], wrongNumber],
    [[hello, model(call("f")), user(result("g"))], "matches no function call"],
    [[hello, model(call("f"), call("g")), user(result("f"), result("f"))], "matches no function"],
    [[hello, model(call("f", "1")), user(result("f", "2"))], "matches no function call"],
    [[hello, model(call("")), user(result("f"))], "function_call.name: cannot be empty"],
    [[hello, model(call("f")), user(result(""))], "function_response.name: cannot be empty"],
    [
      [hello, model(call("f")), user({ functionResponse: { name: "f" } })],
      "response: must be a struct",
    ],
  ])("must fit together: %j", async (contents, message) => {
    expect(await refusalOf({ contents })).toContain(message);
  });

  test.each([
    [[hello, model(call("f"), call("g")), user(result("g"), result("f"))]],
    [[hello, model({ text: "a" }), model(call("f")), user(result("f"))]],
    [
      [
        hello,
        model(call("f")),
        model(call("g")),
        model({ text: "" }),
        user(result("f"), result("g")),
      ],
    ],
    [[hello, model({ text: "hm" }, call("f", "1")), user(result("f"), { text: "and now?" })]],
    [[hello, model(call("f", "1"), call("f", "2")), user(result("f", "2"), result("f", "1"))]],
    [[hello, model(call("f")), user(result("f")), model(call("g")), user(result("g"))]],
  ])("may come in these ways: %j", async (contents) => {
    await expectServed({ contents });
  });
});

describe("schemas", () => {
  const object = (properties: object, more: object = {}) => ({
    type: "OBJECT",
    properties,
    ...more,
  });
  const text = { type: "STRING" };

  test.each([
    [object({ a: { $ref: "#/$defs/a" } }), 'Unknown name "$ref" at'],
    [object({ a: text }, { additionalProperties: false }), 'Unknown name "additionalProperties"'],
    [object({ a: { const: 1 } }), 'Unknown name "const"'],
    [object({ a: { oneOf: [text] } }), 'Unknown name "oneOf"'],
    [object({ a: text }, { $schema: "x" }), 'Unknown name "$schema"'],
    [object({ a: { anyOf: [{ allOf: [] }] } }), "parameters.properties[0].value.any_of[0]'"],
    [object({ a: { type: ["string", "null"] } }), "Proto field is not repeating"],
    [object({ a: { type: "text" } }), "(TYPE_ENUM)"],
    [object({ a: { type: "STRING", enum: [1] } }), "enum[0]' (TYPE_STRING), 1"],
    [object({ a: { type: "INTEGER", enum: ["1"] } }), "only allowed for STRING type"],
    [object({ a: { type: "ARRAY" } }), "parameters.properties[a].items: missing field."],
    [object({}), "parameters.properties: should be non-empty for OBJECT type"],
    [object({ a: text }, { required: ["b"] }), "required[0]: property is not defined"],
  ])("of parameters are refused when they are %j", async (parameters, message) => {
    const body = { contents: [hello], ...withParameters(parameters) };
    expect(await refusalOf(body)).toContain(message);
    const config = { responseMimeType: "application/json", responseSchema: parameters };
    await refusalOf(settings(config));
  });

  test("may be in either case, and anything as JSON Schema", async () => {
    const all = {
      type: "object",
      title: "All",
      properties: {
        list: { type: "Array", items: { type: "integer", format: "int32" }, min_items: "1" },
        either: { anyOf: [text, { type: "null" }], nullable: true, default: null },
        bounded: { type: "NUMBER", minimum: 0, maximum: 1, example: 0.5 },
        worded: { type: "STRING", minLength: 1, maxLength: 9, pattern: "^a" },
      },
      propertyOrdering: ["list"],
      required: ["list"],
    };
    await expectServed({ contents: [hello], ...withParameters(all) });
    const parametersJsonSchema = { $ref: "#/$defs/a", $defs: { a: { const: 1 } } };
    await expectServed({ contents: [hello], ...declare({ name: "f", parametersJsonSchema }) });
  });
});

describe("tools", () => {
  const choice = (functionCallingConfig: object) => ({
    ...declare({ name: "f" }),
    toolConfig: { functionCallingConfig },
  });

  test.each([
    [declare({ name: "2f" }), "Invalid function name"],
    [declare({ name: "a b" }), "Invalid function name"],
    [declare({ name: "f".repeat(65) }), "Invalid function name"],
    [declare({}), "Invalid function name"],
    [declare({ name: "f" }, { name: "f" }), "Duplicate function declaration"],
    [
      declare({ name: "f", parameters: { type: "STRING" }, parametersJsonSchema: {} }),
      "mutually exclusive",
    ],
    [choice({ mode: "AUTO", allowedFunctionNames: ["f"] }), "mode is ANY"],
    [choice({ mode: "ANY", allowedFunctionNames: ["g"] }), "not a declared function"],
    [choice({ mode: "REQUIRED" }), "(TYPE_ENUM)"],
    [
      { toolConfig: { functionCallingConfig: { mode: "AUTO" } } },
      "set without function_declarations",
    ],
  ])("are refused when they are %j", async (body, message) => {
    expect(await refusalOf({ contents: [hello], ...body })).toContain(message);
  });

  test("of Google's own are accepted", async () => {
    const tools = [{ googleSearch: {} }, { code_execution: {} }, { urlContext: {} }];
    await expectServed({ contents: [hello], tools });
    await expectServed({ contents: [hello], ...declare({ name: "ns.f:g-h_1" }) });
  });
});

describe("settings", () => {
  const json = { responseMimeType: "application/json" };
  const word = { type: "STRING" };

  test.each([
    [{ thinkingConfig: { thinkingBudget: 100, thinkingLevel: "LOW" } }, "only one of"],
    [{ stopSequences: ["a", "b", "c", "d", "e", "f"] }, "must not be more than 5"],
    [{ temperature: 2.1 }, "temperature: must be in the range [0, 2]"],
    [{ topP: -0.1 }, "top_p: must be"],
    [{ candidateCount: 9 }, "candidate_count: must be"],
    [{ presencePenalty: 3 }, "presence_penalty: must be"],
    [{ maxOutputTokens: 0 }, "must be positive"],
    [{ responseModalities: ["TEXT", "IMAGE"] }, "response modalities"],
    [{ responseMimeType: "text/html" }, "allowed mimetypes"],
    [{ responseSchema: word }, "needs a response_mime_type"],
    [{ responseJsonSchema: {} }, "needs a response_mime_type"],
    [{ ...json, responseSchema: word, responseJsonSchema: {} }, "mutually exclusive"],
  ])("are refused when they are %j", async (generationConfig, message) => {
    expect(await refusalOf(settings(generationConfig))).toContain(message);
  });

  test.each([
    ["gemini-2.5-flash", { thinkingLevel: "LOW" }],
    ["gemini-2.5-flash", { thinkingBudget: 30_000 }],
    ["gemini-2.5-pro", { thinkingBudget: 0 }],
    ["gemini-3-pro", { thinkingLevel: "MINIMAL" }],
    ["gemini-3-pro", { thinkingBudget: 0 }],
    ["gemini-3-flash", { thinkingBudget: -2 }],
  ])("of %s may not be %j", async (name, thinkingConfig) => {
    await refusalOf(settings({ thinkingConfig }), name);
  });

  test.each([
    ["gemini-2.5-flash", { thinkingBudget: 0 }],
    ["gemini-2.5-pro", { thinkingBudget: 128 }],
    ["gemini-3-flash", { thinkingLevel: "minimal" }],
    ["gemini-3-pro", { thinkingBudget: -1 }],
  ])("of %s may be %j", async (name, thinkingConfig) => {
    await expectServed(settings({ thinkingConfig }), name);
  });

  test("may be all that Google knows", async () => {
    const safetySettings = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "OFF" }];
    const generationConfig = {
      temperature: 0,
      topP: 1,
      topK: 40,
      candidateCount: 1,
      maxOutputTokens: 100,
      stopSequences: ["a", "b", "c", "d", "e"],
      responseModalities: ["TEXT"],
      imageConfig: { aspectRatio: "1:1" },
      speechConfig: { languageCode: "en" },
      seed: -1,
      presencePenalty: -2,
      frequencyPenalty: 2,
      responseLogprobs: true,
      logprobs: 3,
      mediaResolution: "MEDIA_RESOLUTION_LOW",
      enableEnhancedCivicAnswers: false,
    };
    const rest = { labels: { team: "a" }, serviceTier: "standard", store: false };
    await expectServed({ ...settings(generationConfig), safetySettings, ...rest });
  });

  test("of a cache leave no room for instructions", async () => {
    const cached = { contents: [hello], cachedContent: "cachedContents/a" };
    await expectServed(cached);
    expect(await refusalOf({ ...cached, tools: [] })).toContain("CachedContent can not be used");
    expect(await refusalOf({ ...cached, cachedContent: "a" })).toContain("no name of a cached");
  });
});
