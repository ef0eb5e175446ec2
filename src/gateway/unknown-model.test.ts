import { expect, test } from "bun:test";
import { GatewayError } from "../core/errors.ts";
import { explainUnpriced, unknownModel } from "./unknown-model.ts";

const caller = { models: null, group: "default" };

test("a name that nobody serves is told with the group and where the list is", () => {
  const { message, param, code } = unknownModel({ model: "gpt-x", wanted: "text", caller });
  expect([code, param]).toEqual(["model_not_found", "model"]);
  expect(message).toBe(
    'No channel of this key\'s group "default" serves the model "gpt-x". ' +
      "GET /v1/models lists the models that this key can call.",
  );
});

test("a model outside the key's own list is told with that list, cut short", () => {
  const models = new Set(Array.from({ length: 10 }, (_, at) => `m${at}`));
  const { message } = unknownModel({ model: "x", wanted: "text", caller: { ...caller, models } });
  expect(message).toBe(
    'This key may not use the model "x": its own list has m0, m1, m2, m3, m4, m5, m6, m7 and 2 more.',
  );
});

test.each([
  ["imageA-1", "text", "POST /v1/images/generations"],
  ["videoB-2", "text", "POST /v1/videos"],
  ["chatA", "image", "POST /v1/chat/completions"],
  ["embedA", "video", "POST /v1/embeddings"],
] as const)("%s on a route for %s is sent to %s", (model, wanted, route) => {
  expect(unknownModel({ model, wanted }).message).toContain(`send it to ${route}.`);
});

test("a model without a price is explained where it makes something else, and only there", () => {
  const unpriced = new GatewayError("model_not_priced");
  expect(explainUnpriced(unpriced, { model: "m", wanted: "text" })).toBe(unpriced);
  const other = new GatewayError("overloaded");
  expect(explainUnpriced(other, { model: "imageA-1", wanted: "text" })).toBe(other);
  const moved = explainUnpriced(unpriced, { model: "imageA-1", wanted: "text" });
  expect([moved.code, moved.message]).toEqual([
    "model_not_found",
    'The model "imageA-1" makes images: send it to POST /v1/images/generations.',
  ]);
});

test("a long name is cut short and cannot break the sentence", () => {
  const { message } = unknownModel({ model: `"${"x".repeat(1000)}`, wanted: "text" });
  expect(message.length).toBeLessThan(300);
  expect(message).toContain('"\\"xxx');
});
