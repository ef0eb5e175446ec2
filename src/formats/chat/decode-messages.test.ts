import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import type { ResultPart } from "../exchange.ts";
import { refusedParam } from "../kit/fixtures/shapes.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { decodeMessages, type Conversation } from "./decode-messages.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { readChatRequest } from "./read.ts";

function refusal(messages: Json): string | null {
  return refusedParam(() => decodeMessages(messages));
}

function normalTurns(messages: Json): Conversation["turns"] {
  const body = { model: "m", messages };
  return toNormalForm(decodeChatRequest(body, readChatRequest(body))).turns;
}

const callOne = {
  id: "call_1",
  type: "function",
  function: { name: "look", arguments: '{"a":1}' },
};
const callTwo = { id: "call_2", type: "function", function: { name: "go", arguments: "" } };

describe("instructions", () => {
  test("X-M01 system and developer messages before the conversation are the instructions", () => {
    const { system, turns } = decodeMessages([
      { role: "system", content: "a" },
      { role: "developer", content: [{ type: "text", text: "b" }] },
      { role: "user", content: "hi" },
    ]);
    expect(system).toEqual([
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
    ]);
    expect(turns).toHaveLength(1);
  });

  test("X-M03 in the middle of the conversation they stay where they are", () => {
    const { system, turns } = decodeMessages([
      { role: "user", content: "hi" },
      { role: "developer", content: "be brief" },
    ]);
    expect(system).toEqual([]);
    expect(turns.map(({ role }) => role)).toEqual(["user", "system"]);
  });

  test("cannot be pictures", () => {
    const content = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }];
    expect(refusal([{ role: "system", content }])).toBe("messages.0.content.0");
  });
});

describe("media", () => {
  function partsOf(...content: JsonObject[]): Conversation["turns"][number]["parts"] {
    return decodeMessages([{ role: "user", content }]).turns[0]?.parts ?? [];
  }

  test("X-M12 an image by its address stays an address", () => {
    const url = "https://example.com/a.png";
    expect(partsOf({ type: "image_url", image_url: { url, detail: "low" } })).toEqual([
      {
        kind: "media",
        media: "image",
        source: { kind: "url", url, type: null },
        detail: "low",
        at: "messages.0.content.0",
      },
    ]);
  });

  test("X-M10 an image by its bytes has the type that the bytes have", () => {
    const jpeg = Buffer.from("\xff\xd8\xff\xe0", "latin1").toString("base64");
    expect(
      partsOf({ type: "image_url", image_url: { url: `data:image/jpg;base64,${jpeg}` } }),
    ).toMatchObject([{ media: "image", source: { type: "image/jpeg", base64: jpeg } }]);
  });

  test("sound comes as bytes", () => {
    expect(
      partsOf({ type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } }),
    ).toMatchObject([{ media: "audio", source: { type: "audio/mp3", base64: "AAAA" } }]);
  });

  test("a file comes as bytes or as the vendor's own file", () => {
    const pdf = Buffer.from("%PDF-1.7").toString("base64");
    const file_data = `data:application/pdf;base64,${pdf}`;
    expect(
      partsOf(
        { type: "file", file: { file_data, filename: "a.pdf" } },
        { type: "file", file: { file_data: pdf } },
        { type: "file", file: { file_id: "file-1" } },
      ),
    ).toMatchObject([
      { media: "document", name: "a.pdf", source: { type: "application/pdf", base64: pdf } },
      { media: "document", source: { type: "application/pdf", base64: pdf } },
      { media: "document", source: { kind: "file", id: "file-1", dialect: "chat" } },
    ]);
  });

  test("in the wrong kind of part is taken for what it is", () => {
    const pdf = Buffer.from("%PDF-1.7").toString("base64");
    expect(
      partsOf({ type: "image_url", image_url: { url: `data:image/png;base64,${pdf}` } }),
    ).toMatchObject([{ media: "document", source: { type: "application/pdf" } }]);
  });

  test.each<[JsonObject, string]>([
    [{ type: "video_url", video_url: { url: "u" } }, "messages.0.content.0.type"],
    [{ type: "refusal", refusal: "no" }, "messages.0.content.0.type"],
    [{ type: "image_url", image_url: {} }, "messages.0.content.0.image_url.url"],
    [{ type: "input_audio" }, "messages.0.content.0.input_audio"],
    [{ type: "input_audio", input_audio: {} }, "messages.0.content.0.input_audio.data"],
    [{ type: "file", file: {} }, "messages.0.content.0.file"],
  ])("that cannot be read is refused by its place: %j", (part, param) => {
    expect(refusal([{ role: "user", content: [part] }])).toBe(param);
  });
});

describe("X-P16 marks of the prompt's cache", () => {
  test("stand on parts, as the vendor or as resellers write them, and are taken once", () => {
    const { turns } = decodeMessages([
      {
        role: "user",
        content: [
          { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } },
          { type: "text", text: "b", prompt_cache_breakpoint: { mode: "explicit", ttl: "5m" } },
          { type: "text", text: "c" },
        ],
      },
    ]);
    expect(turns[0]?.parts).toEqual([
      { kind: "text", text: "a", cache: { ttl: "1h" } },
      { kind: "text", text: "b", cache: { ttl: "5m" } },
      { kind: "text", text: "c" },
    ]);
  });

  test("on a message are on its last part", () => {
    const cache_control = { type: "ephemeral" };
    const { system, turns } = decodeMessages([
      { role: "system", content: "a", cache_control },
      { role: "assistant", content: null, tool_calls: [callOne] },
      { role: "tool", tool_call_id: "call_1", content: "r", cache_control },
    ]);
    expect(system).toEqual([{ kind: "text", text: "a", cache: { ttl: null } }]);
    expect(turns[1]?.parts).toMatchObject([{ kind: "result", cache: { ttl: null } }]);
  });
});

describe("calls and results", () => {
  test("carry their ids, names and texts", () => {
    const { turns } = decodeMessages([
      { role: "assistant", content: "Let me see.", tool_calls: [callOne, callTwo] },
      { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "sun" }] },
    ]);
    expect(turns).toEqual([
      {
        role: "assistant",
        parts: [
          { kind: "text", text: "Let me see." },
          { kind: "call", id: "call_1", name: "look", input: '{"a":1}', isCustom: false },
          { kind: "call", id: "call_2", name: "go", input: "{}", isCustom: false },
        ],
      },
      {
        role: "user",
        parts: [
          {
            kind: "result",
            callId: "call_1",
            name: "look",
            content: [{ kind: "text", text: "sun" }],
            isError: false,
            isCustom: false,
          },
        ],
      },
    ]);
  });

  test("X-T14 results in another order stand in the order of the calls", () => {
    const [, user] = normalTurns([
      { role: "assistant", content: null, tool_calls: [callOne, callTwo] },
      { role: "tool", tool_call_id: "call_2", content: "2" },
      { role: "tool", tool_call_id: "call_1", content: "1" },
    ]);
    expect(user?.parts).toMatchObject([{ callId: "call_1" }, { callId: "call_2" }]);
  });

  test("X-T17 a result without a call and a call without a result cause no error", () => {
    const turns = normalTurns([
      { role: "tool", tool_call_id: "call_9", content: "lost" },
      { role: "assistant", content: null, tool_calls: [callOne] },
      { role: "user", content: "and?" },
    ]);
    expect(turns.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
      ["text", "text"],
      ["call"],
      ["result", "text"],
    ]);
  });

  test("X-T13 the first line of a result says that the tool failed", () => {
    const resultOf = (content: Json): ResultPart | undefined =>
      decodeMessages([{ role: "tool", tool_call_id: "c", content }]).turns[0]?.parts.find(
        (part) => part.kind === "result",
      );
    expect(resultOf("[tool error]\nno such file")).toMatchObject({
      isError: true,
      content: [{ kind: "text", text: "no such file" }],
    });
    expect(resultOf("[tool error]")).toMatchObject({ isError: true, content: [] });
    expect(resultOf("[tool errors] are fine")).toMatchObject({ isError: false });
    expect(resultOf(null)).toMatchObject({ isError: false, content: [] });
  });

  test("X-T26 calls of custom tools carry free text", () => {
    const { turns } = decodeMessages([
      {
        role: "assistant",
        tool_calls: [{ id: "c", type: "custom", custom: { name: "sql", input: "SELECT 1" } }],
      },
      { role: "tool", tool_call_id: "c", content: "1" },
    ]);
    expect(turns[0]?.parts).toEqual([
      { kind: "call", id: "c", name: "sql", input: "SELECT 1", isCustom: true },
    ]);
    expect(turns[1]?.parts).toMatchObject([{ kind: "result", name: "sql", isCustom: true }]);
  });

  test("functions, which have no ids, are paired by their names", () => {
    const turns = normalTurns([
      { role: "assistant", content: null, function_call: { name: "look", arguments: "{}" } },
      { role: "function", name: "look", content: "sun" },
      { role: "assistant", content: null, function_call: { name: "look", arguments: "{}" } },
      { role: "function", name: "look", content: "rain" },
    ]);
    expect(turns.map(({ parts }) => parts)).toMatchObject([
      [{ kind: "call", id: "function_call_0", name: "look" }],
      [{ kind: "result", callId: "function_call_0", content: [{ text: "sun" }] }],
      [{ kind: "call", id: "function_call_2" }],
      [{ kind: "result", callId: "function_call_2", content: [{ text: "rain" }] }],
    ]);
  });

  test.each<[JsonObject, string]>([
    [{ role: "tool", content: "x" }, "messages.0.tool_call_id"],
    [{ role: "assistant", tool_calls: ["x"] }, "messages.0.tool_calls.0"],
    [
      { role: "assistant", tool_calls: [{ type: "function", function: { name: "f" } }] },
      "messages.0.tool_calls.0.id",
    ],
    [
      { role: "assistant", tool_calls: [{ id: "c", type: "custom", custom: {} }] },
      "messages.0.tool_calls.0.custom.name",
    ],
    [{ role: "assistant", function_call: {} }, "messages.0.function_call.name"],
    [{ role: "assistant", audio: { id: "audio_1" } }, "messages.0.audio"],
  ])("that cannot be read are refused by their place: %j", (message, param) => {
    expect(refusal([message])).toBe(param);
  });
});

describe("what an assistant said", () => {
  test("has refusals, as a part and as a field", () => {
    const { turns } = decodeMessages([
      { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      { role: "assistant", content: null, refusal: "never" },
    ]);
    expect(turns.map(({ parts }) => parts)).toEqual([
      [{ kind: "refusal", text: "no" }],
      [{ kind: "refusal", text: "never" }],
    ]);
  });

  test("X-H04 has the signature of a call where Google's own endpoint has it", () => {
    const [turn] = decodeMessages([
      {
        role: "assistant",
        tool_calls: [
          {
            ...callOne,
            extra_content: { google: { thought_signature: "sluice1:content:call::c2ln" } },
          },
        ],
      },
    ]).turns;
    expect(turn?.parts).toMatchObject([
      { proof: { dialect: "content", data: "c2ln", on: "call" } },
    ]);
  });

  test("has reasoning with the proofs that belong to its pieces", () => {
    const [turn] = decodeMessages([
      {
        role: "assistant",
        content: "answer",
        reasoning_content: "firstloosesecond",
        reasoning_details: [
          {
            type: "reasoning.encrypted",
            data: "sluice1:messages:::s1",
            start_index: 0,
            end_index: 5,
          },
          { type: "reasoning.encrypted", data: "sluice1:messages:::s2", is_redacted: true },
          {
            type: "reasoning.encrypted",
            data: "sluice1:messages:::s3",
            start_index: 10,
            end_index: 16,
          },
          { type: "reasoning.encrypted", data: "sluice1:content:text::s4" },
          { type: "reasoning.text", text: "no proof" },
        ],
      },
    ]).turns;
    const proof = (data: string) => ({ dialect: "messages", data });
    expect(turn?.parts).toMatchObject([
      { kind: "reasoning", text: "first", proof: proof("s1"), isRedacted: false },
      { kind: "reasoning", text: "", proof: proof("s2"), isRedacted: true },
      { kind: "reasoning", text: "loose", proof: { dialect: "chat", data: "" } },
      { kind: "reasoning", text: "second", proof: proof("s3"), isRedacted: false },
      { kind: "text", text: "answer", proof: { dialect: "content", data: "s4", on: "text" } },
    ]);
  });

  test("has a proof without its text where the client lost some of that", () => {
    const data = "sluice1:messages:::s";
    const [turn] = decodeMessages([
      {
        role: "assistant",
        content: "a",
        reasoning_content: "nd.",
        reasoning_details: [{ type: "reasoning.encrypted", data, start_index: 0, end_index: 20 }],
      },
    ]).turns;
    expect(turn?.parts.slice(0, -1)).toEqual([
      {
        kind: "reasoning",
        text: "",
        proof: { dialect: "messages", data: "s" },
        isRedacted: false,
      },
    ]);
  });

  test("has its text back from the proof where the client kept only the last piece", () => {
    const data = "sluice1:messages:::s";
    const span = { start_index: 0, end_index: 11 };
    const [turn] = decodeMessages([
      {
        role: "assistant",
        content: "a",
        reasoning_content: " end.",
        reasoning_details: [{ type: "reasoning.encrypted", data, ...span, text: "At the end." }],
      },
    ]).turns;
    expect(turn?.parts.slice(0, -1)).toEqual([
      {
        kind: "reasoning",
        text: "At the end.",
        proof: { dialect: "messages", data: "s" },
        isRedacted: false,
      },
    ]);
  });

  test("has a chat upstream's reasoning under either of its names", () => {
    for (const name of ["reasoning_content", "reasoning"]) {
      const [turn] = decodeMessages([{ role: "assistant", content: "a", [name]: "hm" }]).turns;
      expect(turn?.parts[0]).toEqual({
        kind: "reasoning",
        text: "hm",
        proof: { dialect: "chat", data: "" },
        isRedacted: false,
      });
    }
  });
});
