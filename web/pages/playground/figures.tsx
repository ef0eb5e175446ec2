// Time and price of an answer, and the way to its trace.
import type { ComponentChildren } from "preact";
import { exactMoney, millis } from "../../core/format.ts";
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
