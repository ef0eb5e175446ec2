import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, JsonError, parseJson, type Json } from "../../../core/json.ts";
import { JsonSplitter, splitLimits, type LongTexts, type SplitLimits } from "./split-json.ts";

const limits: SplitLimits = { ...splitLimits, textBytesMax: 8 };

class Kept implements LongTexts {
  readonly texts = new Map<string, { bytes: Buffer; isBase64: boolean; isOver: boolean }>();
  #word = "";

  begin(): string {
    this.#word = `token-${this.texts.size}`;
    this.texts.set(this.#word, { bytes: Buffer.alloc(0), isBase64: true, isOver: false });
    return this.#word;
  }

  write(piece: Uint8Array, isBase64: boolean): void {
    const text = this.#current();
    text.bytes = Buffer.concat([text.bytes, piece]);
    text.isBase64 &&= isBase64;
  }

  end(): void {
    this.#current().isOver = true;
  }

  #current() {
    const text = this.texts.get(this.#word);
    if (!text || text.isOver) throw new Error("no text is being read");
    return text;
  }
}

/** Read the bytes, cut at these places, and put the long texts back. */
function read(bytes: Uint8Array, cuts: readonly number[], within = limits): Json {
  const kept = new Kept();
  const splitter = new JsonSplitter(kept, within);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    splitter.push(bytes.subarray(from, cut));
    from = cut;
  }
  const json = splitter.end();
  for (const { isOver } of kept.texts.values()) expect(isOver).toBe(true);
  return putBack(json, kept);
}

function putBack(json: Json, kept: Kept): Json {
  if (typeof json === "string") return kept.texts.get(json)?.bytes.toString("utf8") ?? json;
  if (Array.isArray(json)) return json.map((item) => putBack(item, kept));
  if (!isObject(json)) return json;
  const names = Object.entries(json).map(([name, value]) => [
    String(putBack(name, kept)),
    putBack(value ?? null, kept),
  ]);
  return Object.fromEntries(names) as Json;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Every letter escaped in one of the ways there are. */
function escaped(text: string, way: number): string {
  const one = (letter: string, at: number) => {
    if (letter === "/" && (way + at) % 2 === 0) return "\\/";
    if ((way + at) % 3 === 0) return JSON.stringify(letter).slice(1, -1);
    const units = Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  };
  return `"${[...text].map(one).join("")}"`;
}

const texts = fc.oneof(
  fc.base64String({ maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('"', "\\", "/", "\n", "é", "\u{1f98a}", "a"), maxLength: 30 }),
);
const trees = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    texts,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ maxLength: 12 }).filter((name) => name !== "__proto__"),
      tie("tree"),
      { maxKeys: 4 },
    ),
  ),
})).tree;

describe("JSON that is split as it comes", () => {
  test("says what the whole says, cut at any byte", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const bytes = encode(JSON.stringify(tree));
        const whole = parseJson(bytes);
        for (let at = 0; at <= bytes.length; at++) expect(read(bytes, [at])).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  test("says what the whole says, byte by byte and with every way of escaping", () => {
    fc.assert(
      fc.property(texts, fc.nat(5), fc.boolean(), (text, way, isSingle) => {
        const bytes = encode(`{"b64_json":${escaped(text, way)}, "n" : [${escaped(text, 1)}]}`);
        const cuts = isSingle ? Array.from(bytes, (_, at) => at) : [];
        expect(read(bytes, cuts)).toEqual({ b64_json: text, n: [text] });
      }),
    );
  });

  test("keeps nothing of a long text for itself, and tells base64 from other texts", () => {
    const kept = new Kept();
    const splitter = new JsonSplitter(kept);
    const picture = "iVBORw0KGgo/".repeat(50_000);
    const prose = "a prompt, ".repeat(10_000);
    const body = `{"data":[{"b64_json":"${picture.replaceAll("/", "\\/")}"},{"text":"${prose}"}]}`;
    splitter.push(encode(body));
    expect(splitter.end()).toEqual({ data: [{ b64_json: "token-0" }, { text: "token-1" }] });
    const [first, second] = [...kept.texts.values()];
    expect(first).toEqual({ bytes: Buffer.from(picture), isBase64: true, isOver: true });
    expect(second).toEqual({ bytes: Buffer.from(prose), isBase64: false, isOver: true });
  });

  test("leaves a text of the limit's length where it is", () => {
    const kept = new Kept();
    const splitter = new JsonSplitter(kept, limits);
    splitter.push(encode('["12345678","123456789"]'));
    expect(splitter.end()).toEqual(["12345678", "token-0"]);
  });

  test.each([
    '{"a":"a text that never ends',
    '["a bad escape: \\x41"]',
    '["a bad escape: \\u00zz"]',
    '["half an escape: \\u00"]',
    '["a line\nbreak in a long text"]',
    '{"a":"a long enough text" "b"}',
    '["one long text"]["another one"]',
    '"a long enough text',
    "",
    "<html>a page</html>",
  ])("is refused where it is not valid: %j", (body) => {
    expect(() => parseJson(encode(body))).toThrow(JsonError);
    expect(() => read(encode(body), [])).toThrow(JsonError);
    const cuts = Array.from(encode(body), (_, at) => at);
    expect(() => read(encode(body), cuts)).toThrow(JsonError);
  });

  test("is refused where a long text is not UTF-8", () => {
    const start = encode('["a long enough text ');
    for (const bad of [[0xff], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80]]) {
      const bytes = Buffer.concat([start, Buffer.from(bad), encode('"]')]);
      for (let at = 0; at <= bytes.length; at++) {
        expect(() => read(bytes, [at])).toThrow(JsonError);
      }
    }
  });

  test("is refused where it is too deep, too much or has too many long texts", () => {
    expect(() => read(encode("[".repeat(100) + "]".repeat(100)), [])).toThrow(/deep/);
    const short = { ...limits, restBytesMax: 100 };
    expect(() => read(encode(`[${"1,".repeat(60)}1]`), [], short)).toThrow(/more than 100 bytes/);
    expect(read(encode(`["${"long ".repeat(60)}"]`), [], short)).toEqual(["long ".repeat(60)]);
    const few = { ...limits, textsMax: 2 };
    const three = JSON.stringify(Array.from({ length: 3 }, () => "a long text"));
    expect(() => read(encode(three), [], few)).toThrow(/too many/);
  });

  test("a half of a pair stands for what cannot be shown", () => {
    const bytes = encode('["a long text \\ud83e","and \\ud83e\\u0041 another \\udd8a"]');
    const whole = ["a long text \ufffd", "and \ufffdA another \ufffd"];
    for (let at = 0; at <= bytes.length; at++) expect(read(bytes, [at])).toEqual(whole);
  });
});
