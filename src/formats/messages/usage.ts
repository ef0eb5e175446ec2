// Usage as the messages format counts it: here the input leaves out what the cache read and wrote.
import { isObject, type JsonObject } from "../../core/json.ts";
import { laterUsage, readCount, toUsage, type Usage } from "../usage.ts";

/** Usage of a whole reply; null when the vendor sent nothing that can be trusted. */
export function readMessagesUsage(value: unknown): Usage | null {
  return hasOutput(value) ? addMessagesUsage(null, value) : null;
}

/** Whether a report says how much was generated. */
export function hasOutput(value: unknown): value is JsonObject {
  return isObject(value) && readCount(value["output_tokens"]) !== null;
}

/**
 * Usage known after one more report of a stream. Each counts everything so far, and a figure it
 * does not name is as it was. Null until the vendor has told the input.
 */
export function addMessagesUsage(before: Usage | null, value: unknown): Usage | null {
  if (!isObject(value)) return before;
  const report = withIterations(value);
  const [plain, read, written] = inputCounts.map((name) => readCount(report[name]));
  // A report whose input is nothing at all leaves it out in the way that some vendors do.
  const isInputTold = (plain ?? 0) + (read ?? 0) + (written ?? 0) > 0 || !before;
  const input = (isInputTold ? plain : null) ?? (before && plainInput(before));
  const cacheRead = (isInputTold ? read : null) ?? before?.cacheReadTokens ?? 0;
  const cacheWrite = (isInputTold ? written : null) ?? before?.cacheWriteTokens ?? 0;
  const details = report["output_tokens_details"];
  const usage = toUsage({
    input: input === null || input === undefined ? null : input + cacheRead + cacheWrite,
    output: readCount(report["output_tokens"]) ?? before?.outputTokens ?? 0,
    cacheRead,
    cacheWrite,
    cacheWriteHour: readHourWrites(report) ?? before?.cacheWriteHourTokens ?? null,
    reasoning: readCount(isObject(details) ? details["thinking_tokens"] : before?.reasoningTokens),
  });
  return laterUsage(before, usage);
}

const inputCounts = [
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;

/**
 * A request may be sampled several times, for instance to condense the conversation first. All of
 * it is billed, and the counts at the top leave some of it out.
 */
function withIterations(report: JsonObject): JsonObject {
  const { iterations } = report;
  if (!Array.isArray(iterations) || iterations.length === 0) return report;
  const counted: JsonObject = { ...report };
  for (const name of [...inputCounts, "output_tokens"]) {
    const sum = iterations.reduce<number>(
      (sofar, iteration) => sofar + ((isObject(iteration) && readCount(iteration[name])) || 0),
      0,
    );
    counted[name] = Math.max(sum, readCount(report[name]) ?? 0);
  }
  return counted;
}

/** Each of several samplings tells its own; null where none tells them apart. */
function readHourWrites({ cache_creation: top, iterations }: JsonObject): number | null {
  const each = Array.isArray(iterations) ? iterations.filter(isObject) : [];
  const hourTokens = each.flatMap(({ cache_creation: creation }) => readHour(creation) ?? []);
  const sum = hourTokens.reduce((sofar, count) => sofar + count, 0);
  const whole = readHour(top);
  return hourTokens.length === 0 ? whole : Math.max(sum, whole ?? 0);
}

function readHour(creation: unknown): number | null {
  return isObject(creation) ? readCount(creation["ephemeral_1h_input_tokens"]) : null;
}

export function writeUsage(usage: Usage | null, searches = 0): JsonObject {
  if (searches === 0) return writeTokens(usage);
  const tools = { web_search_requests: searches, web_fetch_requests: 0 };
  return { ...writeTokens(usage), server_tool_use: tools };
}

function writeTokens(usage: Usage | null): JsonObject {
  if (!usage) return { input_tokens: 0, output_tokens: 0 };
  const written: JsonObject = {
    input_tokens: plainInput(usage),
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  };
  if (usage.reasoningTokens > 0) {
    written["output_tokens_details"] = { thinking_tokens: usage.reasoningTokens };
  }
  return written;
}

function plainInput({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
}
