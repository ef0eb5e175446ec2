// How a stream of text fails: by what its vendor says, or by bringing nothing.
import type { SseEvent, SseSplitter } from "../../core/sse.ts";
import { noBytes, type FaultPiece } from "../stream/pump.ts";
import type { Conceal } from "../conceal.ts";
import { readToldError, shownOf } from "./told-error.ts";

export const emptyAnswer = "The upstream's answer is empty.";

/** Nothing has come, so nothing of it need be shown. */
export const emptyPiece: FaultPiece = { kind: "fault", bytes: noBytes, message: emptyAnswer };

const noEvent = "The upstream sent something that is no event.";

/** Bare JSON behind the last event of a stream that has closed; null where there is none. */
export function rawRest(splitter: SseSplitter): SseEvent | null {
  const last = splitter.rest()?.events.at(-1);
  return last?.isRaw && readToldError(last.data) ? last : null;
}

/** Bare JSON where an event should stand. */
export function rawPiece({ data }: SseEvent, bytes: Uint8Array, conceal: Conceal): FaultPiece {
  const told = readToldError(data);
  const message = conceal(told?.message ?? noEvent);
  return { kind: "fault", bytes, message, data, ...(told && { shown: shownOf(told, conceal) }) };
}
