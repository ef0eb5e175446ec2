// Time and price of an answer, and the way to its trace.
import type { ComponentChildren } from "preact";
import { count, exactMoney, millis, percent } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import type { ReplyFacts } from "./state.ts";
import { t } from "./words.ts";

export function Figures({
  facts: { state, totalMs, requestId, row },
  children,
}: {
  facts: ReplyFacts;
  children?: ComponentChildren;
}) {
  const words = t();
  const { channel = null, attempts = 1 } = row ?? {};
  return (
    <footer class="faint number">
      {children}
      {state !== "running" && totalMs !== null && <span>{words.total(millis(totalMs))}</span>}
      {state !== "running" && requestId !== null && (
        <span class="cost">{row ? exactMoney(row.micros) : words.counting}</span>
      )}
      {attempts > 1 && <span class="warn">{words.tries(attempts)}</span>}
      {row && (
        <a class="link push" href={addressOf("requests", row.request_id)}>
          {channel === null ? words.trace : `${words.trace}: ${channel}`}
        </a>
      )}
    </footer>
  );
}

export function TextFigures({ facts }: { facts: ReplyFacts }) {
  const words = t();
  const { firstMs, row } = facts;
  const speed = speedOf(facts);
  return (
    <Figures facts={facts}>
      {firstMs !== null && <span>{words.first(millis(firstMs))}</span>}
      {speed !== null && <span>{words.speedOf(count(speed))}</span>}
      {row && row.output_tokens > 0 && (
        <span title={words.tokensTitle}>
          {words.tokens(count(row.input_tokens), count(row.output_tokens))}
        </span>
      )}
      {row && row.cache_read_tokens > 0 && (
        <span>{words.cached(percent(row.cache_read_tokens, row.input_tokens))}</span>
      )}
    </Figures>
  );
}

const shortestMs = 50;

/** Whole tokens a second: an answer in one piece has no speed worth more digits than that. */
export function speedOf({ firstMs, totalMs, row }: ReplyFacts): number | null {
  if (!row || row.output_tokens === 0 || firstMs === null || totalMs === null) return null;
  return Math.round((row.output_tokens / Math.max(shortestMs, totalMs - firstMs)) * 1000);
}
