// Trace of one request, or of a task that outlives the request it came with: its place in a trace,
// and when each attempt began and ended. Made only where tracing is on; what it becomes for a
// collector is in `spans.ts`.
import { createHash } from "node:crypto";
import { readTraceparent, readTracestate, writeTraceparent } from "./trace-context.ts";
import type { Random } from "../../core/random.ts";

/** The channel that is tried, as far as it is told. */
interface TriedChannel {
  readonly settings: { readonly name: string; readonly type: string; readonly baseUrl: string };
  upstreamModelOf(names: readonly string[]): string;
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

/** Ending of an attempt that did not serve its request. */
interface FailedAttempt {
  kind: string;
  error?: { readonly code: string };
  vendorStatus?: number;
}

interface TracePlace {
  traceId: string;
  spanId: string;
  parentId: string | null;
  isSampled: boolean;
  /** Additions of other tracers. */
  state: string | null;
}

/** A task, as far as it is part of a trace. */
export interface TracedTask {
  readonly id: string;
  /** The `kept` of the request that made it. */
  readonly trace: string | null;
}

export class RequestTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly isSampled: boolean;
  readonly attempts: AttemptSpan[] = [];
  /** Those that a channel may know the model by, where it has several. */
  names: readonly string[] | null = null;
  readonly #random: Random;
  readonly #state: string | null;

  /** `share` of the traces that begin here are told; others do as their callers do. */
  static of(headers: Headers, random: Random, share: number): RequestTrace {
    const context = readTraceparent(headers.get("traceparent"));
    const place = {
      traceId: context?.traceId ?? hexOf(random, 16),
      spanId: hexOf(random, 8),
      parentId: context?.parentId ?? null,
      isSampled: context?.isSampled ?? random.unit() < share,
      state: context && readTracestate(headers.get("tracestate")),
    };
    return new RequestTrace(place, random);
  }

  /** Null where the request that made the task was not traced. */
  static ofTask({ id, trace }: TracedTask, random: Random): RequestTrace | null {
    const [parent = "", ...state] = (trace ?? "").split(" ");
    const context = readTraceparent(parent);
    if (!context) return null;
    // Every process that looks after the task knows its span by this, without a word to others.
    const spanId = createHash("sha256").update(id).digest("hex").slice(0, 16);
    const place = { ...context, spanId, state: state.length > 0 ? state.join(" ") : null };
    return new RequestTrace(place, random);
  }

  private constructor(place: TracePlace, random: Random) {
    this.#random = random;
    this.#state = place.state;
    this.traceId = place.traceId;
    this.parentId = place.parentId;
    this.isSampled = place.isSampled;
    this.spanId = place.spanId;
  }

  /** Text by which a task that the request makes goes on with its trace. */
  get kept(): string {
    const traceparent = writeTraceparent(this.traceId, this.spanId, this.isSampled);
    return this.#state === null ? traceparent : `${traceparent} ${this.#state}`;
  }

  begin(channel: TriedChannel, startedAtMs: number): void {
    const spanId = hexOf(this.#random, 8);
    const open = { endedAtMs: null, errorCode: null, vendorStatus: null };
    this.attempts.push({ spanId, channel, startedAtMs, ...open });
  }

  /** The attempt that was begun last did not serve the request. */
  failed(endedAtMs: number, { kind, error, vendorStatus }: FailedAttempt): void {
    const last = this.attempts.at(-1);
    if (!last || last.endedAtMs !== null) return;
    // Nothing was sent.
    if (kind === "unfit") {
      this.attempts.pop();
      return;
    }
    last.endedAtMs = endedAtMs;
    last.errorCode = error?.code ?? "abandoned";
    last.vendorStatus = vendorStatus ?? null;
  }

  /** Trace headers for the upstream of the attempt that was begun last. */
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
