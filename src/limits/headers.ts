// The x-ratelimit headers, in the form that OpenAI's SDKs and their users know.

/** Figures shown of a limit per minute. */
export interface Gauge {
  readonly perMinute: number;
  readonly remaining: number;
  readonly resetMs: number;
}

interface Gauged {
  readonly requests: Gauge | null;
  readonly tokens: Gauge | null;
}

export type LimitHeaders = Readonly<Record<string, string>>;

export const noHeaders: LimitHeaders = Object.freeze({});

const secondMs = 1000;
const minuteSeconds = 60;
const hourSeconds = 3600;
/** A debt under a limit of zero never ends; some number has to be said. */
const shownMsMax = 24 * hourSeconds * secondMs;

/** Requests and tokens each speak of the bucket that will run out first. */
export function renderHeaders(states: readonly Gauged[]): LimitHeaders {
  let requests: Gauge | null = null;
  let tokens: Gauge | null = null;
  for (const state of states) {
    requests = tighter(requests, state.requests);
    tokens = tighter(tokens, state.tokens);
  }
  if (requests === null && tokens === null) return noHeaders;
  const headers: Record<string, string> = {};
  if (requests !== null) {
    headers["x-ratelimit-limit-requests"] = String(requests.perMinute);
    headers["x-ratelimit-remaining-requests"] = String(requests.remaining);
    headers["x-ratelimit-reset-requests"] = renderDuration(requests.resetMs);
  }
  if (tokens !== null) {
    headers["x-ratelimit-limit-tokens"] = String(tokens.perMinute);
    headers["x-ratelimit-remaining-tokens"] = String(tokens.remaining);
    headers["x-ratelimit-reset-tokens"] = renderDuration(tokens.resetMs);
  }
  return headers;
}

/** Headers of two admissions of one request: of requests and tokens those with fewer left. */
export function tighterHeaders(first: LimitHeaders, second: LimitHeaders): LimitHeaders {
  const headers: Record<string, string> = { ...first };
  for (const kind of ["requests", "tokens"]) {
    const left = (from: LimitHeaders) => Number(from[`x-ratelimit-remaining-${kind}`] ?? Infinity);
    if (left(second) >= left(first)) continue;
    for (const [name, value] of Object.entries(second)) {
      if (name.endsWith(`-${kind}`)) headers[name] = value;
    }
  }
  return headers;
}

function tighter(first: Gauge | null, second: Gauge | null): Gauge | null {
  if (first === null || second === null) return first ?? second;
  if (first.remaining !== second.remaining) {
    return first.remaining < second.remaining ? first : second;
  }
  return first.resetMs >= second.resetMs ? first : second;
}

/** "0s", "120ms", "6s", "1m0s", "1h0m0s"; rounded up, so that nobody comes back too early. */
export function renderDuration(durationMs: number): string {
  if (durationMs <= 0) return "0s";
  const shownMs = Math.min(Math.ceil(durationMs), shownMsMax);
  if (shownMs < secondMs) return `${shownMs}ms`;
  const total = Math.ceil(shownMs / secondMs);
  const seconds = `${total % minuteSeconds}s`;
  if (total < minuteSeconds) return seconds;
  const minutes = `${Math.floor((total % hourSeconds) / minuteSeconds)}m${seconds}`;
  return total < hourSeconds ? minutes : `${Math.floor(total / hourSeconds)}h${minutes}`;
}
