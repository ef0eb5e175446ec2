// A conversation whose reasoning was encrypted elsewhere.
import { expect, test } from "bun:test";
import type { RequestFault } from "../upstream.ts";
import { mendResponses } from "./mend-responses.ts";

const refusal: RequestFault = {
  blame: "request",
  status: 400,
  type: "invalid_request_error",
  code: "invalid_encrypted_content",
  param: null,
  message: "The encrypted content gAAA could not be verified.",
};
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const reference = { type: "item_reference", id: "msg_1" };

test("X-H03 reasoning goes, and what it belonged to no longer says so", () => {
  const body = { input: [reasoning, { ...call, id: "fc_1" }, reference], model: "m" };
  const before = structuredClone(body);
  const mended = { input: [call, reference], model: "m" };
  expect(mendResponses(body, refusal)).toEqual(mended);
  expect(mendResponses(body, { ...refusal, code: null })).toEqual(mended);
  expect(body).toEqual(before);
  expect(mendResponses(mended, refusal)).toBeNull();
});

test("X-H23 what was included of reasoning goes where the model has none", () => {
  const include = ["reasoning.encrypted_content"];
  const fault = { ...refusal, code: null, param: "include" };
  const message = "Encrypted content is not supported with this model.";
  const search = "web_search_call.action.sources";
  const body = { input: [call], include: [...include, search] };
  expect(mendResponses(body, { ...fault, message })).toEqual({ input: [call], include: [search] });
  expect(mendResponses({ input: [call] }, { ...fault, message })).toBeNull();
});

test("X-H03 other refusals are left alone", () => {
  const body = { input: [reasoning] };
  expect(mendResponses(body, { ...refusal, code: null, message: "No such model." })).toBeNull();
  expect(mendResponses(body, { ...refusal, status: 413 })).toBeNull();
  expect(mendResponses({ input: "hi" }, refusal)).toBeNull();
});
