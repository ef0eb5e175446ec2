// A task as a span, from its creation to its end: below the request that made it, which was
// answered long before.
import type { UsageRow } from "../usage-row.ts";
import { attributesOf, nanosOf } from "./attributes.ts";
import type { RequestTrace } from "./request-trace.ts";
import { errorStatus, operationOf, type Span } from "./spans.ts";

const internalKind = 1;

/** `row` is the record of the task's end. */
export function taskSpan(trace: RequestTrace, row: UsageRow): Span {
  const operation = operationOf(row.route);
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    ...(trace.parentId !== null && { parentSpanId: trace.parentId }),
    name: `${operation} ${row.model}`,
    kind: internalKind,
    startTimeUnixNano: nanosOf(row.at_ms - row.latency_ms),
    endTimeUnixNano: nanosOf(row.at_ms),
    attributes: attributesOf({
      "error.type": row.error_code,
      "gen_ai.operation.name": operation,
      "gen_ai.request.model": row.model,
      "gen_ai.usage.input_tokens": orUnknown(row.input_tokens),
      "gen_ai.usage.output_tokens": orUnknown(row.output_tokens),
      "sluice.task.id": row.task_id,
      "sluice.task.kind": row.route,
      "sluice.outcome": row.outcome,
      "sluice.channel": row.channel_name,
      "sluice.attempts": row.attempts,
      "sluice.cost_micros": row.micros,
      "sluice.images": orUnknown(row.images),
      "sluice.media_seconds": orUnknown(row.media_ms / 1000),
      "sluice.account.id": row.account_id,
      "sluice.key.id": row.key_id,
    }),
    status: row.outcome === "ok" ? {} : errorStatus,
  };
}

/** A record has 0 for a count it does not know. */
function orUnknown(count: number): number | null {
  return count === 0 ? null : count;
}
