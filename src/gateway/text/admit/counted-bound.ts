// The bound of a prompt that was counted. Its bytes are a proof of how many tokens it can have; a
// count is far less, and proves nothing of another vendor's tokenizer.
import type { RequestBound } from "../../../quota/estimate.ts";

/** Words of the vendor's own, as `quota/plausible.ts` believes them. */
const slackTokens = 2048;
/** Believe no count below a token for so many bytes: runs of one character shrink to nothing. */
const bytesPerTokenMost = 6;

/** Text of a request, in bytes of its body. */
interface BodyText {
  bodyBytes: number;
  mediaBytes: number;
}

/** Null where no count could make the bound smaller. */
export function countedBound(
  bound: RequestBound,
  text: BodyText,
  countedTokens: number,
): RequestBound | null {
  const saved = savedTokens(text, countedTokens);
  return saved <= 0 ? null : { ...bound, heldTokensMax: bound.inputTokensMax - saved };
}

/** Tokens that a count holds less than the bytes do. */
export function savedTokens({ bodyBytes, mediaBytes }: BodyText, countedTokens: number): number {
  const textBytes = bodyBytes - mediaBytes;
  const leastTokens = Math.ceil(textBytes / bytesPerTokenMost);
  return textBytes - slackTokens - Math.max(Math.ceil(countedTokens), leastTokens);
}
