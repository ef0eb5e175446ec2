// Usage that a vendor reports in a reply, read from its JSON by the vendor's public documentation
// and by nothing of the gateway's.
import { isObject, type Json, type JsonObject } from "../../../src/core/json.ts";

export type ReportDialect = "chat" | "responses" | "messages" | "content" | "converse";

/** Input counts what was read from caches and written to them. */
export interface VendorReport {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Read by the vendor's own tools besides, at the input's price. */
  fetched?: number;
}

/** The last report of a reply, or null where it has none. */
export function reportOf(dialect: ReportDialect, events: readonly JsonObject[]) {
  return readers[dialect](events);
}

type Reader = (events: readonly JsonObject[]) => VendorReport | null;

const readers: Readonly<Record<ReportDialect, Reader>> = {
  chat(events) {
    const usage = lastOf(events, (event) => event["usage"] ?? at(event, "x_groq", "usage"));
    if (!usage) return null;
    const input = count(usage["prompt_tokens"]);
    return withTotal(usage, {
      input,
      output: count(usage["completion_tokens"]),
      cacheRead: count(at(usage, "prompt_tokens_details", "cached_tokens")),
      cacheWrite: count(at(usage, "prompt_tokens_details", "cache_write_tokens")),
    });
  },
  responses(events) {
    const usage = lastOf(events, (event) => event["usage"] ?? at(event, "response", "usage"));
    if (!usage) return null;
    return withTotal(usage, {
      input: count(usage["input_tokens"]),
      output: count(usage["output_tokens"]),
      cacheRead: count(at(usage, "input_tokens_details", "cached_tokens")),
      cacheWrite: count(at(usage, "input_tokens_details", "cache_write_tokens")),
    });
  },
  messages(events) {
    const reports = events.flatMap((event) => {
      const usage = event["usage"] ?? at(event, "message", "usage");
      return isObject(usage) ? [usage] : [];
    });
    if (reports.length === 0) return null;
    // Later events repeat only what has changed.
    const usage = Object.fromEntries(reports.flatMap((report) => Object.entries(report)));
    const read = count(usage["cache_read_input_tokens"]);
    const write = count(usage["cache_creation_input_tokens"]);
    return {
      input: count(usage["input_tokens"]) + read + write,
      output: count(usage["output_tokens"]),
      cacheRead: read,
      cacheWrite: write,
    };
  },
  content(events) {
    const usage = lastOf(events, (event) => event["usageMetadata"]);
    if (!usage) return null;
    return {
      input: count(usage["promptTokenCount"]),
      output: count(usage["candidatesTokenCount"]) + count(usage["thoughtsTokenCount"]),
      cacheRead: count(usage["cachedContentTokenCount"]),
      cacheWrite: 0,
      fetched: count(usage["toolUsePromptTokenCount"]),
    };
  },
  converse(events) {
    const usage = lastOf(events, (event) => event["usage"]);
    if (!usage) return null;
    const read = count(usage["cacheReadInputTokens"]);
    const write = count(usage["cacheWriteInputTokens"]);
    return {
      input: count(usage["inputTokens"]) + read + write,
      output: count(usage["outputTokens"]),
      cacheRead: read,
      cacheWrite: write,
    };
  },
};

function withTotal(usage: JsonObject, report: VendorReport): VendorReport {
  const beside = count(usage["total_tokens"]) - report.input;
  return { ...report, output: Math.max(report.output, beside) };
}

function at(value: Json | undefined, ...names: string[]): Json | undefined {
  let inner = value;
  for (const name of names) inner = isObject(inner) ? inner[name] : undefined;
  return inner;
}

function lastOf(
  events: readonly JsonObject[],
  usageIn: (event: JsonObject) => Json | undefined,
): JsonObject | null {
  return events.map(usageIn).filter(isObject).at(-1) ?? null;
}

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}
