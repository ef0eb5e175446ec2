import { describe, expect, test } from "bun:test";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { JsonObject } from "../core/json.ts";
import { formats } from "../formats/index.ts";
import { pngOf, wavOf } from "../formats/kit/fixtures/files.ts";
import { boundText } from "./estimate.ts";

const rules = { outputTokensMaxDefault: 1000, imageTokensMax: 4096 };
const address = { model: "chatC", stream: false, framing: "events" } as const;
const window = 1_048_576;

function boundOf(name: "chat" | "responses" | "messages" | "content", body: JsonObject): number {
  const request = formats[name].read({ ...body, model: "chatC" }, address);
  const bodyBytes = JSON.stringify(body).length;
  const { inputTokensMax } = boundText(
    request,
    new Catalogue().find(request.model),
    { bodyBytes, mayConvert: false, outputTokensMin: 0, modelTokensMax: null },
    rules,
  );
  return inputTokensMax - bodyBytes;
}

test("a plain prompt is bound by its bytes", () => {
  expect(boundOf("chat", { messages: [{ role: "user", content: "Hello" }] })).toBe(0);
});

const elsewhere: [string, "chat" | "responses" | "messages" | "content", JsonObject][] = [
  [
    "a chat file by its id",
    "chat",
    { messages: [{ role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] }] },
  ],
  [
    "a file by its address",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", file_url: "https://a.b/c" }] }] },
  ],
  ["a kept prompt", "responses", { input: "Hello", prompt: { id: "pmpt_1" } }],
  ["an earlier response", "responses", { input: "Hello", previous_response_id: "resp_1" }],
  [
    "a document by its address",
    "messages",
    {
      messages: [
        {
          role: "user",
          content: [{ type: "document", source: { type: "url", url: "https://a.b/c" } }],
        },
      ],
    },
  ],
  [
    "a container",
    "messages",
    { container: "container_1", messages: [{ role: "user", content: "Hello" }] },
  ],
  [
    "cached content",
    "content",
    { contents: [{ role: "user", parts: [{ text: "Hello" }] }], cachedContent: "cachedContents/1" },
  ],
  [
    "a video by its address",
    "content",
    {
      contents: [
        {
          role: "user",
          parts: [{ fileData: { mimeType: "video/mp4", fileUri: "https://a.b/c" } }],
        },
      ],
    },
  ],
];

test.each(elsewhere)("%s may be as long as the model's window", (_, name, body) => {
  expect(boundOf(name, body)).toBeGreaterThanOrEqual(window);
});

const encode = (head: string, bytes = 300) =>
  Buffer.from(head.padEnd(bytes, "a"), "latin1").toString("base64");
const png = pngOf(300).toString("base64");
const inEverySlot: [string, "chat" | "responses" | "messages" | "content", ToBody][] = [
  ["a chat's image", "chat", (url) => chatPart({ type: "image_url", image_url: { url } })],
  ["a chat's sound", "chat", (_, data) => chatPart({ type: "input_audio", input_audio: { data } })],
  ["a chat's file", "chat", (url) => chatPart({ type: "file", file: { file_data: url } })],
  ["an image", "responses", (url) => inputPart({ type: "input_image", image_url: url })],
  ["a file", "responses", (url) => inputPart({ type: "input_file", file_data: url })],
  ["a message's image", "messages", (_, data) => block("image", data)],
  ["a message's document", "messages", (_, data) => block("document", data)],
  ["a part's inline data", "content", (_, data) => contentPart(data)],
];

type ToBody = (url: string, data: string) => JsonObject;
const chatPart = (part: JsonObject) => ({ messages: [{ role: "user", content: [part] }] });
const inputPart = (part: JsonObject) => ({ input: [{ role: "user", content: [part] }] });
const block = (type: string, data: string) =>
  chatPart({ type, source: { type: "base64", media_type: "image/png", data } });
const contentPart = (data: string) => ({
  contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/png", data } }] }],
});

/** Tokens held beyond the body's bytes. */
function heldFor([, name, toBody]: (typeof inEverySlot)[number], data: string): number {
  return boundOf(name, toBody(`data:image/png;base64,${data}`, data));
}

/** Slots where a picture may stand; anywhere else its bytes may be read as text. */
const ofPictures = inEverySlot.filter(([name]) => name !== "a chat's sound");

test.each(ofPictures)("%s: a picture's bytes do not count", (name, wire, toBody) => {
  const held = heldFor([name, wire, toBody], png);
  expect([png, `data:image/png;base64,${png}`].map(({ length }) => 4096 - length)).toContain(held);
});

describe.each(inEverySlot)("%s is bound by what its bytes are:", (...slot) => {
  test.each([
    ["a PDF", encode("%PDF-1.4")],
    ["a picture with a PDF behind its head", encode("\xff\xd8\xff 1234 %PDF-1.7")],
    ["a film", encode("\0\0\0\x18ftypisom")],
    ["an archive", encode("PK\x03\x04")],
    ["nothing that is known", encode("\x01\x02")],
  ])("%s may be as long as the model's window", (_, data) => {
    expect(heldFor(slot, data)).toBeGreaterThanOrEqual(window);
  });

  test.each([
    ["text", encode("Some words, ")],
    ["sound", wavOf().toString("base64")],
  ])("%s has at most as many tokens as bytes", (_, data) => {
    expect(heldFor(slot, data)).toBe(rules.imageTokensMax);
  });
});
