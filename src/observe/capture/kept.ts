// Stored form of a captured request: without secrets, without long encoded media, and bounded.
import { keptTexts } from "../content/record.ts";
import type { Redactor } from "../content/redact.ts";
import type { CapturedContent } from "./order.ts";

/** Pictures and sounds in a body; longer than any key, which is redacted before. */
const encoded = /[A-Za-z0-9+/_-]{1024,}={0,2}/g;

export function toKept(
  { request, answer, upstream, cut }: CapturedContent,
  redact: Redactor,
  charactersMax: number,
): CapturedContent {
  let isCut = cut;
  const keep = (text: string): string => {
    const short = text.replace(encoded, ({ length }) => `[${length} characters]`);
    const { kept, isCut: isLong } = keptTexts([short], redact, charactersMax);
    isCut ||= isLong;
    return kept.join("");
  };
  const keepOrNull = (text: string | null) => (text === null ? null : keep(text));
  const kept = {
    request: keep(request),
    answer: keepOrNull(answer),
    upstream: upstream && {
      channel: upstream.channel,
      request: keep(upstream.request),
      answer: keepOrNull(upstream.answer),
    },
  };
  return { ...kept, cut: isCut };
}
