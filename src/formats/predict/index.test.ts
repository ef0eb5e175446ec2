import { expect, test } from "bun:test";
import { predict } from "./index.ts";

const address = { model: "m", stream: false, framing: "events" } as const;
const side = predict.embedding;

test("X-M30 a prediction is read by its address, and nothing is held for output", () => {
  const body = { instances: [{ content: "a" }, { content: "b" }] };
  expect(predict.read(body, address)).toMatchObject({ model: "m", outputTokensMax: 0 });
  expect(predict.requestTexts(body)).toEqual(["a", "b"]);
  expect(() => predict.read({ instances: [] }, address)).toThrow();
  expect(() => predict.read({ instances: [{ content: 1 }] }, address)).toThrow();
});

test("X-M30 texts are instances, their length a parameter", () => {
  const ask = { texts: ["a", "b"], dimensions: 3, ignored: [] };
  const body = side?.upstream?.encodeRequest(ask, "m") ?? {};
  expect(body).toEqual({
    instances: [{ content: "a" }, { content: "b" }],
    parameters: { outputDimensionality: 3 },
  });
  expect(side?.decodeRequest(body)).toEqual(ask);
});

test("X-M30 each instance has what was said of its own text", () => {
  const instances = [
    { content: "a", task_type: "RETRIEVAL_DOCUMENT", title: "A" },
    { content: "b", task_type: "RETRIEVAL_QUERY" },
    { content: "c" },
  ];
  const ask = side?.decodeRequest({ instances });
  expect(ask?.hints?.names).toEqual(["task_type", "title"]);
  expect(ask && side?.upstream?.encodeRequest(ask, "m")).toEqual({ instances });
});

test("X-M30 a prediction's tokens are summed, and not told where one was not counted", () => {
  const one = (tokens?: number) => ({
    embeddings: {
      values: [1],
      ...(tokens !== undefined && { statistics: { token_count: tokens } }),
    },
  });
  const read = (body: object) => side?.upstream?.decodeReply(body);
  expect(read({ predictions: [one(3), one(4)] })).toEqual({ vectors: [[1], [1]], inputTokens: 7 });
  expect(read({ predictions: [one(3), one()] })).toMatchObject({ inputTokens: null });
  expect(read({ embedding: { values: [1] }, usageMetadata: { promptTokenCount: 5 } })).toEqual({
    vectors: [[1]],
    inputTokens: 5,
  });
  expect(read({ predictions: [{}] })).toBeNull();
  expect(read({ predictions: [] })).toBeNull();
});
