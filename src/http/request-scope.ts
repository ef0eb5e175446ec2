// What travels with a request through the flows, as the socket has it.
import type { RequestId } from "../core/ids.ts";
import { hopHeader, type Scope } from "../gateway/scope.ts";
import { isProxied, type OriginRules } from "./session/origin.ts";

interface Arrival {
  requestId: RequestId;
  request: Request;
  startedAtMs: number;
  rules: OriginRules;
}

export class RequestScope implements Scope {
  readonly requestId: RequestId;
  readonly signal: AbortSignal;
  readonly startedAtMs: number;
  readonly hops: number;
  readonly #arrival: Arrival;

  constructor(arrival: Arrival) {
    const { requestId, request, startedAtMs } = arrival;
    this.requestId = requestId;
    this.signal = request.signal;
    this.startedAtMs = startedAtMs;
    this.hops = Number(request.headers.get(hopHeader) ?? 0);
    this.#arrival = arrival;
  }

  /** Found when it is asked for, which only links to media do. */
  get address(): string | null {
    const { request, rules } = this.#arrival;
    return calledAddress(request.headers, rules);
  }
}

/**
 * The client's own word for us. A proxy may have put any name there, so with one in between it
 * counts only where the proxy is trusted and says how it was called.
 */
export function calledAddress(
  headers: Headers,
  { trustProxy }: Pick<OriginRules, "trustProxy">,
): string | null {
  const host = headers.get("host");
  if (host === null) return null;
  if (!isProxied(headers)) return `http://${host}`;
  const protocol = headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim().toLowerCase();
  const isTold = trustProxy && (protocol === "https" || protocol === "http");
  return isTold ? `${protocol}://${host}` : null;
}
