import { describe, expect, test } from "bun:test";
import { invokeEmbed } from "./index.ts";

const side = invokeEmbed.embedding?.upstream;
const ask = (texts: string[], dimensions: number | null = null) => ({
  texts,
  dimensions,
  ignored: [],
});

describe("a request for embeddings", () => {
  test("has the body of its model's maker", () => {
    expect(side?.encodeRequest(ask(["a"], 256), "amazon.titan-embed-text-v2:0")).toEqual({
      inputText: "a",
      dimensions: 256,
    });
    expect(side?.encodeRequest(ask(["a", "b"]), "cohere.embed-english-v3")).toEqual({
      texts: ["a", "b"],
      input_type: "search_document",
      embedding_types: ["float"],
    });
    const nova = side?.encodeRequest(ask(["a"], 384), "amazon.nova-2-multimodal-embeddings-v1:0");
    expect(nova).toMatchObject({
      taskType: "SINGLE_EMBEDDING",
      singleEmbeddingParams: { embeddingDimension: 384, text: { value: "a" } },
    });
  });

  test("of several texts is refused where the model takes one", () => {
    const encode = () => side?.encodeRequest(ask(["a", "b"]), "amazon.titan-embed-text-v1");
    expect(encode).toThrow("input must be one text");
  });
});

describe("an answer", () => {
  test.each([
    [{ embedding: [1, 2], inputTextTokenCount: 3 }, [[1, 2]], 3],
    [{ embeddings: [[1], [2]] }, [[1], [2]], null],
    [{ embeddings: { float: [[1], [2]] } }, [[1], [2]], null],
    [{ embeddings: [{ embedding: [1, 2] }] }, [[1, 2]], null],
  ])("is read in each maker's shape: %j", (body, vectors, inputTokens) => {
    expect(side?.decodeReply(body)).toEqual({ vectors, inputTokens });
  });

  test("that has no vectors is none", () => {
    for (const body of [null, {}, { embeddings: [] }, { embedding: "no" }, { message: "no" }]) {
      expect(side?.decodeReply(body)).toBeNull();
    }
  });
});
