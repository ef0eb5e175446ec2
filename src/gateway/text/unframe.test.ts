// Streams of frames as the events that pumps read.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeFrame } from "../../core/frames/event-stream.ts";
import type { Chunk, OutboundReply } from "../../core/outbound.ts";
import { joinBytes, readEvents, type SseEvent } from "../../core/sse.ts";
import type { TextFacet } from "../../upstreams/upstream.ts";
import { eventsOf, type EventSource } from "./unframe.ts";

const facet: TextFacet = {
  formats: () => [],
  address: () => null,
  readFrame: ({ headers, payload }) => ({
    event: headers.get(":event-type") ?? null,
    data: new TextDecoder().decode(payload),
  }),
};

function replyOf(chunks: readonly Uint8Array[], mediaType: string): OutboundReply {
  const waiting = [...chunks];
  return {
    status: 200,
    headers: new Headers(),
    mediaType,
    bytes: () => Promise.reject(new Error("it is read in pieces")),
    read: () => Promise.reject(new Error("it is taken")),
    take: () => ({ value: waiting.shift() }),
    cancel: () => {},
  };
}

const framed = "application/vnd.amazon.eventstream";
const sent: SseEvent[] = [1, 2, 3].map((count) => ({ event: "piece", data: `{"count":${count}}` }));
const frames = sent.map(({ event, data }) =>
  encodeFrame({ ":event-type": event ?? "" }, new TextEncoder().encode(data)),
);

/** The events that came, and how it ended. */
function read(source: EventSource | null): { events: SseEvent[]; end: unknown } {
  const events: SseEvent[] = [];
  for (;;) {
    let chunk: Chunk | undefined;
    try {
      chunk = source?.take(() => {});
    } catch (error) {
      return { events, end: error };
    }
    if (!chunk?.value) return { events, end: null };
    events.push(...readEvents(new TextDecoder().decode(chunk.value)));
  }
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const within = places.map((place) => place % bytes.length).toSorted((a, b) => a - b);
  const edges = [0, ...within, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.slice(edges[index], edge));
}

test("frames come out as events however they are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 6 }), (places) => {
      const reply = replyOf(cutAt(joinBytes(frames), places), framed);
      expect(read(eventsOf(reply, facet))).toEqual({ events: sent, end: null });
    }),
  );
});

test("a frame that never ends breaks the stream, wherever it is torn", () => {
  const bytes = joinBytes(frames);
  const last = frames[2]?.length ?? 0;
  for (let missing = 1; missing < last; missing++) {
    const reply = replyOf([bytes.slice(0, -missing)], framed);
    const { events, end } = read(eventsOf(reply, facet));
    expect(events).toEqual(sent.slice(0, 2));
    expect(end).toMatchObject({ code: "bad_response_body" });
  }
});

test("a wrong checksum breaks the stream behind what came before it", () => {
  const [first = new Uint8Array(0), second = new Uint8Array(0), third = new Uint8Array(0)] = frames;
  const wrong = second.slice();
  wrong[20] = (wrong[20] ?? 0) ^ 1;
  const { events, end } = read(
    eventsOf(replyOf([joinBytes([first, wrong, third])], framed), facet),
  );
  expect(events).toEqual(sent.slice(0, 1));
  expect(end).toMatchObject({ code: "bad_response_body" });
});

test("events pass as they are, and all else is no stream", () => {
  const plain = replyOf([], "text/event-stream; charset=utf-8");
  expect(eventsOf(plain, facet)).toBe(plain);
  expect(eventsOf(replyOf([], "application/json"), facet)).toBeNull();
  const { readFrame: _readFrame, ...other } = facet;
  expect(eventsOf(replyOf([], framed), other)).toBeNull();
});
