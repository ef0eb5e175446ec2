// A vendor that is too busy, told from one whose limit is smaller than this one request: that will
// never fit, however long the key rests, and says nothing of what others ask for.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Fault, TokenLimits } from "../upstream.ts";
import { retryAfter } from "./rest.ts";

interface BusyReply {
  status: number;
  headers: Headers;
  message: string;
  /** The vendor's own words for the kind of error: its type and code. */
  names?: readonly (string | null)[];
  /** Details of the error, as Google has them. */
  details?: readonly JsonObject[];
  /** The wait, where it stands elsewhere than in its header. */
  retryAfterSeconds?: number | null;
}

const sizeNames = new Set<string | null>(["request_too_large", "request_too_large_error"]);

export function loadFault(reply: BusyReply): Fault {
  const { status, headers, message, names = [], details = [] } = reply;
  const retryAfterSeconds = reply.retryAfterSeconds ?? retryAfter(headers);
  const isNamed = status === 413 || names.some((name) => sizeNames.has(name));
  if (isNamed || saysTooLarge(message)) {
    return { blame: "size", status: status === 413 ? 413 : 429, message, retryAfterSeconds };
  }
  const limits = names.includes("requests") ? null : limitsOf(headers, details);
  return { blame: "load", message, retryAfterSeconds, ...(limits && { limits }) };
}

/** Some vendors have the two numbers in their prose alone. */
const ownNumbers = /\blimit:?\s*([\d,]+)\b.*?\brequested:?\s*([\d,]+)\b/is;

function saysTooLarge(message: string): boolean {
  const [, limit, requested] = ownNumbers.exec(message) ?? [];
  if (limit === undefined || requested === undefined) return /^request too large\b/i.test(message);
  return numberOf(requested) > numberOf(limit);
}

const requestsLeft = ["x-ratelimit-remaining-requests", "anthropic-ratelimit-requests-remaining"];

/** Null where the vendor names no limit in tokens, or another one was reached. */
function limitsOf(headers: Headers, details: readonly JsonObject[]): TokenLimits | null {
  if (requestsLeft.some((name) => headers.get(name) === "0")) return null;
  const quota = quotaOf(details);
  if (quota) return quota;
  const limits = {
    input: limitIn(headers, "anthropic-ratelimit-input-tokens-limit"),
    output: limitIn(headers, "anthropic-ratelimit-output-tokens-limit"),
    total:
      limitIn(headers, "x-ratelimit-limit-tokens") ??
      limitIn(headers, "anthropic-ratelimit-tokens-limit"),
  };
  return (limits.input ?? limits.output ?? limits.total) ? limits : null;
}

function limitIn(headers: Headers, name: string): number | null {
  const number = numberOf(headers.get(name) ?? "");
  return number > 0 ? number : null;
}

/** Google names what was violated one by one; a limit on requests is none of tokens. */
function quotaOf(details: readonly JsonObject[]): TokenLimits | null {
  const violations = details
    .flatMap(({ violations: list }) => (Array.isArray(list) ? list : []))
    .filter(isObject);
  const least = { input: Infinity, total: Infinity };
  for (const { quotaId, quotaMetric, quotaValue } of violations) {
    const name = `${String(quotaId)} ${String(quotaMetric)}`;
    const value = numberOf(String(quotaValue));
    if (!/token/i.test(name) || !(value > 0)) return null;
    const kind = /input_?token/i.test(name) ? "input" : "total";
    least[kind] = Math.min(least[kind], value);
  }
  return violations.length === 0 ? null : { ...least, output: null };
}

function numberOf(text: string): number {
  return /^[\d,]+$/.test(text) ? Number(text.replaceAll(",", "")) : Number.NaN;
}
