import { expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import { batchEmbedContents, embedContent } from "./index.ts";

const address = { model: "m", stream: false, framing: "events" } as const;
const said = (...texts: string[]): JsonObject => ({ parts: texts.map((text) => ({ text })) });

test("X-M30 a request is read by its address, and nothing is held for output", () => {
  expect(embedContent.read({ content: said("a") }, address)).toMatchObject({
    model: "m",
    stream: false,
    outputTokensMax: 0,
  });
  expect(() => embedContent.read({}, address)).toThrow();
  expect(() => batchEmbedContents.read({ requests: [] }, address)).toThrow();
  const many = { requests: Array.from({ length: 101 }, () => ({ content: said("a") })) };
  expect(() => batchEmbedContents.read(many, address)).toThrow();
});

test("X-M30 a part that is no text goes on to Google alone", () => {
  const content = { parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "" } }] };
  expect(embedContent.requestTexts({ content })).toEqual(["a"]);
  expect(() => embedContent.embedding?.decodeRequest({ content })).toThrow();
});

test("X-M30 what other formats have no word for is named apart, and written for Google", () => {
  const body = { content: said("a", "b"), taskType: "CLUSTERING", output_dimensionality: 3 };
  const ask = {
    texts: ["a\nb"],
    hints: { of: [{ task: "CLUSTERING", title: null }], names: ["taskType"] },
    dimensions: 3,
    ignored: [],
  };
  expect(embedContent.embedding?.decodeRequest(body)).toEqual(ask);
  expect(batchEmbedContents.embedding?.upstream?.encodeRequest(ask, "m")).toMatchObject({
    requests: [{ content: said("a\nb"), taskType: "CLUSTERING", outputDimensionality: 3 }],
  });
});

test("X-M30 a reply is one with all of its vectors, and with usage where that is told", () => {
  const usageMetadata = { promptTokenCount: 7 };
  expect(embedContent.readReply({ embedding: { values: [1] }, usageMetadata })).toMatchObject({
    usage: { inputTokens: 7, outputTokens: 0 },
  });
  expect(embedContent.readReply({ embedding: { values: [1] } })).toMatchObject({ usage: null });
  expect(batchEmbedContents.readReply({ embeddings: [{ values: [1] }, {}] })).toBeNull();
  expect(embedContent.readReply({})).toBeNull();
});
