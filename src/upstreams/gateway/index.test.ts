import { expect, test } from "bun:test";
import { gateway } from "./index.ts";

test("another gateway takes every format, or the one it is set to", () => {
  expect(gateway.text?.formats(null)).toEqual([
    "chat",
    "completions",
    "responses",
    "messages",
    "content",
    "embeddings",
    "embedContent",
    "batchEmbedContents",
  ]);
  for (const dialect of ["chat", "responses", "messages", "content"] as const) {
    expect(gateway.text?.formats(dialect)).toEqual([dialect]);
  }
});

test("another gateway gets the body as it is", () => {
  expect(gateway.text?.adjust).toBeUndefined();
});
