import { expect, test } from "bun:test";
import { openMetadata, pickExtras } from "./metadata.ts";
import { bad, refusalOf } from "./fixtures/refusals.ts";

const own = { seconds: "seconds", ratio: "aspect_ratio", negative: "negative_prompt" } as const;

test("what the family does not know is the vendor's", () => {
  const metadata = { style: "noir", camera_control: { type: "simple" }, quality: "high" };
  const given = { model: "m", metadata };
  expect(openMetadata(given, own)).toEqual({ body: given, extras: metadata });
  expect(openMetadata({ model: "m" }, own)).toEqual({ body: { model: "m" }, extras: {} });
});

test("what the family knows counts as its field, under whatever name", () => {
  const { body, extras } = openMetadata(
    { metadata: { durationSeconds: 8, aspectRatio: "9:16", negativePrompt: "rain", style: "x" } },
    own,
  );
  expect(body).toMatchObject({ seconds: 8, aspect_ratio: "9:16", negative_prompt: "rain" });
  expect(extras).toEqual({ style: "x" });
});

test("the field itself counts more, and the vendor hears one value only", () => {
  const given = { duration: 4, metadata: { seconds: 12 } };
  expect(openMetadata(given, own)).toEqual({ body: given, extras: {} });
});

test("what decides the price, or calls back, never reaches the vendor unread", () => {
  const names = "model prompt n seconds duration size resolution sampleCount frames callback_url";
  const metadata = Object.fromEntries(names.split(" ").map((name) => [name, "1"]));
  expect(openMetadata({ metadata }, {}).extras).toEqual({});
});

test("metadata is an object", () => {
  expect(refusalOf(() => openMetadata({ metadata: "style" }, own))).toEqual(bad("metadata"));
  expect(refusalOf(() => openMetadata({ metadata: [] }, own))).toEqual(bad("metadata"));
});

test("a name that is special to the language stays a name", () => {
  const metadata = JSON.parse('{"__proto__": {"polluted": true}}');
  const { extras } = openMetadata({ metadata }, own);
  expect(Object.keys(extras)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(extras)).toBe(Object.prototype);
});

test("a vendor's fields are picked where they say something", () => {
  expect(pickExtras({ cfg_scale: 0, voice: "", other: 1 }, ["cfg_scale", "voice"])).toEqual({
    cfg_scale: 0,
  });
});
