import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { Exchange, MediaPart, MediaSource, Part, Tool, Turn } from "../exchange.ts";
import { noHints, noSampling } from "../exchange.ts";
import { encodeResponsesRequest } from "./encode-request.ts";
import { exchangeOf, target } from "./fixtures/shapes.ts";

const encode = (given: Partial<Exchange>) => encodeResponsesRequest(exchangeOf(given), target).body;

function inputOf(role: "user" | "assistant" | "system", parts: Part[]) {
  return encode({ turns: [{ role, parts }] })["input"];
}

function refusal(given: Partial<Exchange>): string | null {
  try {
    encode(given);
    return "was accepted";
  } catch (error) {
    return error instanceof GatewayError ? error.param : String(error);
  }
}

const tool: Tool = {
  name: "f",
  description: null,
  schema: { type: "object" },
  isStrict: null,
  custom: null,
};

test("the least request keeps nothing at the vendor and sets no bound of its own", () => {
  expect(encode({})).toEqual({
    model: "up",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
    store: false,
  });
});

test("a stream is asked for", () => {
  const { body } = encodeResponsesRequest(exchangeOf({}), { ...target, stream: true });
  expect(body["stream"]).toBe(true);
});

test("storing is left to who asks for it", () => {
  expect(encode({ hints: { ...noHints, store: true } })["store"]).toBe(true);
});

describe("turns", () => {
  test("system text is the instructions, and later instructions are a developer's", () => {
    const body = encode({
      system: [
        { kind: "text", text: "one" },
        { kind: "text", text: "two" },
      ],
      turns: [
        { role: "user", parts: [{ kind: "text", text: "a" }] },
        { role: "system", parts: [{ kind: "text", text: "three" }] },
      ],
    });
    expect(body["instructions"]).toBe("one\n\ntwo");
    expect(body["input"]).toMatchObject([
      { role: "user" },
      { role: "developer", content: [{ type: "input_text", text: "three" }] },
    ]);
  });

  test("an assistant's turn becomes messages and items in their order", () => {
    expect(
      inputOf("assistant", [
        { kind: "text", text: "a" },
        { kind: "refusal", text: "no" },
        { kind: "call", id: "c1", name: "f", input: "", isCustom: false },
        { kind: "call", id: "c2", name: "sql", input: "select 1", isCustom: true },
        { kind: "text", text: "b" },
      ]),
    ).toEqual([
      {
        type: "message",
        role: "assistant",
        content: [
          { type: "output_text", text: "a", annotations: [] },
          { type: "refusal", refusal: "no" },
        ],
      },
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
      { type: "custom_tool_call", call_id: "c2", name: "sql", input: "select 1" },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "b", annotations: [] }],
      },
    ]);
  });

  test("only the vendor's own reasoning goes back, exactly as it came", () => {
    const own = { dialect: "responses" as const, data: "gAAAA", id: "rs_1" };
    const foreign = { dialect: "messages" as const, data: "sig" };
    expect(
      inputOf("assistant", [
        { kind: "reasoning", text: "why", proof: own, isRedacted: false },
        { kind: "reasoning", text: "", proof: { ...own, id: "rs_2" }, isRedacted: false },
        { kind: "reasoning", text: "other", proof: foreign, isRedacted: false },
        { kind: "reasoning", text: "", proof: foreign, isRedacted: true },
        { kind: "reasoning", text: "plain", proof: null, isRedacted: false },
      ]),
    ).toEqual([
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "why" }],
        encrypted_content: "gAAAA",
      },
      { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "gAAAA" },
    ]);
  });
});

describe("results of tools", () => {
  const result = (content: (Part & { kind: "text" | "media" })[], isError = false) =>
    inputOf("user", [
      { kind: "result", callId: "c", name: "f", content, isError, isCustom: false },
    ]);

  test("X-T10 texts become one string", () => {
    expect(
      result([
        { kind: "text", text: "a" },
        { kind: "text", text: "b" },
      ]),
    ).toEqual([{ type: "function_call_output", call_id: "c", output: "a\nb" }]);
    expect(result([])).toEqual([{ type: "function_call_output", call_id: "c", output: "" }]);
  });

  test("X-T13 an error is marked in the first line", () => {
    expect(result([{ kind: "text", text: "no" }], true)).toMatchObject([
      { output: "[tool error]\nno" },
    ]);
    expect(result([], true)).toMatchObject([{ output: "[tool error]" }]);
  });

  test("images stand as parts beside the text", () => {
    const source: MediaSource = { kind: "url", url: "https://example.com/a.png", type: null };
    const image: MediaPart = { kind: "media", media: "image", source, at: "x" };
    expect(result([{ kind: "text", text: "a" }, image], true)).toEqual([
      {
        type: "function_call_output",
        call_id: "c",
        output: [
          { type: "input_text", text: "[tool error]" },
          { type: "input_text", text: "a" },
          { type: "input_image", detail: "auto", image_url: "https://example.com/a.png" },
        ],
      },
    ]);
  });

  test("X-T26 the result of a custom tool says so", () => {
    const part: Part = {
      kind: "result",
      callId: "c",
      name: "sql",
      content: [{ kind: "text", text: "1" }],
      isError: false,
      isCustom: true,
    };
    expect(inputOf("user", [part])).toEqual([
      { type: "custom_tool_call_output", call_id: "c", output: "1" },
    ]);
  });
});

describe("media", () => {
  const part = (media: MediaPart["media"], source: MediaSource, name?: string): MediaPart => {
    const made: MediaPart = { kind: "media", media, source, at: "messages.0.content.1" };
    return name === undefined ? made : { ...made, name };
  };
  const content = (given: MediaPart) => inputOf("user", [given]);
  const bytes = (type: string): MediaSource => ({ kind: "bytes", type, base64: "AAAA" });

  test("images and documents go as data, as URLs and by the vendor's ids", () => {
    const expected: [MediaPart, object][] = [
      [
        part("image", bytes("image/png")),
        { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" },
      ],
      [
        part("image", { kind: "file", id: "file-1", dialect: "responses" }),
        { type: "input_image", detail: "auto", file_id: "file-1" },
      ],
      [
        part("document", bytes("application/pdf"), "a.pdf"),
        {
          type: "input_file",
          filename: "a.pdf",
          file_data: "data:application/pdf;base64,AAAA",
        },
      ],
      [
        part("document", { kind: "text", text: "hello" }),
        {
          type: "input_file",
          filename: "document.txt",
          file_data: "data:text/plain;base64,aGVsbG8=",
        },
      ],
      [
        part("document", { kind: "url", url: "https://example.com/a.pdf", type: null }),
        { type: "input_file", file_url: "https://example.com/a.pdf" },
      ],
    ];
    for (const [given, wanted] of expected) {
      expect(content(given)).toMatchObject([{ role: "user", content: [wanted] }]);
    }
  });

  test("a model's own image is shown to it by the user", () => {
    expect(inputOf("assistant", [part("image", bytes("image/png"))])).toMatchObject([
      { role: "user", content: [{ type: "input_image" }] },
    ]);
  });

  test("what it cannot take is refused where the client wrote it", () => {
    const foreign: MediaSource = { kind: "file", id: "x", dialect: "messages" };
    for (const given of [
      part("audio", bytes("audio/wav")),
      part("video", bytes("video/mp4")),
      part("image", foreign),
      part("document", foreign),
    ]) {
      expect(refusal({ turns: [{ role: "user", parts: [given] }] })).toBe("messages.0.content.1");
    }
  });
});

describe("tools and the form of the answer", () => {
  test("X-T22 a tool that says nothing of strictness is not strict, never null", () => {
    const parameters = { type: "object", properties: {} };
    expect(encode({ tools: [tool] })["tools"]).toEqual([
      { type: "function", name: "f", parameters, strict: false },
    ]);
    expect(encode({ tools: [{ ...tool, isStrict: true, schema: null }] })["tools"]).toEqual([
      { type: "function", name: "f", parameters, strict: true },
    ]);
  });

  test("JSON without a schema is spoken of in the input, as the vendor wants it", () => {
    const shape = { kind: "json" } as const;
    const word = { role: "developer", content: [{ type: "input_text", text: "Answer in JSON." }] };
    expect(encode({ shape })["input"]).toMatchObject([word, { role: "user" }]);
    const spoken: Turn = { role: "user", parts: [{ kind: "text", text: "As json, please." }] };
    expect(encode({ shape, turns: [spoken] })["input"]).toMatchObject([{ role: "user" }]);
    expect(encode({})["input"]).toMatchObject([{ role: "user" }]);
  });

  test("X-T26 custom tools keep their grammar", () => {
    const format = { type: "grammar", syntax: "regex", definition: "a+" };
    const custom: Tool = { ...tool, description: "d", schema: null, custom: { format } };
    expect(encode({ tools: [custom] })["tools"]).toEqual([
      { type: "custom", name: "f", description: "d", format },
    ]);
  });

  test("X-T25 a named tool is chosen flat", () => {
    const chosen = (toolChoice: Exchange["toolChoice"], tools = [tool]) =>
      encode({ tools, toolChoice })["tool_choice"];
    expect(chosen({ kind: "tool", name: "f", isCustom: false })).toEqual({
      type: "function",
      name: "f",
    });
    expect(chosen({ kind: "tool", name: "f", isCustom: true })).toEqual({
      type: "custom",
      name: "f",
    });
    expect(chosen({ kind: "required" })).toBe("required");
    expect(chosen({ kind: "some", names: ["f"], isRequired: false })).toEqual({
      type: "allowed_tools",
      mode: "auto",
      tools: [{ type: "function", name: "f" }],
    });
    expect(chosen(null)).toBeUndefined();
  });

  test("one call at a time is asked for, where there are tools", () => {
    expect(encode({ tools: [tool], parallelCalls: false })["parallel_tool_calls"]).toBe(false);
    expect(encode({ parallelCalls: false })).not.toContainKey("parallel_tool_calls");
  });

  test("X-P04 the form of the answer is flat", () => {
    const schema = { type: "object" };
    const given = { kind: "schema" as const, name: "n", description: "d", schema, isStrict: null };
    const format = { type: "json_schema", name: "n", description: "d", schema };
    expect(encode({ shape: given })["text"]).toEqual({ format });
    expect(encode({ shape: { kind: "json" } })["text"]).toEqual({
      format: { type: "json_object" },
    });
    expect(encode({ hints: { ...noHints, verbosity: "low" } })["text"]).toEqual({
      verbosity: "low",
    });
  });
});

describe("settings", () => {
  test("X-P09 temperature and top_p of 0 are sent, and the bound as it is", () => {
    const sampling = { ...noSampling, temperature: 0, topP: 0 };
    expect(encode({ sampling, outputTokensMax: 40 })).toMatchObject({
      temperature: 0,
      top_p: 0,
      max_output_tokens: 40,
    });
  });

  const reasoning = (given: Partial<Exchange["reasoning"] & object>) =>
    encode({ reasoning: { effort: null, budgetTokens: null, isShown: null, ...given } });

  test("reasoning is asked for by effort, shown unless refused, and wanted back encrypted", () => {
    expect(reasoning({ effort: "high" })).toMatchObject({
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    });
    expect(reasoning({ effort: "high", isShown: false })["reasoning"]).toEqual({ effort: "high" });
    expect(reasoning({ isShown: true })["reasoning"]).toEqual({ summary: "auto" });
    expect(reasoning({ isShown: false })).not.toContainAnyKeys(["reasoning", "include"]);
  });

  test("X-H16 no reasoning is said and not left out", () => {
    expect(reasoning({ effort: "none" })["reasoning"]).toEqual({ effort: "none" });
    expect(reasoning({ effort: "none" })).not.toContainKey("include");
  });

  test.each([
    [0, "none"],
    [1024, "low"],
    [8000, "medium"],
    [20_000, "high"],
    [60_000, "xhigh"],
  ])("a budget of %d tokens is an effort", (budgetTokens, effort) => {
    expect(reasoning({ budgetTokens })["reasoning"]).toMatchObject({ effort });
  });

  test("a conversation with its reasoning in it wants more of it", () => {
    const proof = { dialect: "responses" as const, data: "gAAAA" };
    const parts: Part[] = [{ kind: "reasoning", text: "", proof, isRedacted: false }];
    expect(encode({ turns: [{ role: "assistant", parts }] })["include"]).toEqual([
      "reasoning.encrypted_content",
    ]);
  });

  test("hints go under their own names, and a long user id as its digest", () => {
    const hints = {
      ...noHints,
      userId: "u1",
      metadata: { a: "1" },
      serviceTier: "flex",
      cacheKey: "k",
    };
    expect(encode({ hints })).toMatchObject({
      safety_identifier: "u1",
      metadata: { a: "1" },
      service_tier: "flex",
      prompt_cache_key: "k",
    });
    const long = encode({ hints: { ...noHints, userId: "u".repeat(200) } });
    expect(long["safety_identifier"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("what it lacks is left out and told in the client's words", () => {
    const { body, ignored } = encodeResponsesRequest(
      exchangeOf({
        sampling: { ...noSampling, topK: 3, seed: 1, presencePenalty: 0, frequencyPenalty: 0.5 },
        hints: { ...noHints, serviceTier: "standard_only", safety: [{ category: "x" }] },
      }),
      target,
    );
    expect(ignored).toEqual([
      "client.topK",
      "client.seed",
      "client.frequencyPenalty",
      "client.safety",
      "client.serviceTier",
    ]);
    expect(body).toContainAllKeys(["model", "input", "store"]);
  });

  test("several answers and stop sequences cannot be asked for", () => {
    expect(refusal({ choices: 2 })).toBe("client.choices");
    expect(refusal({ stop: ["END"] })).toBe("client.stop");
  });
});
