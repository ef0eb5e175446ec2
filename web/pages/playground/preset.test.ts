import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { presetHash, presetIn, type Preset } from "./preset.ts";

const preset: Preset = {
  name: "翻译 🙂",
  models: ["chatA", "a/b"],
  settings: {
    format: "messages",
    system: "Übersetze.",
    temperature: "0.2",
    tokensMax: "200",
    tools: "[]",
    more: "",
  },
};

describe("a preset's link", () => {
  test("brings it back, whatever letters are in it, and only letters of an address", () => {
    const hash = presetHash(preset);
    expect(hash).toMatch(/^#preset=[\w-]+$/);
    expect(presetIn(hash)).toEqual(preset);
  });

  test("leaves out what is no part of a preset", () => {
    const more = { ...preset, settings: { ...preset.settings, rehearsal: "x" }, key: "sk-1" };
    expect(presetIn(presetHash(more))).toEqual(preset);
  });

  test("that was cut or made up is none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(presetIn(`#preset=${text}`)).toBeNull();
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(presetIn(presetHash(preset).slice(0, -7))).toBeNull();
    expect(presetIn(`#preset=${"A".repeat(30_000)}`)).toBeNull();
  });
});
