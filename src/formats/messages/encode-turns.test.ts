import { describe, expect, test } from "bun:test";
import { aliasNames } from "../kit/tool-names.ts";
import { readUrl } from "../kit/media.ts";
import { toNormalForm } from "../kit/normal-form.ts";
import type { CallPart, MediaPart, Part, ResultPart, Turn } from "../exchange.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeTurns, type EncodedMessage } from "./encode-turns.ts";
import { messages } from "./index.ts";
import { readMessagesRequest } from "./read.ts";

const body = { model: "m", messages: [{ role: "user", content: "hello" }] };
const plain = decodeRequest(body, readMessagesRequest(body));
const user = (...parts: Part[]): Turn => ({ role: "user", parts });
const assistant = (...parts: Part[]): Turn => ({ role: "assistant", parts });
const text = (words: string): Part => ({ kind: "text", text: words });
const call = (id: string, input: string = "{}"): CallPart => ({
  kind: "call",
  id,
  name: "f",
  input,
  isCustom: false,
});
const result = (callId: string, set: Partial<ResultPart> = {}): ResultPart => ({
  kind: "result",
  callId,
  name: null,
  content: [{ kind: "text", text: `of ${callId}` }],
  isError: false,
  isCustom: false,
  ...set,
});
const image = (source: MediaPart["source"], set: Partial<MediaPart> = {}): MediaPart => ({
  kind: "media",
  media: "image",
  source,
  at: "messages.0.content.0",
  ...set,
});

function encode(...turns: Turn[]): EncodedMessage[] {
  return encodeTurns(toNormalForm({ ...plain, turns }).turns);
}

function contentOf(...parts: Part[]) {
  return encode(user(...parts))[0]?.content;
}

describe("turns", () => {
  test("X-M07 of the same role that follow each other are one", () => {
    expect(encode(user(text("a")), user(text("b")), assistant(text("c")))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "c" }] },
    ]);
  });

  test("X-M06 of nothing, or of blanks alone, are dropped", () => {
    expect(
      encode(user(text("a")), assistant(text("")), user(text(" \n")), user(text("b"))),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  test("begin with the user, whoever began", () => {
    expect(encode(assistant(text("hi"))).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(encode()).toMatchObject([{ role: "user", content: [{ type: "text" }] }]);
  });

  test("X-M04 may end with the beginning of an answer, which has no blanks at its end", () => {
    expect(encode(user(text("a")), assistant(text("The answer is \n"))).at(-1)).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "The answer is" }],
    });
  });

  test("keep a refusal as the text that it was", () => {
    const [, answer] = encode(
      user(text("a")),
      assistant({ kind: "refusal", text: "No." }),
      user(text("b")),
    );
    expect(answer?.content).toEqual([{ type: "text", text: "No." }]);
  });
});

describe("calls and results", () => {
  test("X-T14 results stand in the order of their calls, in one user turn, first", () => {
    const turns = encode(
      user(text("a")),
      assistant(call("1"), call("2")),
      user(text("and?"), result("2"), result("1")),
    );
    expect(turns.at(-1)?.content).toMatchObject([
      { type: "tool_result", tool_use_id: "1" },
      { type: "tool_result", tool_use_id: "2" },
      { type: "text", text: "and?" },
    ]);
  });

  test("X-T17 a call without a result gets one, and a result without a call is text", () => {
    const turns = encode(user(text("a"), result("nobody")), assistant(call("1")));
    expect(turns[0]?.content.map(({ type }) => type)).toEqual(["text", "text", "text"]);
    expect(turns.at(-1)?.content).toMatchObject([
      { type: "tool_result", tool_use_id: "1", is_error: true },
    ]);
  });

  test("X-T13 X-T16 an error is an error, and an empty result is one", () => {
    const results = user(result("1", { isError: true }), result("2", { content: [] }));
    const content = encode(user(text("a")), assistant(call("1"), call("2")), results).at(
      -1,
    )?.content;
    expect(content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "1",
        content: [{ type: "text", text: "of 1" }],
        is_error: true,
      },
      { type: "tool_result", tool_use_id: "2" },
    ]);
  });

  test("results may hold images", () => {
    const shown = result("1", {
      content: [image({ kind: "url", url: "https://a/b.png", type: null })],
    });
    const content = encode(user(text("a")), assistant(call("1")), user(shown)).at(-1)?.content;
    expect(content).toMatchObject([
      { content: [{ type: "image", source: { type: "url", url: "https://a/b.png" } }] },
    ]);
  });

  test("the input of a call is an object, also when it was cut off or is empty", () => {
    const [, answer] = encode(
      user(text("a")),
      assistant(call("1", '{"a":1}'), call("2", ""), call("3", '{"a":')),
    );
    expect(answer?.content.map(({ input }) => input)).toEqual([{ a: 1 }, {}, { input: '{"a":' }]);
  });

  test("X-T07 X-T08 long ids and names go under an alias that is the same every time", () => {
    const { upstream } = messages;
    if (!upstream) throw new Error("messages are spoken by upstreams");
    const long = "mcp__plugin_".repeat(8);
    const exchange = toNormalForm({
      ...plain,
      turns: [user(text("a")), assistant({ ...call("x".repeat(90)), name: long }, call("toolu_1"))],
    });
    const encodeAliased = () => encodeTurns(aliasNames(exchange, upstream).exchange.turns);
    const [, answer, results] = encodeAliased();
    const [first, second] = answer?.content ?? [];
    expect(String(first?.["id"]).length).toBeLessThanOrEqual(64);
    expect(String(first?.["name"]).length).toBeLessThanOrEqual(64);
    expect(results?.content[0]?.["tool_use_id"]).toBe(first?.["id"]);
    expect(second?.["id"]).toBe("toolu_1");
    expect(encodeAliased()).toEqual(encodeAliased());
    expect(aliasNames(exchange, upstream).names.get(String(first?.["name"]))).toBe(long);
  });
});

describe("media", () => {
  const png = "iVBORw0KGgoAAAANSUhEUg==";

  test("X-M10 X-M15 an image is sent as bytes of the type that they are", () => {
    const jpeg = image(readUrl("data:image/jpg;base64,/9j/4AAQ"));
    expect(contentOf(jpeg)).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/4AAQ" } },
    ]);
    const wrong = image(readUrl(`data:image/jpeg;base64,${png}`));
    expect(contentOf(wrong)).toMatchObject([{ source: { media_type: "image/png" } }]);
  });

  test("X-M12 an address is left for the vendor to fetch, whatever it leads to", () => {
    const source = { kind: "url", url: "https://example.com/a", type: null } as const;
    expect(contentOf(image(source))).toMatchObject([
      { type: "image", source: { type: "url", url: source.url } },
    ]);
    expect(contentOf(image(source, { media: "document" }), text("a"))).toMatchObject([
      { type: "document", source: { type: "url", url: source.url } },
      {},
    ]);
  });

  test("X-M16 a document without a word gets one", () => {
    const pdf = image(
      { kind: "bytes", type: "application/pdf", base64: "JVBERi0=" },
      { media: "document", name: "a.pdf" },
    );
    expect(contentOf(pdf)).toEqual([
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
        title: "a.pdf",
      },
      { type: "text", text: "See the document." },
    ]);
  });

  test("a text file is a document of text", () => {
    const source = {
      kind: "bytes",
      type: "text/csv",
      base64: Buffer.from("a,b").toString("base64"),
    } as const;
    expect(contentOf(image(source, { media: "document" }))).toMatchObject([
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" } },
      {},
    ]);
  });

  test.each<[string, Partial<MediaPart>]>([
    ["sound", { media: "audio", source: { kind: "bytes", type: "audio/wav", base64: "" } }],
    ["video", { media: "video", source: { kind: "url", url: "https://a/b.mp4", type: null } }],
    ["another vendor's file", { source: { kind: "file", id: "file-1", dialect: "chat" } }],
    ["an image of another type", { source: { kind: "bytes", type: "image/bmp", base64: "Qk0=" } }],
    [
      "a program",
      { media: "document", source: { kind: "bytes", type: "application/zip", base64: "" } },
    ],
  ])("%s is refused by its place", (_what, set) => {
    const part = image({ kind: "text", text: "" }, set);
    expect(() => contentOf(part)).toThrow("messages.0.content.0 cannot be carried");
  });

  test("an image that the assistant made is refused by its place", () => {
    const part = image({ kind: "bytes", type: "image/png", base64: png });
    expect(() => encode(user(text("a")), assistant(part))).toThrow(
      "messages.0.content.0 cannot be carried",
    );
  });
});

describe("thinking in the history", () => {
  test("X-H01 X-H07 goes back exactly as the vendor signed it, and never to another", () => {
    const own = { dialect: "messages", data: "Eq+/==" } as const;
    const [, answer] = encode(
      user(text("a")),
      assistant(
        { kind: "reasoning", text: " thoughts\n", proof: own, isRedacted: false },
        {
          kind: "reasoning",
          text: "",
          proof: { dialect: "messages", data: "red" },
          isRedacted: true,
        },
        {
          kind: "reasoning",
          text: "foreign",
          proof: { dialect: "content", data: "x" },
          isRedacted: false,
        },
        { kind: "reasoning", text: "unsigned", proof: null, isRedacted: false },
        { kind: "text", text: "b", proof: { dialect: "content", data: "x", on: "text" } },
      ),
    );
    expect(answer?.content).toEqual([
      { type: "thinking", thinking: " thoughts\n", signature: "Eq+/==" },
      { type: "redacted_thinking", data: "red" },
      { type: "text", text: "b" },
    ]);
  });

  test("a turn of foreign thoughts alone is dropped, and its neighbours are one", () => {
    const foreign: Part = { kind: "reasoning", text: "x", proof: null, isRedacted: false };
    expect(encode(user(text("a")), assistant(foreign), user(text("b")))).toHaveLength(1);
  });
});
