import { expect, test } from "bun:test";
import type { JobMedia } from "../video-job.ts";
import { findModel, newJob } from "./job.ts";
import { bad, refusalOf } from "./fixtures/refusals.ts";

const picture: JobMedia = {
  kind: "image",
  role: "first-frame",
  source: { kind: "url", url: "https://example.com/a.png" },
  param: "image",
};

test("V-0 an empty prompt asks for nothing, unless a picture does", () => {
  expect(refusalOf(() => newJob({ model: "m", prompt: " " }))).toEqual(bad("prompt"));
  expect(newJob({ model: "m", prompt: "", media: [picture] }).media).toEqual([picture]);
});

test("V-0 a model is required, and must be of the family", () => {
  const models = new Map([["a", 1]]);
  expect(findModel({ model: "a" }, models)).toBe(1);
  expect(refusalOf(() => findModel({}, models))).toEqual(bad("model"));
  expect(refusalOf(() => findModel({ model: "b" }, models))).toEqual(bad("model"));
  expect(refusalOf(() => findModel({ model: 7 }, models))).toEqual(bad("model"));
  expect(refusalOf(() => findModel({ model_name: "b" }, models))).toEqual(bad("model_name"));
});
