// Opens the traces of requests and tasks, and hands their spans to the exporter when they have
// ended.
import type { Random } from "../../core/random.ts";
import type { UsageRow } from "../usage-row.ts";
import type { OtlpExporter } from "./exporter.ts";
import { RequestTrace, type TracedTask } from "./request-trace.ts";
import { attemptsOf, spansOf, type Span, type TracedAttempts } from "./spans.ts";
import type { TracedRequest } from "./spans.ts";
import { taskSpan } from "./task-span.ts";

interface TracerNeeds {
  exporter: OtlpExporter<Span>;
  random: Random;
  /** Share of the traces that begin here that is exported. */
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
    return RequestTrace.of(headers, this.#needs.random, this.#needs.sampleRatio);
  }

  /** The place of a task in its trace, for whoever looks after it now; null where it has none. */
  openTask(task: TracedTask): RequestTrace | null {
    return RequestTrace.ofTask(task, this.#needs.random);
  }

  finished(request: TracedRequest): void {
    if (!request.trace.isSampled || unseen.has(request.route)) return;
    for (const span of spansOf(request)) this.#needs.exporter.add(span);
  }

  /** Attempts of a task that were made while nobody waited. */
  tried(tried: TracedAttempts): void {
    if (!tried.trace.isSampled) return;
    for (const span of attemptsOf(tried)) this.#needs.exporter.add(span);
  }

  /** `row` is the record of its end. */
  taskEnded(task: TracedTask, row: UsageRow): void {
    const trace = this.openTask(task);
    if (trace?.isSampled) this.#needs.exporter.add(taskSpan(trace, row));
  }
}
