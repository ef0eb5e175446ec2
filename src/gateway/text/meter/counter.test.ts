import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { TokenCounter } from "./counter.ts";
import { lastSeam, pieces } from "./cut.ts";

const plain = { disallowedSpecial: new Set<string>() };
const pause = () => Promise.resolve();
const always = () => true;

function countHere(text: string): number {
  return countTokens(text, plain);
}

function countSum(parts: Iterable<string>): number {
  let sum = 0;
  for (const part of parts) sum += countHere(part);
  return sum;
}

/** Words, figures, signs and blanks of many scripts next to each other. */
const snippet = fc.oneof(
  fc.constantFrom(" ", "  ", "\n", "\r\n", "\t", " \n ", "'s", "'LL", "don't", "ABCdef", "漢ABc"),
  fc.constantFrom(
    "，",
    "。",
    "!!\n",
    "//",
    "123",
    "1234567",
    "😀",
    "e\u0301",
    "ำ",
    "हिन्दी",
    "\u00a0",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const writing = fc.array(snippet, { maxLength: 60 }).map((parts) => parts.join(""));
const longWriting = fc
  .array(snippet, { minLength: 400, maxLength: 700 })
  .map((parts) => parts.join(" "));

describe("a seam", () => {
  test("is where a cut changes no count", () => {
    fc.assert(
      fc.property(writing, writing, (before, after) => {
        const text = `${before} ${after}`;
        const at = lastSeam(text);
        const cut = [text.slice(0, at), text.slice(at)];
        // At the very end there is no seam, and nothing is cut.
        expect(countSum(cut)).toBe(countHere(text));
      }),
      { numRuns: 500 },
    );
  });

  test("stays one whatever follows", () => {
    fc.assert(
      fc.property(writing, writing, (before, after) => {
        const at = lastSeam(before);
        if (at === before.length) return;
        const cut = [before.slice(0, at), before.slice(at) + after];
        expect(countSum(cut)).toBe(countHere(before + after));
      }),
      { numRuns: 500 },
    );
  });
});

describe("pieces", () => {
  test("are the text, and together have as many tokens", () => {
    fc.assert(
      fc.property(longWriting, (text) => {
        const parts = [...pieces(text)];
        expect(parts.join("")).toBe(text);
        expect(countSum(parts)).toBe(countHere(text));
      }),
      { numRuns: 30 },
    );
  });

  test("are short even where a text has no seam, and break no character", () => {
    const text = "😀".repeat(2000);
    const parts = [...pieces(`a${text}`)];
    expect(parts.join("")).toBe(`a${text}`);
    expect(parts.every((part) => part.length <= 1024 && part.isWellFormed())).toBeTrue();
  });
});

describe("a counter", () => {
  test("counts each text by itself", async () => {
    const texts = ["The quick brown fox", "", "jumps over the lazy dog."];
    expect(await new TokenCounter(pause).count(texts, always)).toBe(countSum(texts));
  });

  test("takes what looks like a special token as text", async () => {
    const text = "<|endoftext|> and <|im_start|>user<|endofprompt|>";
    expect(await new TokenCounter(pause).count([text], always)).toBe(countHere(text));
    expect(countHere(text)).toBeGreaterThan(10);
  });

  test("is not held up by a run of one character", async () => {
    const tokens = await new TokenCounter(pause).count(["a".repeat(200_000)], always);
    expect(tokens).toBeGreaterThan(20_000);
    expect(tokens).toBeLessThan(30_000);
  });

  test("stops at a pause when the count is not wanted any more", async () => {
    const counter = new TokenCounter(pause);
    let pauses = 0;
    const count = counter.count(["one word after another ".repeat(20_000)], () => ++pauses < 3);
    expect(await count).toBeNull();
    expect(pauses).toBe(3);
  });
});
