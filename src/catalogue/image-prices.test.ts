import { expect, test } from "bun:test";
import { snapshotMedia } from "../quota/media-price.ts";
import { toListedPrice, toPriceInput } from "../quota/price-rows.ts";
import { catalogueModels } from "./models.ts";

const none = { size: null, quality: null, resolution: null, tier: null };

function microsOf(model: string, facts: Partial<typeof none> | Record<string, string>): number {
  const listed = catalogueModels.get(model)?.price;
  if (!listed) throw new Error(`no price of ${model}`);
  const asked = { kind: "image", multiplierPpm: 1_000_000 } as const;
  return snapshotMedia(listed, { ...none, ...facts }, asked)?.imageMicros ?? -1;
}

test.each<[Record<string, string>, number]>([
  [{}, 60_000],
  [{ quality: "auto", resolution: "1k" }, 60_000],
  [{ quality: "medium" }, 60_000],
  [{ quality: "low" }, 30_000],
  [{ quality: "low", resolution: "2k" }, 45_000],
  [{ resolution: "2k" }, 90_000],
  [{ quality: "auto", resolution: "4k" }, 150_000],
  [{ quality: "high", resolution: "1k" }, 120_000],
  [{ quality: "xhigh" }, 180_000],
  [{ quality: "max", resolution: "4k" }, 600_000],
])("an image of %j costs %d micros", (facts, micros) => {
  expect(microsOf("imageA-2.5-flare", facts)).toBe(micros);
});

test("some vendors ask more for the largest alone, or for none", () => {
  expect(microsOf("imageH-3-pro-image-preview", { resolution: "2k" })).toBe(134_000);
  expect(microsOf("imageH-3-pro-image-preview", { resolution: "4k" })).toBe(240_000);
  expect(microsOf("imageG-4-0-250828", { resolution: "4k", quality: "max" })).toBe(30_000);
});

test("a price with its rules is the same on the wire of the control API", () => {
  for (const { id, price } of catalogueModels.values()) {
    expect(toListedPrice(toPriceInput(id, price))).toEqual({ ...price, rules: price.rules ?? [] });
  }
});
