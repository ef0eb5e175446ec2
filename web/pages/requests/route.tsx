// The waterfall of a request: admission, each attempt, the first byte, the stream, the settlement.
import type { LogView } from "../../../src/admin/contract.ts";
import { millis } from "../../core/format.ts";
import { stepsOf, type Step } from "./steps.ts";
import { t } from "./words.ts";

const marks = [0, 0.25, 0.5, 0.75, 1];

export function Route({ row }: { row: LogView }) {
  const words = t();
  const steps = stepsOf(row);
  const endMs = Math.max(1, row.latency_ms, ...steps.map(({ toMs }) => toMs));
  return (
    <section class="stack part">
      <h3>{words.route}</h3>
      {steps.length === 0 ? (
        <p class="quiet">{row.outcome === "ok" ? words.noSteps : words.neverSent}</p>
      ) : (
        <ol class="waterfall">
          {steps.map((step, at) => (
            <Bar key={at} {...{ step, row, endMs }} />
          ))}
          <Scale endMs={endMs} />
        </ol>
      )}
      {row.trace && steps.length > 0 && (
        <p class="faint">{words.settled(millis(row.trace.settled_ms))}</p>
      )}
    </section>
  );
}

function Bar({ step, row, endMs }: { step: Step; row: LogView; endMs: number }) {
  const { kind, fromMs, toMs } = step;
  const left = `${((fromMs / endMs) * 100).toFixed(2)}%`;
  const width = `${Math.max(0.6, ((toMs - fromMs) / endMs) * 100).toFixed(2)}%`;
  return (
    <li>
      <span class="cut">{nameOf(step, row)}</span>
      <span class="track" aria-hidden="true">
        <span class={kind} style={{ left, width }} />
      </span>
      <span class="number right">{millis(toMs - fromMs)}</span>
      <span class="note wrap">{noteOf(step, row)}</span>
    </li>
  );
}

function nameOf({ kind, attempt }: Step, row: LogView): string {
  if (attempt === null) return t().admission;
  if (kind === "flow") return "";
  return attempt.channel ?? row.channel ?? t().attempt(attempt.number);
}

/** The vendor's words are text, and only admins get them. */
function noteOf({ kind, attempt }: Step, row: LogView): string {
  const words = t();
  if (attempt === null) return words.admissionNote;
  if (kind === "flow") return attempt.outcome === "broken" ? words.broken : words.flowed;
  if (kind === "wait") return row.stream ? words.waited : words.answered;
  const { outcome, status, words: said, code } = attempt;
  const how = Object.entries(words.endings).find(([name]) => name === outcome)?.[1] ?? outcome;
  const number = status === null || status === undefined ? null : String(status);
  const why = [number, said ?? code].filter((part) => part !== null && part !== undefined);
  return why.length === 0 ? how : words.because(how, why.join(" "));
}

function Scale({ endMs }: { endMs: number }) {
  return (
    <li class="scale" aria-hidden="true">
      <span />
      <span class="number">
        {marks.map((part) => (
          <span key={part}>{part === 0 ? "0" : millis(endMs * part)}</span>
        ))}
      </span>
    </li>
  );
}
