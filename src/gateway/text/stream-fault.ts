// Faults of a stream of text: by what its vendor says, or by bringing nothing.
import type { SseEvent, SseSplitter } from "../../core/sse.ts";
import type { Observed } from "../../formats/format.ts";
import { noBytes, type FaultPiece } from "../stream/pump.ts";
import type { Wording } from "../conceal.ts";
import { readToldError, shownOf } from "./told-error.ts";

export const emptyAnswer = "The upstream's answer is empty.";

/** Google's word is MALFORMED_FUNCTION_CALL, at which its own clients ask again. */
export const unreadableCall = "The upstream could not read a call that the model made.";

/** Nothing has come, so nothing of it need be shown. */
export function emptyPiece(observed: Observed, bytes: Uint8Array = noBytes): FaultPiece {
  const words = countedWords(observed);
  return { kind: "fault", bytes, message: emptyAnswer, isOwnMessage: true, words };
}

/** An error of the vendor's, to each in the words that are for them. */
export function faultPiece(
  { message, ...others }: Pick<FaultPiece, "bytes" | "message" | "data">,
  { client, operator }: Wording,
): FaultPiece {
  return { kind: "fault", ...others, message: client(message), words: operator(message) };
}

/** For operators: what the vendor counted for nothing. */
export function countedWords({ usage }: Pick<Observed, "usage">): string {
  if (!usage) return emptyAnswer;
  const { inputTokens, outputTokens } = usage;
  const counts = `${inputTokens} tokens of input, ${outputTokens} of output`;
  return `${emptyAnswer} It was counted: ${counts}.`;
}

const noEvent = "The upstream sent something that is no event.";

/** Bare JSON behind the last event of a stream that has closed; null where there is none. */
export function rawRest(splitter: SseSplitter): SseEvent | null {
  const last = splitter.rest()?.events.at(-1);
  return last?.isRaw && readToldError(last.data) ? last : null;
}

/** Bare JSON where an event should stand. */
export function rawPiece({ data }: SseEvent, bytes: Uint8Array, tell: Wording): FaultPiece {
  const vendorError = readToldError(data);
  const piece = faultPiece({ bytes, data, message: vendorError?.message ?? noEvent }, tell);
  return vendorError ? { ...piece, shown: shownOf(vendorError, tell.client) } : piece;
}
