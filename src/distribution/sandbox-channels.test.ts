import { expect, test } from "bun:test";
import { catalogueModels } from "../catalogue/models.ts";
import { sandboxChannels } from "./sandbox-channels.ts";

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

test("a channel leads to the vendor of its type", () => {
  for (const { type, baseUrl } of channels) {
    expect(baseUrl).toBe(`http://sandbox.invalid/${type}`);
  }
});
