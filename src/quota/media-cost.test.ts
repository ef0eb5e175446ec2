import { expect, test } from "bun:test";
import { micros, picos, zeroMicros } from "../core/money.ts";
import { mediaCost } from "./media-cost.ts";

const charged = { secondMicros: micros(90), imageMicros: micros(70), callMicros: zeroMicros };
const list = { secondMicros: micros(30), imageMicros: micros(21), callMicros: micros(5) };
const price = { ...charged, list };
const uncounted = { tokens: null, most: null };
const names = ["asked", "model"];

test("a channel takes its share of the list price, rounded up, and by default all of it", () => {
  const film = { ...uncounted, seconds: 10 };
  expect(mediaCost({ price, says: {}, names, came: film })).toBe(micros(305));
  expect(mediaCost({ price, says: { percent: 10 }, names, came: film })).toBe(micros(31));
  const pictures = { ...uncounted, images: 2 };
  expect(mediaCost({ price, says: { percent: 100 }, names, came: pictures })).toBe(micros(47));
});

test("a price of its own holds by any name of the model, where it says something of the kind", () => {
  const says = { percent: 50, prices: [{ model: "model", second_micros: 2 }] };
  expect(mediaCost({ price, says, names, came: { ...uncounted, seconds: 3 } })).toBe(micros(6));
  // Nothing is said of pictures, so they go by the share.
  expect(mediaCost({ price, says, names, came: { ...uncounted, images: 1 } })).toBe(micros(14));
});

test("tokens cost what the vendor counted, and what nobody counted is not known", () => {
  const tokens = { input: picos(1e6), output: picos(2e6), isOnly: true };
  const byTokens = { ...charged, list: { ...list, imageMicros: zeroMicros, tokens } };
  const counted = { inputTokens: 10, outputTokens: 20 };
  const came = { images: 1, tokens: counted, most: null };
  expect(mediaCost({ price: byTokens, says: {}, names, came })).toBe(micros(55));
  const unknown = { ...uncounted, images: 1 };
  expect(mediaCost({ price: byTokens, says: {}, names, came: unknown })).toBeNull();
  expect(mediaCost({ price: charged, says: {}, names, came: unknown })).toBeNull();
});

test("what made no picture was asked for once all the same", () => {
  expect(mediaCost({ price, says: {}, names, came: { ...uncounted, images: 0 } })).toBe(micros(26));
});
