// Frames of Amazon's event stream, judged by Smithy's codec in both directions.
import { describe, expect, test } from "bun:test";
import { EventStreamCodec, type MessageHeaders } from "@smithy/eventstream-codec";
import fc from "fast-check";
import { joinBytes } from "../sse.ts";
import { encodeFrame, FrameSplitter, type EventFrame } from "./event-stream.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const judge = new EventStreamCodec(
  (bytes) => decoder.decode(bytes instanceof Uint8Array ? bytes : Buffer.from(bytes)),
  (text) => new TextEncoder().encode(text),
);

/** Smithy holds headers in a plain object, which cannot have this name. */
const isHeld = (name: string) => name !== "__proto__";
const names = fc.string({ minLength: 1, maxLength: 40, unit: "binary" }).filter(isHeld);
const texts = fc.string({ maxLength: 300, unit: "binary" });
const textHeaders = fc.dictionary(names, texts, { maxKeys: 5, noNullPrototype: true });
const payloads = fc.uint8Array({ maxLength: 600 });

/** Everything but text, which a reader has to step over. */
const otherHeader = fc.oneof(
  fc.boolean().map((value) => ({ type: "boolean" as const, value })),
  fc.integer({ min: -128, max: 127 }).map((value) => ({ type: "byte" as const, value })),
  fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: "short" as const, value })),
  fc.integer().map((value) => ({ type: "integer" as const, value })),
  fc.uint8Array({ maxLength: 40 }).map((value) => ({ type: "binary" as const, value })),
  fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((value) => ({ type: "timestamp" as const, value })),
  fc.uuid().map((value) => ({ type: "uuid" as const, value })),
);
const headers: fc.Arbitrary<MessageHeaders> = fc.dictionary(
  names,
  fc.oneof(
    otherHeader,
    texts.map((value) => ({ type: "string" as const, value })),
  ),
  { maxKeys: 6, noNullPrototype: true },
);

interface Outcome {
  frames: EventFrame[];
  fault: string | null;
  pendingBytes: number;
}

/** Read in pieces that end at these places, counted modulo the length. */
function read(bytes: Uint8Array, places: readonly number[]): Outcome {
  const edges = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  const splitter = new FrameSplitter();
  const frames: EventFrame[] = [];
  let from = 0;
  for (const edge of [...edges, bytes.length]) {
    frames.push(...splitter.push(bytes.slice(from, edge)));
    from = edge;
  }
  return { frames, fault: splitter.fault, pendingBytes: splitter.pendingBytes };
}

function textsOf(all: MessageHeaders): [string, string][] {
  return Object.entries(all).flatMap(([name, { type, value }]): [string, string][] =>
    type === "string" ? [[name, value]] : [],
  );
}

test("what Smithy writes is read the same however the bytes are cut", () => {
  const messages = fc.array(fc.record({ headers, body: payloads }), { maxLength: 5 });
  fc.assert(
    fc.property(messages, fc.array(fc.nat(), { maxLength: 8 }), (written, places) => {
      const bytes = joinBytes(written.map((message) => judge.encode(message)));
      const { frames, fault, pendingBytes } = read(bytes, places);
      expect({ fault, pendingBytes }).toEqual({ fault: null, pendingBytes: 0 });
      expect(frames.map(({ headers: read, payload }) => [[...read], [...payload]])).toEqual(
        written.map(({ headers: all, body }) => [textsOf(all), [...body]]),
      );
    }),
  );
});

test("Smithy reads what is written here", () => {
  fc.assert(
    fc.property(textHeaders, payloads, (written, payload) => {
      const message = judge.decode(encodeFrame(written, payload));
      expect(textsOf(message.headers)).toEqual(Object.entries(written));
      expect([...message.body]).toEqual([...payload]);
    }),
  );
});

test("a frame that comes byte by byte is read once, at its last", () => {
  const bytes = encodeFrame({ ":message-type": "event" }, new Uint8Array(50_000).fill(7));
  const splitter = new FrameSplitter();
  for (const byte of bytes.subarray(0, -1)) expect(splitter.push(Uint8Array.of(byte))).toEqual([]);
  expect(splitter.push(bytes.subarray(-1))).toHaveLength(1);
});

describe("a broken stream", () => {
  const event = { ":message-type": "event", ":event-type": "chunk" };
  const whole = encodeFrame(event, new TextEncoder().encode('{"bytes":"e30="}'));

  test("has the frames before any one bit that is wrong, and none behind it", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(7), fc.array(fc.nat(), { maxLength: 4 }), (at, bit, places) => {
        const bytes = joinBytes([whole, whole, whole]);
        const place = whole.length + (at % whole.length);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        const { frames, fault } = read(bytes, places);
        expect(frames).toHaveLength(1);
        expect(fault).not.toBeNull();
      }),
    );
  });

  test("that ends in the midst of a frame has bytes pending, and no fault", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (kept) => {
        const { frames, fault, pendingBytes } = read(
          joinBytes([whole, whole.subarray(0, kept)]),
          [],
        );
        expect(frames).toHaveLength(1);
        expect({ fault, pendingBytes }).toEqual({ fault: null, pendingBytes: kept });
      }),
    );
  });

  test("is known by its first twelve bytes where a length is beyond all bounds", () => {
    for (const [total, lines, fault] of [
      [4_000_000_000, 0, "a frame is too long"],
      [200_016, 200_000, "a frame is too long"],
      [20, 100, "a frame is shorter than its headers"],
      [0, 0, "a frame is shorter than its headers"],
    ] as const) {
      const splitter = new FrameSplitter();
      expect(splitter.push(prelude(total, lines))).toEqual([]);
      expect(splitter.fault).toBe(fault);
    }
  });

  test.each([
    ["a header is longer than its frame", [1, 65, 7, 255, 255, 66]],
    ["a header is longer than its frame", [200, 65]],
    ["a header is longer than its frame", [1, 65]],
    ["a header has an unknown type", [1, 65, 10, 0]],
  ])("says that %s", (fault, lines) => {
    const splitter = new FrameSplitter();
    expect(splitter.push(frameOf(Uint8Array.from(lines)))).toEqual([]);
    expect(splitter.fault).toBe(fault);
  });
});

function prelude(total: number, lines: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, total);
  view.setUint32(4, lines);
  view.setUint32(8, Bun.hash.crc32(bytes.subarray(0, 8)));
  return bytes;
}

/** A frame whose checksums are right, with these bytes as its headers. */
function frameOf(lines: Uint8Array): Uint8Array {
  const bytes = joinBytes([prelude(lines.length + 16, lines.length), lines]);
  const end = new Uint8Array(4);
  new DataView(end.buffer).setUint32(0, Bun.hash.crc32(bytes));
  return joinBytes([bytes, end]);
}
