// The rest that a busy vendor asks for. It may say an hour when a daily limit is reached; a key is
// asked again sooner.
import type { JsonObject } from "../../core/json.ts";
import { textOf } from "./vendor-reply.ts";

const restSecondsMax = 60;

/** The headers' wait, in seconds: some say it in milliseconds as well, which is finer. */
export function retryAfter(headers: Headers): number | null {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  return bounded(ms / 1000) ?? bounded(Number(headers.get("retry-after") ?? Number.NaN));
}

/** The wait among the details of a Google error, such as "17s" or "1.5s". */
export function retryDelay(details: readonly JsonObject[]): number | null {
  const delay = details.map(({ retryDelay }) => textOf(retryDelay)).find((text) => text !== null);
  return bounded(Number(/^(\d+(?:\.\d+)?)s$/.exec(delay ?? "")?.[1] ?? Number.NaN));
}

function bounded(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, restSecondsMax) : null;
}
