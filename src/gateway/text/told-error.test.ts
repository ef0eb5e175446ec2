import { expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { readToldError, shownOf } from "./told-error.ts";

const message = "No.";

test.each<[Json | string, number]>([
  [{ error: { message, code: 429 } }, 429],
  [{ error: { message, code: "503" } }, 503],
  [{ error: { message, code: 8, status: "RESOURCE_EXHAUSTED" } }, 429],
  [[{ error: { message, code: 400, status: "INVALID_ARGUMENT" } }], 400],
  [{ type: "error", error: { message, type: "overloaded_error" } }, 529],
  [{ error: { message, type: "invalid_request_error", code: null } }, 400],
  [{ error: message, status: 402 }, 402],
  [{ object: "error", message, code: 404 }, 404],
  [{ error: { message, type: "something" } }, 500],
  ['{"error":{"message":"No.","code":413}}', 413],
])("X-U26 %j has a status of its own", (told, status) => {
  expect(readToldError(told)).toMatchObject({ status, message });
});

test.each<[Json | string]>([
  [null],
  ["{"],
  ["[]"],
  [{ error: null }],
  [{ id: "chatcmpl-1", message }],
  [[1]],
])("X-U26 %j is no error", (told) => {
  expect(readToldError(told)).toBeNull();
});

test("X-U26 what is shown of it has no secrets", () => {
  const told = readToldError({ error: { message, type: "key-1", code: "key-1" } });
  const shown = told && shownOf(told, (text) => text.replace("key-1", "[secret]"));
  expect(shown).toEqual({ upstreamStatus: 500, type: "[secret]", code: "[secret]" });
  const numbered = readToldError({ error: { message, code: 429 } });
  expect(numbered && shownOf(numbered, (text) => text)).toEqual({
    upstreamStatus: 429,
    type: "rate_limit_error",
    code: "429",
  });
});
