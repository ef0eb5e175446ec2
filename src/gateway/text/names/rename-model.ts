// The name that a client asked for, in replies that pass through as they are: only the bytes of the
// vendor's name are replaced.
import { findBytes, joinBytes } from "../../../core/sse.ts";
import { noBytes, type Piece } from "../../stream/pump.ts";
import { findModelSpan, type ReplyShape } from "./model-span.ts";
import type { TextPump } from "../pump/text-pump.ts";

const encoder = new TextEncoder();
const hint = encoder.encode('"model');

/** The bytes themselves where they name no model. */
export function withModel(bytes: Uint8Array, model: string, shape: ReplyShape): Uint8Array {
  if (findBytes(bytes, hint) === -1) return bytes;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const span of spansOf(bytes, shape)) {
    pieces.push(bytes.subarray(from, span.from), encoder.encode(JSON.stringify(model)));
    from = span.to;
  }
  return from === 0 ? bytes : joinBytes([...pieces, bytes.subarray(from)]);
}

/** Look at each line of events by itself; a whole reply names its model once. */
function spansOf(bytes: Uint8Array, shape: ReplyShape) {
  const spans = [];
  for (let start = 0; start < bytes.length;) {
    const span = findModelSpan(bytes, shape, start);
    if (!span) break;
    spans.push(span);
    const end = shape === "events" ? bytes.indexOf(newline, span.to) : -1;
    if (end === -1) break;
    start = end;
  }
  return spans;
}

const newline = 10;

export function renamePiece(piece: Piece, model: string): Piece {
  if (piece.kind === "cut") return piece;
  return { ...piece, bytes: withModel(piece.bytes, model, "events") };
}

/** The pump, with the name in each of its pieces. */
export function renamed(pump: TextPump, model: string): TextPump {
  return {
    next(ready) {
      const piece = pump.next(ready);
      return piece && renamePiece(piece, model);
    },
    get isWhole() {
      return pump.isWhole !== false;
    },
    observed: () => pump.observed(),
    finish: (usage, bill) => withModel(pump.finish?.(usage, bill) ?? noBytes, model, "events"),
    unstored: () => pump.unstored?.() ?? null,
    close: async () => await pump.close?.(),
  };
}
