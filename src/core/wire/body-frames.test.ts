import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ChunkFrames, LengthFrames, OpenFrames, type Frames } from "./body-frames.ts";

/** Feeds the text in pieces, cut at these places. */
function feed(frames: Frames, text: string, cuts: readonly number[] = []): string {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
  let body = "";
  for (const [at, from] of places.slice(0, -1).entries()) {
    // A piece that is given away is never looked at again, so each is a buffer of its own.
    body += Buffer.from(frames.take(Buffer.from(bytes.subarray(from, places[at + 1])))).toString();
  }
  return body;
}

function chunked(texts: readonly string[], end = "0\r\n\r\n"): string {
  const chunks = texts.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  return chunks.join("") + end;
}

describe("a body in chunks", () => {
  test("comes out as it went in, cut at every byte", () => {
    const texts = ["data: one\n\n", "x", "z".repeat(300), "äöü😀", "last"];
    const wire = chunked(texts);
    for (let cut = 0; cut <= Buffer.byteLength(wire); cut++) {
      const frames = new ChunkFrames();
      const parts: Buffer[] = [];
      const bytes = Buffer.from(wire);
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
        parts.push(Buffer.from(frames.take(Buffer.from(piece))));
      }
      expect(Buffer.concat(parts).toString()).toBe(texts.join(""));
      expect([frames.isDone, frames.hasSurplus]).toEqual([true, false]);
    }
  });

  test("comes out as it went in, whatever it is and wherever it is cut", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 2000 });
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat()), (texts, numbers) => {
        const wire = chunked(texts);
        const length = Buffer.byteLength(wire);
        const frames = new ChunkFrames();
        const bytes = Buffer.from(wire);
        const cuts = numbers.map((number) => number % (length + 1)).toSorted((a, b) => a - b);
        const places = [0, ...cuts, length];
        const parts = places
          .slice(0, -1)
          .map((from, at) => Buffer.from(bytes.subarray(from, places[at + 1])))
          .map((piece) => Buffer.from(frames.take(piece)));
        expect(Buffer.concat(parts).toString()).toBe(texts.join(""));
        expect(frames.isDone).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("that come together leave together", () => {
    const frames = new ChunkFrames();
    expect(Buffer.from(frames.take(Buffer.from(chunked(["ab", "cd", "ef"])))).toString()).toBe(
      "abcdef",
    );
  });

  test.each([
    ["an extension", '5;name="a"\r\nhello\r\n0;x\r\n\r\n'],
    ["spaces behind its size", "5  \r\nhello\r\n0\r\n\r\n"],
    ["zeros before its size", "0005\r\nhello\r\n000\r\n\r\n"],
    ["a size in capitals", "A\r\nhellohello\r\n0\r\n\r\n"],
    ["trailers", "5\r\nhello\r\n0\r\nx-a: b\r\nx-c: d\r\n\r\n"],
  ])("may have %s", (_name, wire) => {
    for (let cut = 0; cut <= wire.length; cut++) {
      const frames = new ChunkFrames();
      expect(feed(frames, wire, [cut])).toBe(wire.startsWith("A") ? "hellohello" : "hello");
      expect([frames.isDone, frames.hasSurplus]).toEqual([true, false]);
    }
  });

  test.each([
    ["without a size", "\r\nhello\r\n0\r\n\r\n"],
    ["with a size that is none", "xyz\r\nhello"],
    ["with a negative size", "-5\r\nhello"],
    ["with a prefix of another tongue", "0x5\r\nhello\r\n0\r\n\r\n"],
    ["with a size beyond all measure", "fffffffffffff\r\n"],
    ["longer than its size", "5\r\nhello!\r\n0\r\n\r\n"],
    ["shorter than its size", "5\r\nhell\r\n0\r\n\r\n"],
    ["with half an end of a line", "5\nhello\n0\n\n"],
    ["with half an end behind it", "5\r\nhello\n0\r\n\r\n"],
    ["with a line break in an extension", "5;a\nb\r\nhello\r\n0\r\n\r\n"],
    ["with an extension without end", `5;${"a".repeat(20_000)}\r\nhello\r\n0\r\n\r\n`],
    ["with an extension at every chunk", `1;${"a".repeat(400)}\r\nx\r\n`.repeat(50)],
    ["with trailers without end", `0\r\n${`x: ${"a".repeat(90)}\r\n`.repeat(200)}\r\n`],
  ])("%s is refused", (_name, wire) => {
    expect(() => feed(new ChunkFrames(), wire)).toThrow("MalformedResponse");
    expect(() => {
      const frames = new ChunkFrames();
      for (const byte of Buffer.from(wire)) frames.take(Buffer.from([byte]));
    }).toThrow("MalformedResponse");
  });

  test("may be padded at every chunk, however many there are", () => {
    const wire = `${"5     \r\nhello\r\n".repeat(20_000)}0\r\n\r\n`;
    const frames = new ChunkFrames();
    expect(feed(frames, wire)).toBe("hello".repeat(20_000));
    expect(frames.isDone).toBe(true);
  });

  test("knows that something came behind its end", () => {
    const frames = new ChunkFrames();
    expect(feed(frames, `${chunked(["hello"])}HTTP/1.1 200 OK\r\n`)).toBe("hello");
    expect([frames.isDone, frames.hasSurplus]).toEqual([true, true]);
  });

  test("is not done before its last byte", () => {
    const wire = chunked(["hello"]);
    for (let cut = 0; cut < wire.length; cut++) {
      const frames = new ChunkFrames();
      feed(frames, wire.slice(0, cut));
      expect(frames.isDone).toBe(false);
      expect(frames.endsWithConnection).toBe(false);
    }
  });
});

describe("a body of a known length", () => {
  test("ends there, and what follows is surplus", () => {
    for (let cut = 0; cut <= 7; cut++) {
      const frames = new LengthFrames(5);
      expect(feed(frames, "hello!!", [cut])).toBe("hello");
      expect([frames.isDone, frames.hasSurplus]).toEqual([true, true]);
    }
  });

  test("is not done before, and may have none at all", () => {
    const frames = new LengthFrames(5);
    expect(feed(frames, "hell")).toBe("hell");
    expect([frames.isDone, frames.endsWithConnection]).toEqual([false, false]);
    expect(new LengthFrames(0).isDone).toBe(true);
  });
});

test("a body without a length is as long as the connection", () => {
  const frames = new OpenFrames();
  expect(feed(frames, "anything", [3])).toBe("anything");
  expect([frames.isDone, frames.endsWithConnection]).toEqual([false, true]);
});
