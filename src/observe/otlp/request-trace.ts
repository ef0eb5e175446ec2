// What is traced of one request: its place in a trace, and when each attempt began and ended. Made
// only where tracing is on; what it becomes for a collector is in `spans.ts`.
import { readTraceparent, readTracestate, writeTraceparent } from "./trace-context.ts";
import type { Random } from "../../core/random.ts";

/** The channel that is tried, as far as it is told. */
interface TriedChannel {
  readonly settings: { readonly name: string; readonly type: string; readonly baseUrl: string };
  upstreamModel(model: string): string;
}

export interface AttemptSpan {
  readonly spanId: string;
  readonly channel: TriedChannel;
  /** Both on the clock that never goes back; an end is absent while it serves its request. */
  readonly startedAtMs: number;
  endedAtMs: number | null;
  /** Ours, of the catalogue; null where nothing went wrong. */
  errorCode: string | null;
  vendorStatus: number | null;
}

/** How an attempt ended that did not serve its request. */
interface FailedAttempt {
  kind: string;
  error?: { readonly code: string };
  vendorStatus?: number;
}

export class RequestTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly isSampled: boolean;
  readonly attempts: AttemptSpan[] = [];
  readonly #random: Random;
  readonly #state: string | null;

  /** `share` of the traces that begin here are told; others do as their callers do. */
  constructor(headers: Headers, random: Random, share: number) {
    const context = readTraceparent(headers.get("traceparent"));
    this.#random = random;
    this.#state = context && readTracestate(headers.get("tracestate"));
    this.traceId = context?.traceId ?? hexOf(random, 16);
    this.parentId = context?.parentId ?? null;
    this.isSampled = context?.isSampled ?? random.unit() < share;
    this.spanId = hexOf(random, 8);
  }

  begin(channel: TriedChannel, startedAtMs: number): void {
    const spanId = hexOf(this.#random, 8);
    const open = { endedAtMs: null, errorCode: null, vendorStatus: null };
    this.attempts.push({ spanId, channel, startedAtMs, ...open });
  }

  /** The attempt that was begun last did not serve the request. */
  failed(endedAtMs: number, { kind, error, vendorStatus }: FailedAttempt): void {
    // Nothing was sent.
    if (kind === "unfit") this.attempts.pop();
    const last = kind === "unfit" ? undefined : this.attempts.at(-1);
    if (!last) return;
    last.endedAtMs = endedAtMs;
    last.errorCode = error?.code ?? "abandoned";
    last.vendorStatus = vendorStatus ?? null;
  }

  /** What the upstream of the attempt that was begun last is told. */
  get headers(): Record<string, string> {
    const spanId = this.attempts.at(-1)?.spanId ?? this.spanId;
    const traceparent = writeTraceparent(this.traceId, spanId, this.isSampled);
    return this.#state === null ? { traceparent } : { traceparent, tracestate: this.#state };
  }
}

function hexOf(random: Random, bytes: number): string {
  const hex = Buffer.from(random.bytes(bytes)).toString("hex");
  // All zeros would be no id.
  return /[1-9a-f]/.test(hex) ? hex : hex.replace(/0$/, "1");
}
