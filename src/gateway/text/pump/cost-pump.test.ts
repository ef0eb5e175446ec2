import { expect, test } from "bun:test";
import fc from "fast-check";
import { micros } from "../../../core/money.ts";
import { encodeEvent, readEvents } from "../../../core/sse.ts";
import type { Piece } from "../../stream/pump.ts";
import { CostPump } from "./cost-pump.ts";

const bill = { charged: micros(1_230), saved: micros(270) };

const eventData = fc.oneof(
  fc.constant("[DONE]"),
  fc.nat().map((said) => JSON.stringify({ said })),
  fc.nat().map((output) => JSON.stringify({ usage: { output } })),
  fc.nat().map((output) => JSON.stringify({ response: { usage: { output } } })),
);
const pieces = fc.array(fc.array(eventData, { minLength: 1, maxLength: 4 }), { minLength: 1 });

function bytesOf(events: readonly string[]): Uint8Array {
  return Buffer.concat(events.map((data) => encodeEvent(data)));
}

/** Everything a client reads of a stream that ends so. */
function shownOf(batches: readonly string[][], end: "end" | "cut" | "fault"): string[] {
  const made: Piece[] = batches.map((events, at) => {
    const isLast = at === batches.length - 1;
    const bytes = bytesOf(events);
    if (isLast && end === "end") return { kind: "end", bytes };
    return isLast && end === "fault"
      ? { kind: "fault", bytes, message: "broken" }
      : { kind: "bytes", bytes };
  });
  const [first = { kind: "cut" as const }, ...rest] = made;
  const observed = () => ({ usage: null, outputTokensEstimate: 0, origins: [] });
  const pump = new CostPump({ next: () => rest.shift() ?? { kind: "cut" }, observed });
  const shown: Uint8Array[] = [];
  for (let piece: Piece | undefined = pump.reframe(first); piece; piece = pump.next(() => {})) {
    if (piece.kind === "cut") break;
    shown.push(piece.bytes);
    if (piece.kind === "end") shown.push(pump.finish(null, bill));
    if (piece.kind !== "bytes") break;
  }
  return readEvents(new TextDecoder().decode(Buffer.concat(shown))).map(({ data }) => data);
}

test("every event arrives, in order, and only the last usage of a whole stream has a cost", () => {
  fc.assert(
    fc.property(pieces, (batches) => {
      const events = batches.flat();
      const shown = shownOf(batches, "end");
      const at = events.findLastIndex((data) => data.includes('"usage"'));
      expect(shown.toSpliced(at, at === -1 ? 0 : 1)).toEqual(
        events.toSpliced(at, at === -1 ? 0 : 1),
      );
      if (at !== -1) expect(shown[at]).toContain('"cost":0.00123,"cache_discount":0.00027');
    }),
  );
});

test("a stream that breaks off loses no event and has no cost", () => {
  fc.assert(
    fc.property(pieces, fc.constantFrom("cut", "fault"), (batches, end) => {
      expect(shownOf(batches, end)).toEqual(batches.flat());
    }),
  );
});
