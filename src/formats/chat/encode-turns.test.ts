import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, MediaPart, MediaSource, Part, Proof, ResultPart } from "../exchange.ts";
import { exchangeWith } from "../kit/fixtures/shapes.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import { decodeMessages } from "./decode-messages.ts";
import { encodeMessages } from "./encode-turns.ts";

function encode(fields: Partial<Exchange>): JsonObject[] {
  return encodeMessages(exchangeWith(fields));
}

function encodeUser(...parts: Part[]): JsonObject[] {
  return encode({ turns: [{ role: "user", parts }] });
}

function encodeAssistant(...parts: Part[]): JsonObject[] {
  return encode({ turns: [{ role: "assistant", parts }] });
}

function text(words: string) {
  return { kind: "text", text: words } as const;
}

function media(kind: MediaPart["media"], source: MediaSource): MediaPart {
  return { kind: "media", media: kind, source, at: "messages.0.content.0" };
}

function result(fields: Partial<ResultPart>): ResultPart {
  return {
    kind: "result",
    callId: "call_1",
    name: "look",
    content: [text("sun")],
    isError: false,
    isCustom: false,
    ...fields,
  };
}

const png: MediaSource = { kind: "bytes", type: "image/png", base64: "iVBORw0KGgo=" };

test("instructions are one message, and those in the middle stay there", () => {
  expect(
    encode({
      system: [text("a"), text("b")],
      turns: [
        { role: "user", parts: [text("hi")] },
        { role: "system", parts: [text("be brief")] },
      ],
    }),
  ).toEqual([
    { role: "system", content: "a\n\nb" },
    { role: "user", content: "hi" },
    { role: "system", content: "be brief" },
  ]);
});

describe("what a user says", () => {
  test("keeps its parts apart", () => {
    expect(encodeUser(text("a"), text("b"))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  test("X-M13 an image is a data URL of its type, or its address", () => {
    const url: MediaSource = { kind: "url", url: "https://example.com/a.png", type: null };
    expect(encodeUser(media("image", png), { ...media("image", url), detail: "high" })).toEqual([
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          {
            type: "image_url",
            image_url: { url: "https://example.com/a.png", detail: "high" },
          },
        ],
      },
    ]);
  });

  test.each([
    ["audio/wav", "wav"],
    ["audio/mp3", "mp3"],
    ["audio/mpeg", "mp3"],
  ])("sound of the type %s is %s", (type, format) => {
    expect(encodeUser(media("audio", { kind: "bytes", type, base64: "AAAA" }))).toEqual([
      {
        role: "user",
        content: [{ type: "input_audio", input_audio: { data: "AAAA", format } }],
      },
    ]);
  });

  test("a document is a file, and one that is plain text is text", () => {
    const pdf: MediaSource = { kind: "bytes", type: "application/pdf", base64: "JVBERi0=" };
    const plain: MediaSource = {
      kind: "bytes",
      type: "text/plain",
      base64: Buffer.from("grüße").toString("base64"),
    };
    const [message] = encodeUser(
      media("document", pdf),
      { ...media("document", pdf), name: "a.pdf" },
      media("document", { kind: "file", id: "file-1", dialect: "chat" }),
      media("document", { kind: "file", id: "file-2", dialect: "responses" }),
      media("document", plain),
      { ...media("document", { kind: "text", text: "abc" }), name: "a.txt" },
    );
    expect(message?.["content"]).toEqual([
      {
        type: "file",
        file: { filename: "document.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
      },
      {
        type: "file",
        file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
      },
      { type: "file", file: { file_id: "file-1" } },
      { type: "file", file: { file_id: "file-2" } },
      { type: "text", text: "grüße" },
      { type: "text", text: "a.txt\n\nabc" },
    ]);
  });

  test.each<[MediaPart["media"], MediaSource]>([
    ["video", { kind: "bytes", type: "video/mp4", base64: "AAAA" }],
    ["audio", { kind: "bytes", type: "audio/flac", base64: "AAAA" }],
    ["audio", { kind: "url", url: "https://example.com/a.mp3", type: null }],
    ["document", { kind: "url", url: "https://example.com/a.pdf", type: null }],
    ["document", { kind: "file", id: "f", dialect: "messages" }],
    ["image", { kind: "file", id: "f", dialect: "responses" }],
  ])("that chat cannot take is refused by its place: %s %j", (kind, source) => {
    expect(() => encodeUser(media(kind, source))).toThrow("messages.0.content.0");
  });
});

describe("results of tools", () => {
  test("are messages of their own, before what the user says", () => {
    expect(encodeUser(result({ content: [text("a"), text("b")] }), text("and?"))).toEqual([
      { role: "tool", tool_call_id: "call_1", content: "a\nb" },
      { role: "user", content: "and?" },
    ]);
    expect(encodeUser(result({ content: [] }))).toEqual([
      { role: "tool", tool_call_id: "call_1", content: "" },
    ]);
  });

  test("X-T13 that failed say so, and are understood again", () => {
    const failed = result({ isError: true });
    const [message = {}] = encodeUser(failed);
    expect(message).toEqual({
      role: "tool",
      tool_call_id: "call_1",
      content: "[tool error]\nsun",
    });
    const { turns } = decodeMessages([message]);
    expect(turns[0]?.parts).toEqual([{ ...failed, name: null }]);
    expect(encodeUser(result({ isError: true, content: [] }))).toMatchObject([
      { content: "[tool error]" },
    ]);
  });

  test("that are media follow all results in the user's message", () => {
    const shot = result({ callId: "call_1", content: [media("image", png)] });
    const words = result({ callId: "call_2", content: [text("b"), media("image", png)] });
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    expect(encodeUser(shot, words, text("and?"))).toEqual([
      {
        role: "tool",
        tool_call_id: "call_1",
        content: "The result of this tool is in the next message.",
      },
      { role: "tool", tool_call_id: "call_2", content: "b" },
      {
        role: "user",
        content: [
          { type: "text", text: "Result of the tool call call_1:" },
          image,
          { type: "text", text: "Result of the tool call call_2:" },
          image,
          { type: "text", text: "and?" },
        ],
      },
    ]);
  });

  test("that are documents of text are text", () => {
    const content = [media("document", { kind: "text", text: "abc" })];
    expect(encodeUser(result({ content }))).toEqual([
      { role: "tool", tool_call_id: "call_1", content: "abc" },
    ]);
  });
});

describe("what an assistant said", () => {
  const call = { kind: "call", id: "c", name: "look", input: "", isCustom: false } as const;

  test("is one text", () => {
    expect(encodeAssistant(text("Hel"), text("lo"))).toEqual([
      { role: "assistant", content: "Hello" },
    ]);
  });

  test("is null beside calls or a refusal", () => {
    expect(encodeAssistant(call, { ...call, isCustom: true, input: "x" })).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c", type: "function", function: { name: "look", arguments: "{}" } },
          { id: "c", type: "custom", custom: { name: "look", input: "x" } },
        ],
      },
    ]);
    expect(encodeAssistant({ kind: "refusal", text: "no" })).toEqual([
      { role: "assistant", content: null, refusal: "no" },
    ]);
  });

  test("has only the reasoning that a chat upstream made", () => {
    const reasoning = (words: string, proof: Proof | null): Part => ({
      kind: "reasoning",
      text: words,
      proof,
      isRedacted: false,
    });
    const parts = [
      reasoning("mine", { dialect: "chat", data: "" }),
      reasoning("foreign", { dialect: "messages", data: "s" }),
      reasoning("nobody's", null),
      reasoning("", { dialect: "chat", data: '[{"data":"d"}]' }),
      reasoning("", { dialect: "chat", data: "broken" }),
      reasoning("", { dialect: "chat", data: "[".repeat(100) + "]".repeat(100) }),
    ];
    expect(encodeAssistant(...parts, text("a"))).toEqual([
      {
        role: "assistant",
        content: "a",
        reasoning_content: "mine",
        reasoning_details: [{ data: "d" }],
      },
    ]);
    expect(encodeAssistant(reasoning("foreign", { dialect: "content", data: "s" }))).toEqual([]);
  });

  test("has the signatures of calls that a chat upstream made", () => {
    const own = { ...call, proof: { dialect: "chat", data: "s", on: "call" } } as const;
    const foreign = { ...call, proof: { dialect: "content", data: "s", on: "call" } } as const;
    const [message] = encodeAssistant(own, foreign);
    expect(message?.["tool_calls"]).toEqual([
      {
        id: "c",
        type: "function",
        function: { name: "look", arguments: "{}" },
        extra_content: { google: { thought_signature: "s" } },
      },
      { id: "c", type: "function", function: { name: "look", arguments: "{}" } },
    ]);
  });

  test("cannot be a picture", () => {
    expect(() => encodeAssistant(media("image", png))).toThrow("messages.0.content.0");
  });
});

test("messages that were decoded are encoded as they were", () => {
  const messages = [
    { role: "system", content: "s" },
    { role: "user", content: "a" },
    {
      role: "assistant",
      content: null,
      reasoning_content: "hm",
      tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: '{"a":1}' } }],
    },
    { role: "tool", tool_call_id: "c", content: "sun" },
    { role: "assistant", content: "It is sunny." },
  ];
  const { system, turns } = decodeMessages(messages);
  const { turns: normal } = toNormalForm(exchangeWith({ system, turns }));
  expect(encode({ system, turns: normal })).toEqual(messages);
});
