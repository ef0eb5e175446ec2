import { expect, test } from "bun:test";
import { catalogueModels } from "../src/catalogue/models.ts";
import { sandboxChannels } from "./channels.ts";

const channels = sandboxChannels("http://sandbox.invalid");

test("every model that has a vendor is served, a video by its maker first and by a reseller", () => {
  const videos = [...catalogueModels.values()].filter(({ kind }) => kind === "video");
  for (const { id } of videos) {
    const serving = channels.filter(({ models }) => models.includes(id));
    const [maker, reseller] = serving.toSorted((a, b) => b.priority - a.priority);
    expect([id, serving.length, reseller?.type]).toEqual([id, 2, "gateway"]);
    expect([id, maker?.type]).not.toEqual([id, "gateway"]);
  }
});

test("an image is drawn by its maker under the maker's name, and by a reseller under ours", () => {
  const images = [...catalogueModels.values()].filter(
    ({ kind, id }) => kind === "image" && !id.startsWith("imgF"),
  );
  const types = images.map(({ id }) => {
    const serving = channels.filter(({ models }) => models.includes(id));
    const [maker, reseller] = serving.toSorted((a, b) => b.priority - a.priority);
    expect([id, maker?.modelMapping[id]]).not.toEqual([id, undefined]);
    expect([id, reseller?.type, reseller?.modelMapping[id]]).toEqual([id, "gateway", undefined]);
    return maker?.type;
  });
  expect(new Set(types)).toEqual(new Set(["openai", "ark", "google"]));
});

test("a channel leads to the vendor of its type", () => {
  for (const { type, baseUrl } of channels) {
    expect(baseUrl).toBe(`http://sandbox.invalid/${type}`);
  }
});
