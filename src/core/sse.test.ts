import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeEvent, readEvents, sseComment, type SseEvent } from "./sse.ts";
import { SseOverflow, SseSplitter } from "./sse.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

interface Outcome {
  events: SseEvent[];
  bytes: Uint8Array;
  pendingBytes: number;
}

function split(chunks: readonly Uint8Array[]): Outcome {
  const splitter = new SseSplitter();
  const events: SseEvent[] = [];
  const passed: Uint8Array[] = [];
  for (const chunk of chunks) {
    const block = splitter.push(chunk);
    if (block === null) continue;
    events.push(...block.events);
    passed.push(block.bytes);
  }
  return { events, bytes: Buffer.concat(passed), pendingBytes: splitter.pendingBytes };
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places, bytes.length].sort((first, second) => first - second);
  return edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
}

const corpus: [string, string, SseEvent[]][] = [
  ["one event", "data: a\n\n", [{ event: null, data: "a" }]],
  ["no space", 'data:{"a":1}\n\n', [{ event: null, data: '{"a":1}' }]],
  ["only one space is taken", "data:  a\n\n", [{ event: null, data: " a" }]],
  ["several lines", "data: a\ndata:\ndata: b\n\n", [{ event: null, data: "a\n\nb" }]],
  ["a named event", "event: ping\ndata: {}\n\n", [{ event: "ping", data: "{}" }]],
  ["the name last", "data: {}\nevent: ping\n\n", [{ event: "ping", data: "{}" }]],
  ["a colon in the data", "data: a: b\n\n", [{ event: null, data: "a: b" }]],
  ["a comment alone", ": keep-alive\n\n", []],
  ["a comment inside", ": hello\ndata: a\n\n", [{ event: null, data: "a" }]],
  ["ids and retries", "id: 1\nretry: 5\ndata: a\n\n", [{ event: null, data: "a" }]],
  ["a name without data", "event: ping\n\n", []],
  ["data without a colon", "data\n\n", [{ event: null, data: "" }]],
  ["an unknown field", "dataset: a\n\n", []],
  ["bare JSON", '{"a":\n 1}\n\n', [{ event: null, data: '{"a":\n 1}', isRaw: true }]],
  [
    "bare JSON behind an event",
    "data: a\n\n[{}]\n\n",
    [
      { event: null, data: "a" },
      { event: null, data: "[{}]", isRaw: true },
    ],
  ],
  ["many blank lines", "\n\n\ndata: a\n\n\n\n", [{ event: null, data: "a" }]],
  ["a byte order mark", "\ufeffdata: a\n\n", [{ event: null, data: "a" }]],
  ["a byte order mark before a comment", "\ufeff: hi\n\ndata: a\n\n", [{ event: null, data: "a" }]],
  [
    "characters of several bytes",
    "data: \u00e9\u{1f600}\n\n",
    [{ event: null, data: "\u00e9\u{1f600}" }],
  ],
  [
    "what follows the end marker",
    "data: a\n\ndata: [DONE]\n\ndata: b\n\n",
    [
      { event: null, data: "a" },
      { event: null, data: "[DONE]" },
      { event: null, data: "b" },
    ],
  ],
];

const lineEnds: [string, string][] = [
  ["LF", "\n"],
  ["CRLF", "\r\n"],
  ["CR", "\r"],
];

describe.each(lineEnds)("with %s", (_name, lineEnd) => {
  test.each(corpus)("%s reads the same however it is cut", (_title, text, events) => {
    const bytes = encoder.encode(text.replaceAll("\n", lineEnd));
    const whole = { events, bytes: Buffer.from(bytes), pendingBytes: 0 };
    for (let at = 0; at <= bytes.length; at++) {
      const { events: read, bytes: passed, pendingBytes } = split(cutAt(bytes, [at]));
      expect(read).toEqual(whole.events);
      // A line end that belongs to no event may wait for the event after it.
      expect(passed.length + pendingBytes).toBe(bytes.length);
      expect(bytes.subarray(0, passed.length)).toEqual(new Uint8Array(passed));
    }
    expect(split(cutAt(bytes, [...bytes.keys()])).events).toEqual(events);
  });
});

test("a stream of the whole corpus reads the same however it is cut", () => {
  const ends = fc.constantFrom(...lineEnds.map(([, lineEnd]) => lineEnd));
  const parts = fc.array(fc.constantFrom(...corpus), { minLength: 1, maxLength: 8 });
  const cuts = fc.array(fc.nat(400), { maxLength: 12 });
  fc.assert(
    fc.property(ends, parts, cuts, (lineEnd, chosen, places) => {
      const text = chosen.map(([, part]) => part).join("");
      const bytes = encoder.encode(text.replaceAll("\n", lineEnd));
      const inside = places.map((place) => place % (bytes.length + 1));
      const outcome = split(cutAt(bytes, inside));
      expect(outcome.events).toEqual(chosen.flatMap(([, , events]) => events));
      expect(outcome.bytes.length + outcome.pendingBytes).toBe(bytes.length);
    }),
    { numRuns: 500 },
  );
});

test("what is encoded is read back, whatever one line of data holds", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n\ufeff]/g, ""));
  const events = fc.array(fc.record({ data: line, name: fc.option(fc.constantFrom("a", "b")) }));
  fc.assert(
    fc.property(events, (sent) => {
      const chunks = sent.map(({ data, name }) => encodeEvent(data, name ?? undefined));
      const wanted = sent.map(({ data, name }) => ({
        event: name,
        data: decoder.decode(encoder.encode(data)),
      }));
      expect(split(chunks).events).toEqual(wanted);
      expect(split([Buffer.concat(chunks)]).events).toEqual(wanted);
    }),
  );
});

describe("an unfinished event", () => {
  test("is held back and counted", () => {
    const outcome = split([encoder.encode("data: a\n\ndata: b\n")]);
    expect(outcome.events).toEqual([{ event: null, data: "a" }]);
    expect(outcome.pendingBytes).toBe(8);
  });

  test("passes when its blank line comes", () => {
    const splitter = new SseSplitter();
    expect(splitter.push(encoder.encode("data: b"))).toBeNull();
    expect(splitter.push(encoder.encode("\n"))).toBeNull();
    const block = splitter.push(encoder.encode("\n"));
    expect(decoder.decode(block?.bytes)).toBe("data: b\n\n");
    expect(splitter.pendingBytes).toBe(0);
  });

  test("may be as long as the limit and not longer", () => {
    const splitter = new SseSplitter(16);
    splitter.push(new Uint8Array(16).fill(65));
    expect(splitter.pendingBytes).toBe(16);
    expect(() => splitter.push(new Uint8Array(1).fill(65))).toThrow(SseOverflow);
  });

  test("is measured alone, without the finished events before it", () => {
    const splitter = new SseSplitter(16);
    for (let count = 0; count < 100; count++) splitter.push(encoder.encode("data: 12345\n\n"));
    expect(splitter.pendingBytes).toBe(0);
  });
});

describe.each(lineEnds)("a long event with %s", (_name, lineEnd) => {
  const lines = Array.from({ length: 300 }, (_, index) => `data: line ${index}`);
  const bytes = encoder.encode([...lines, "", ""].join(lineEnd));
  const data = lines.map((line) => line.slice(6)).join("\n");

  test.each([1, 2, 3, 7, 512, 4096])("comes whole out of chunks of %d bytes", (chunkBytes) => {
    const places = Array.from(
      { length: Math.ceil(bytes.length / chunkBytes) - 1 },
      (_, index) => (index + 1) * chunkBytes,
    );
    const outcome = split(cutAt(bytes, places));
    expect(outcome.events).toEqual([{ event: null, data }]);
    expect(new Uint8Array(outcome.bytes)).toEqual(bytes);
    expect(outcome.pendingBytes).toBe(0);
  });
});

describe("the bytes that pass", () => {
  test("are the chunk itself when it ends with an event and nothing was pending", () => {
    const chunk = encoder.encode("data: a\n\ndata: b\n\n");
    expect(new SseSplitter().push(chunk)?.bytes).toBe(chunk);
  });

  test("are a view of the chunk up to its last event", () => {
    const chunk = encoder.encode("data: a\n\ndata: b");
    expect(new SseSplitter().push(chunk)?.bytes.buffer).toBe(chunk.buffer);
  });

  test("are not disturbed by an empty chunk", () => {
    const splitter = new SseSplitter();
    expect(splitter.push(new Uint8Array(0))).toBeNull();
    splitter.push(encoder.encode("data: a\n"));
    expect(splitter.push(new Uint8Array(0))).toBeNull();
    expect(splitter.push(encoder.encode("\n"))?.events).toEqual([{ event: null, data: "a" }]);
  });
});

test("a text is read to its end, also without a last blank line", () => {
  expect(readEvents("\n\ndata: a")).toEqual([{ event: null, data: "a" }]);
  expect(readEvents("data: a\n\ndata: b\n")).toEqual([
    { event: null, data: "a" },
    { event: null, data: "b" },
  ]);
  expect(readEvents("")).toEqual([]);
});

test("bytes that are not UTF-8 pass untouched and read as replacement characters", () => {
  const bytes = Uint8Array.from([...encoder.encode("data: "), 0xff, 0xe2, 0x82, 10, 10]);
  const outcome = split([bytes]);
  expect(new Uint8Array(outcome.bytes)).toEqual(bytes);
  expect(outcome.events).toEqual([{ event: null, data: "\ufffd\ufffd" }]);
});

test("a keep-alive is no event", () => {
  expect(readEvents(decoder.decode(sseComment))).toEqual([]);
});

test("what stands behind the last blank line is what is left at the end", () => {
  const splitter = new SseSplitter();
  expect(splitter.rest()).toBeNull();
  for (const text of ["data: a\n\n{", '"error":', "1}"]) splitter.push(encoder.encode(text));
  expect(splitter.rest()?.events).toEqual([{ event: null, data: '{"error":1}', isRaw: true }]);
  expect(splitter.rest()).toBeNull();
});
