import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, ResultPart } from "../exchange.ts";
import { responses } from "./index.ts";
import { sealCall, sealReasoning, sealSummary, sealText } from "./sealed.ts";

function decode(given: JsonObject): Exchange {
  const body = { model: "m", input: "hi", ...given };
  const exchange = responses.client?.decodeRequest(body, responses.read(body, null));
  if (!exchange) throw new Error("there is no client side");
  return exchange;
}

function refusal(given: JsonObject): string | null {
  try {
    decode(given);
    return "was accepted";
  } catch (error) {
    return error instanceof GatewayError ? error.param : String(error);
  }
}

const turnsOf = (input: JsonObject[]) => decode({ input }).turns;
const png = "iVBORw0KGgoAAAANSUhEUgAAAAE=";

describe("the conversation", () => {
  test("a text is what the user says", () => {
    expect(turnsOf([{ role: "user", content: "a" }])).toEqual(decode({ input: "a" }).turns);
  });

  test("X-M01 developer and system words in front are instructions, later ones a system turn", () => {
    const { system, turns } = decode({
      instructions: "one",
      input: [
        { role: "developer", content: "two" },
        { role: "system", content: [{ type: "input_text", text: "three" }] },
        { role: "user", content: "a" },
        { type: "message", role: "developer", content: "four" },
      ],
    });
    expect(system.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(turns).toEqual([
      { role: "user", parts: [{ kind: "text", text: "a" }] },
      { role: "system", parts: [{ kind: "text", text: "four" }] },
    ]);
  });

  test("calls and results are carried with their ids, custom ones as text", () => {
    expect(
      turnsOf([
        { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: '{"a":1}' },
        { type: "custom_tool_call", call_id: "c2", name: "sql", input: "select 1" },
        { type: "function_call_output", call_id: "c1", output: "done" },
        { type: "custom_tool_call_output", call_id: "c2", output: "1" },
      ]),
    ).toEqual([
      {
        role: "assistant",
        parts: [{ kind: "call", id: "c1", name: "f", input: '{"a":1}', isCustom: false }],
      },
      {
        role: "assistant",
        parts: [{ kind: "call", id: "c2", name: "sql", input: "select 1", isCustom: true }],
      },
      { role: "user", parts: [resultOf("c1", "done", false)] },
      { role: "user", parts: [{ ...resultOf("c2", "1", false), isCustom: true }] },
    ]);
  });

  test("X-T13 a result whose first line is the mark of an error is one", () => {
    const decoded = (output: string | JsonObject[]) =>
      turnsOf([{ type: "function_call_output", call_id: "c", output }])[0]?.parts;
    expect(decoded("[tool error]\nno such file")).toEqual([resultOf("c", "no such file", true)]);
    expect(decoded("[tool error]")).toEqual([{ ...resultOf("c", "", true), content: [] }]);
    expect(decoded("[tool errors]")).toEqual([resultOf("c", "[tool errors]", false)]);
    const image = { type: "input_image", image_url: `data:image/png;base64,${png}` };
    expect(decoded([{ type: "input_text", text: "[tool error]" }, image])).toMatchObject([
      { isError: true, content: [{ kind: "media" }] },
    ]);
  });

  test("the model's own words, refusals and images are its turns", () => {
    expect(
      turnsOf([
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          content: [
            { type: "output_text", text: "a", annotations: [] },
            { type: "refusal", refusal: "no" },
          ],
        },
        { type: "image_generation_call", id: "ig_1", status: "completed", result: png },
      ]),
    ).toEqual([
      {
        role: "assistant",
        parts: [
          { kind: "text", text: "a" },
          { kind: "refusal", text: "no" },
        ],
      },
      {
        role: "assistant",
        parts: [
          {
            kind: "media",
            media: "image",
            source: { kind: "bytes", type: "image/png", base64: png },
            at: "input.1",
          },
        ],
      },
    ]);
  });

  test("X-T33 traces of the vendor's own tools are left out and told, but for searches", () => {
    const search = (action: JsonObject) => ({ type: "web_search_call", id: "ws_1", action });
    const { turns, ignored } = decode({
      input: [
        { type: "web_search_call", id: "ws_1", status: "completed" },
        { role: "user", content: "a" },
        search({ type: "search", queries: ["q", "r"], sources: [{ url: "https://a.example" }] }),
        search({ type: "find_in_page", pattern: "x", url: "https://a.example" }),
        { type: "code_interpreter_call", id: "ci_1" },
      ],
    });
    const text = '\n[Searched the web for "q", "r", and found:\n- <https://a.example>]\n';
    expect(turns.slice(1)).toEqual([{ role: "assistant", parts: [{ kind: "text", text }] }]);
    expect(ignored).toEqual(["input.0", "input.3", "input.4"]);
  });

  test("T12 a summary that was made here is read", () => {
    expect(turnsOf([{ type: "compaction", encrypted_content: sealSummary("so far") }])).toEqual([
      {
        role: "user",
        parts: [
          { kind: "text", text: "This is a summary of the conversation up to here:\n\nso far" },
        ],
      },
    ]);
  });
});

function resultOf(callId: string, text: string, isError: boolean): ResultPart {
  const content: ResultPart["content"] = [{ kind: "text", text }];
  return { kind: "result", callId, name: null, content, isError, isCustom: false };
}

describe("media", () => {
  const mediaOf = (part: JsonObject) => turnsOf([{ role: "user", content: [part] }])[0]?.parts[0];

  test("X-M15 an image comes as bytes, with its true type", () => {
    const part = { type: "input_image", image_url: `data:image/jpg;base64,${png}`, detail: "low" };
    expect(mediaOf(part)).toEqual({
      kind: "media",
      media: "image",
      source: { kind: "bytes", type: "image/png", base64: png },
      detail: "low",
      at: "input.0.content.0",
    });
  });

  test("X-M12 an image comes as a URL", () => {
    const url = "https://example.com/a.png";
    expect(mediaOf({ type: "input_image", image_url: url })).toMatchObject({
      source: { kind: "url", url, type: null },
    });
  });

  test("files come as bytes, as text, as a URL, or by the id the vendor gave them", () => {
    const pdf = Buffer.from("%PDF-1.7 rest").toString("base64");
    const file = (fields: JsonObject) => mediaOf({ type: "input_file", ...fields });
    const inlined = `data:application/pdf;base64,${pdf}`;
    expect(file({ filename: "a.pdf", file_data: inlined })).toMatchObject({
      media: "document",
      name: "a.pdf",
      source: { kind: "bytes", type: "application/pdf", base64: pdf },
    });
    expect(file({ file_data: pdf })).toMatchObject({ source: { type: "application/pdf" } });
    expect(file({ file_data: "data:text/plain;base64,aGVsbG8=" })).toMatchObject({
      source: { kind: "text", text: "hello" },
    });
    expect(file({ file_url: "https://example.com/a.pdf" })).toMatchObject({
      media: "document",
      source: { kind: "url" },
    });
    expect(file({ file_id: "file-1" })).toMatchObject({
      source: { kind: "file", id: "file-1", dialect: "responses" },
    });
  });

  test("audio comes with its format", () => {
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
    expect(mediaOf(audio)).toMatchObject({ media: "audio", source: { type: "audio/wav" } });
  });
});

describe("proofs", () => {
  const reasoning = (encrypted_content: string, text = "") => ({
    type: "reasoning",
    id: "rs_9",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    encrypted_content,
  });

  test("the vendor's own keeps its id, and plain reasoning has none", () => {
    expect(turnsOf([reasoning("gAAAA", "why"), { role: "user", content: "a" }])[0]?.parts).toEqual([
      {
        kind: "reasoning",
        text: "why",
        proof: { dialect: "responses", data: "gAAAA", id: "rs_9" },
        isRedacted: false,
      },
    ]);
    const plain = {
      type: "reasoning",
      summary: [],
      content: [{ type: "reasoning_text", text: "open" }],
    };
    expect(turnsOf([plain])[0]?.parts).toEqual([
      { kind: "reasoning", text: "open", proof: null, isRedacted: false },
    ]);
  });

  test("X-H07 thinking that a vendor hid comes back hidden, and what was shown as shown", () => {
    const proof = { dialect: "messages" as const, data: "dark" };
    expect(turnsOf([reasoning(sealReasoning(proof, true))])[0]?.parts).toEqual([
      { kind: "reasoning", text: "", proof, isRedacted: true },
    ]);
    expect(turnsOf([reasoning(sealReasoning(proof, false), "why")])[0]?.parts).toEqual([
      { kind: "reasoning", text: "why", proof, isRedacted: false },
    ]);
  });

  test("X-H04 a signed call finds its signature before it and behind it", () => {
    const proof = { dialect: "content" as const, data: "sig", on: "call" as const };
    const call = (id: string) => ({
      type: "function_call",
      call_id: id,
      name: "f",
      arguments: "{}",
    });
    const turns = turnsOf([
      reasoning(sealCall(proof, "c1")),
      call("c1"),
      call("c2"),
      call("c3"),
      reasoning(sealCall(proof, "c2")),
    ]);
    const proofs = turns.flatMap(({ parts }) =>
      parts.map((part) => (part.kind === "call" ? part.proof : "other")),
    );
    expect(proofs).toEqual([proof, proof, undefined]);
  });

  test("X-H04 a signed text finds its signature before it and behind it", () => {
    const proof = { dialect: "content" as const, data: "sig", on: "text" as const };
    const says = (text: string) => ({
      role: "assistant",
      content: [{ type: "output_text", text }],
    });
    const turns = turnsOf([
      reasoning(sealText(proof, false)),
      says("one"),
      says("two"),
      reasoning(sealText(proof, true)),
    ]);
    const signed = { kind: "text", proof };
    expect(turns.flatMap(({ parts }) => parts)).toMatchObject([signed, signed]);
  });
});

describe("tools and the form of the answer", () => {
  test("X-T31 a search of the web is carried with what is wished of it", () => {
    const tool = {
      type: "web_search_preview_2025_03_11",
      filters: { allowed_domains: ["a.example"] },
      search_context_size: "low",
      user_location: { type: "approximate", country: "NO", city: null },
    };
    const include = ["web_search_call.action.sources"];
    const { search, ignored } = decode({ tools: [tool], max_tool_calls: 3, include });
    expect(search).toMatchObject({
      at: "tools.0",
      allowedDomains: ["a.example"],
      blockedDomains: [],
      contextSize: "low",
      location: { country: "NO" },
      usesMax: 3,
    });
    expect(ignored).toEqual([]);
    const stored = { type: "web_search", external_web_access: false };
    expect(decode({ tools: [stored] })).toMatchObject({ search: null, ignored: ["tools.0"] });
  });

  test("X-T26 function and custom tools are carried, the vendor's own left out and told", () => {
    const format = { type: "grammar", syntax: "lark", definition: "start: /a/" };
    const parameters = { type: "object", properties: {} };
    const { tools, ignored } = decode({
      tools: [
        { type: "file_search" },
        { type: "function", name: "f", description: "d", parameters, strict: true },
        { type: "custom", name: "sql", format },
      ],
    });
    expect(tools).toEqual([
      { name: "f", description: "d", schema: parameters, isStrict: true, custom: null },
      { name: "sql", description: null, schema: null, isStrict: null, custom: { format } },
    ]);
    expect(ignored).toEqual(["tools.0"]);
  });

  test.each<[JsonObject | string, object]>([
    ["none", { kind: "none" }],
    ["auto", { kind: "auto" }],
    ["required", { kind: "required" }],
    [
      { type: "function", name: "f" },
      { kind: "tool", name: "f", isCustom: false },
    ],
    [
      { type: "custom", name: "f" },
      { kind: "tool", name: "f", isCustom: true },
    ],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] },
      { kind: "some", names: ["f"], isRequired: true },
    ],
  ])("tool choice %j has its neutral form", (tool_choice, expected) => {
    const tools = [{ type: "function", name: "f" }];
    expect(decode({ tools, tool_choice }).toolChoice).toEqual(expected as Exchange["toolChoice"]);
  });

  test("X-P04 the form of the answer has its neutral form", () => {
    const schema = { type: "object" };
    const shape = (format: JsonObject) => decode({ text: { format } }).shape;
    expect(shape({ type: "text" })).toEqual({ kind: "text" });
    expect(shape({ type: "json_object" })).toEqual({ kind: "json" });
    expect(shape({ type: "json_schema", name: "n", schema, strict: true })).toEqual({
      kind: "schema",
      name: "n",
      description: null,
      schema,
      isStrict: true,
    });
  });
});

describe("settings", () => {
  test("X-P09 a temperature and a top_p of 0 are values", () => {
    const { sampling } = decode({ temperature: 0, top_p: 0 });
    expect([sampling.temperature, sampling.topP]).toEqual([0, 0]);
  });

  test("X-P07 the bound on the output is kept", () => {
    expect(decode({ max_output_tokens: 40 }).outputTokensMax).toBe(40);
    expect(decode({}).outputTokensMax).toBeNull();
  });

  test("X-P13 hints have their place, and unknown fields have none", () => {
    const { hints, ignored } = decode({
      safety_identifier: "u1",
      user: "u2",
      metadata: { a: "1" },
      service_tier: "flex",
      prompt_cache_key: "k",
      store: false,
      text: { verbosity: "low" },
      frobnicate: true,
    });
    expect(hints).toEqual({
      userId: "u1",
      metadata: { a: "1" },
      verbosity: "low",
      serviceTier: "flex",
      cacheKey: "k",
      store: false,
      safety: null,
    });
    expect(ignored).toEqual([]);
    expect(decode({ user: "u2" }).names.userId).toBe("user");
  });

  test("effort and summary say how reasoning is wanted", () => {
    const wanted = (reasoning: JsonObject) => decode({ reasoning }).reasoning;
    expect(wanted({ effort: "xhigh" })).toEqual({
      effort: "xhigh",
      budgetTokens: null,
      isShown: null,
    });
    expect(wanted({ effort: "none", summary: "auto" })).toMatchObject({ isShown: true });
    expect(wanted({ effort: null })).toBeNull();
  });

  test("hints that no other wire has are told", () => {
    const { ignored } = decode({
      max_tool_calls: 3,
      truncation: "auto",
      include: ["reasoning.encrypted_content", "file_search_call.results"],
      reasoning: { effort: "low", mode: "deep" },
    });
    expect(ignored).toEqual(["max_tool_calls", "truncation", "reasoning.mode", "include"]);
    expect(decode({ include: ["reasoning.encrypted_content"] }).ignored).toEqual([]);
    expect(decode({ truncation: "disabled" }).ignored).toEqual([]);
  });
});

describe("what only an upstream of this wire can do", () => {
  test.each<[string, JsonObject]>([
    ["previous_response_id", { previous_response_id: "resp_1" }],
    ["conversation", { conversation: "conv_1" }],
    ["prompt", { prompt: { id: "pmpt_1" } }],
    ["context_management", { context_management: [{ type: "compaction" }] }],
    ["top_logprobs", { top_logprobs: 2 }],
    ["include", { include: ["message.output_text.logprobs"] }],
    ["tool_choice", { tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } }],
    ["tool_choice", { tools: [{ type: "web_search" }], tool_choice: "required" }],
    ["input.0", { input: [{ type: "item_reference", id: "msg_1" }] }],
    ["input.0", { input: [{ type: "compaction", encrypted_content: "gAAAA" }] }],
    ["input.0", { input: [{ type: "local_shell_call", call_id: "c" }] }],
    ["input.0.content.0.type", { input: [{ role: "user", content: [{ type: "hologram" }] }] }],
    ["input", { input: [] }],
    ["reasoning.effort", { reasoning: { effort: "huge" } }],
    ["text.format", { text: { format: { type: "yaml" } } }],
    ["tools.0.name", { tools: [{ type: "function" }] }],
  ])("is refused by its name %s", (param, given) => {
    expect(refusal(given)).toBe(param);
  });

  test("is not asked for by empty lists and nulls", () => {
    const nothing = { context_management: [], conversation: null, top_logprobs: 0, include: [] };
    expect(refusal(nothing)).toBe("was accepted");
  });
});
