import { expect, test } from "bun:test";
import type { JsonObject } from "../core/json.ts";
import { formats } from "../formats/index.ts";
import { boundText } from "./estimate.ts";

const rules = { outputTokensMaxDefault: 1000, imageTokensMax: 4096 };
const address = { model: "chatC", stream: false, framing: "events" } as const;
const window = 1_048_576;

function boundOf(name: "chat" | "responses" | "messages" | "content", body: JsonObject): number {
  const request = formats[name].read({ ...body, model: "chatC" }, address);
  const bodyBytes = JSON.stringify(body).length;
  const { inputTokensMax } = boundText(request, { bodyBytes, mayConvert: false }, rules);
  return inputTokensMax - bodyBytes;
}

const pdf = Buffer.from("%PDF-1.4").toString("base64");

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

test("a document's bytes bound its words, an image's do not count", () => {
  const document = {
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: pdf },
  };
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: pdf } };
  const messages = (part: JsonObject) => ({ messages: [{ role: "user", content: [part] }] });
  expect(boundOf("messages", messages(document))).toBe(rules.imageTokensMax);
  expect(boundOf("messages", messages(image))).toBe(rules.imageTokensMax - pdf.length);
});
