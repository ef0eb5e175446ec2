import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../core/json.ts";
import { chat } from "../../../formats/chat/index.ts";
import type { Format } from "../../../formats/format.ts";
import { estimateReply, readReplyTexts, readRequestTexts } from "./texts.ts";

/** A format whose bodies have their texts in one list. */
const format: Format = { ...chat, requestTexts: readTexts, replyTexts: readTexts };

function readTexts({ texts }: JsonObject): string[] {
  if (!Array.isArray(texts)) throw new TypeError("there are no texts");
  return texts.filter((text) => typeof text === "string");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe("a reply", () => {
  test("of events is one text, whatever else is in them", () => {
    const stream =
      ': hello\n\ndata: {"texts":["Hel"]}\n\nevent: next\r\ndata: {"texts":["lo, ","wor"]}\r\n\r\n' +
      'data: nothing\n\ndata: {"texts":["ld"]}\n\ndata: [{"texts":["!"]}]\n\ndata: [DONE]\n\n';
    const { streamed, whole } = readReplyTexts(format, bytesOf(stream));
    expect(streamed).toBe("Hello, world!");
    expect(whole).toEqual([]);
  });

  test("of one body is as many texts as it has", () => {
    const { streamed, whole } = readReplyTexts(format, bytesOf(' {"texts":["one","two"]}'));
    expect(whole).toEqual(["one", "two"]);
    expect(streamed).toBe("");
  });

  test.each(["", "{", "[1,null]", '{"texts":1}', "data: {}\n\n", "data: {\n\n", "<html>"])(
    "that makes no sense has no text: %s",
    (text) => {
      expect(readReplyTexts(format, bytesOf(text))).toEqual({ streamed: "", whole: [] });
    },
  );

  test("is estimated over the same texts", () => {
    expect(estimateReply(format, bytesOf('data: {"texts":["twelve chars"]}\n\n'))).toBe(3);
    expect(estimateReply(format, bytesOf('{"texts":["twelve chars"]}'))).toBe(3);
  });
});

describe("a request", () => {
  const body = { texts: ["one", "two"] };

  test("is read as a body and as JSON alike", () => {
    expect(readRequestTexts(format, body)).toEqual(["one", "two"]);
    expect(readRequestTexts(format, JSON.stringify(body))).toEqual(["one", "two"]);
  });

  test("that is no JSON is a text", () => {
    expect(readRequestTexts(format, "one two")).toEqual(["one two"]);
  });
});
