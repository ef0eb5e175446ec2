import { expect, test } from "bun:test";
import { coloursOf } from "./colours.ts";

test("a name keeps its colour whatever its rank, and no two of five share one", () => {
  const first = coloursOf(["gpt-5", "claude", "gemini", "llama", "qwen"]);
  expect(new Set(first.values()).size).toBe(5);
  const again = coloursOf(["qwen", "gemini", "gpt-5"]);
  for (const [name, colour] of again) expect(colour).toBe(first.get(name) ?? "");
  const mixed = coloursOf(["new", "gpt-5", "another"]);
  expect(mixed.get("gpt-5")).toBe(first.get("gpt-5") ?? "");
  expect(new Set(mixed.values()).size).toBe(3);
});
