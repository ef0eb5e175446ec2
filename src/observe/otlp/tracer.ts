// Opens the trace of a request, and hands its spans to the exporter when it has ended.
import type { Random } from "../../core/random.ts";
import type { OtlpExporter } from "./exporter.ts";
import { RequestTrace } from "./request-trace.ts";
import { spansOf, type Span, type TracedRequest } from "./spans.ts";

interface TracerNeeds {
  exporter: OtlpExporter<Span>;
  random: Random;
  /** Of the traces that begin here, how many of one are told. */
  sampleRatio: number;
}

/** They are asked for every few seconds, and nobody wants to see them. */
const unseen: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

export class Tracer {
  readonly #needs: TracerNeeds;

  constructor(needs: TracerNeeds) {
    this.#needs = needs;
  }

  open(headers: Headers): RequestTrace {
    return new RequestTrace(headers, this.#needs.random, this.#needs.sampleRatio);
  }

  finished(request: TracedRequest): void {
    if (!request.trace.isSampled || unseen.has(request.route)) return;
    for (const span of spansOf(request)) this.#needs.exporter.add(span);
  }
}
