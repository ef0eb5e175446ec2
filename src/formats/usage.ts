// Usage of a reply, counted alike for every format. Cache reads and writes are parts of the input,
// reasoning is a part of the output.

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** Cache writes that last an hour, where the vendor tells them apart. */
  cacheWriteHourTokens?: number;
  /** Searches that the vendor made unasked, where it counts them beside the tokens. */
  searches?: number;
  /** Spoken part of the input, where the vendor tells it apart. */
  audioInputTokens?: number;
  /**
   * Tokens the vendor's own tools gave the model to read: beside the input, at the input's price.
   */
  fetchedTokens?: number;
}

/** More than any model takes; what a vendor reports beyond it is a lie or a bug. */
const tokensMax = 100_000_000;

const searchesMax = 1000;

/** A count as it can be trusted: a whole number within bounds, or null when it is not one. */
export function readCount(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return null;
  return Math.min(Math.ceil(value), tokensMax);
}

/** One report of a vendor, in whatever names; null or left out where it says nothing. */
interface UsageReport {
  /** With what the cache read and wrote in it. */
  input: number | null;
  output: number | null;
  total?: number | null;
  cacheRead?: number | null;
  cacheWrite?: number | null;
  cacheWriteHour?: number | null;
  reasoning?: number | null;
  fetched?: number | null;
  audioInput?: number | null;
  searches?: number | null;
}

/**
 * The one rule by which a report is counted, whole or streamed, on every wire. Output is all that
 * is not input: some vendors count hidden reasoning beside the answer, and only their total, or the
 * reasoning itself, shows it. Null when the report does not say how much there was of both.
 */
export function toUsage(report: UsageReport): Usage | null {
  const { input, output, total = null } = report;
  if (input === null || output === null) return null;
  const reasoning = report.reasoning ?? 0;
  const fetched = report.fetched ?? 0;
  const reported = reasoning > output ? output + reasoning : output;
  const outputTokens = Math.max(reported, total === null ? 0 : total - input - fetched);
  const cacheReadTokens = Math.min(report.cacheRead ?? 0, input);
  const usage: Usage = {
    inputTokens: input,
    outputTokens,
    cacheReadTokens,
    // Some vendors tell what was read as written, too; nothing is both.
    cacheWriteTokens: Math.min(report.cacheWrite ?? 0, input - cacheReadTokens),
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
  // Not spread into it under a condition: that took 1.5 us of a request.
  if (fetched > 0) usage.fetchedTokens = fetched;
  if (report.searches) usage.searches = Math.min(report.searches, searchesMax);
  if (report.audioInput) usage.audioInputTokens = Math.min(report.audioInput, input);
  const { cacheWriteHour = null } = report;
  if (cacheWriteHour !== null) {
    usage.cacheWriteHourTokens = Math.min(cacheWriteHour, usage.cacheWriteTokens);
  }
  return usage;
}

/**
 * Each report counts everything so far, so the last one stands, also where it corrects itself
 * downwards. One that counts nothing at all is a placeholder.
 */
export function laterUsage(before: Usage | null, later: Usage | null): Usage | null {
  const isPlaceholder = later !== null && later.inputTokens + later.outputTokens === 0;
  return before && (!later || isPlaceholder) ? before : later;
}

/** Roughly how many tokens a text is, for where nobody counted: four letters, or one ideograph. */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) others++;
  return (text.length - others) / 4 + others * 0.75;
}
