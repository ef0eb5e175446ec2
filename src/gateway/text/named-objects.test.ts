// Bodies that name objects a vendor keeps.
import { expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { namesObjects } from "./named-objects.ts";

test.each<[string, Json]>([
  ["a file by its address", { contents: [{ parts: [{ fileData: { fileUri: "https://a" } }] }] }],
  ["a file by its id", { input: [{ content: [{ type: "input_file", file_id: "file-1" }] }] }],
  ["a store of vectors", { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
  ["a container", { tools: [{ type: "code_interpreter", container: "cntr_1" }] }],
  ["an earlier reply", { previous_response_id: "resp_1" }],
  ["kept content", { cachedContent: "cachedContents/1" }],
])("%s is found", (_name, body) => {
  expect(namesObjects(body)).toBe(true);
});

test("a plain request names nothing, and neither does a field that is null", () => {
  const messages = [{ role: "user", content: [{ type: "text", text: "my file_id is 7" }] }];
  expect(namesObjects({ messages, previous_response_id: null })).toBe(false);
});
