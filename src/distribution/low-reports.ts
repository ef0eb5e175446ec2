// Models of a channel whose vendor reports far less output than it delivers. The report is charged
// all the same; this is what the operator is notified of.

interface LowReport {
  model: string;
  reportedTokens: number;
  /** Counted here in what was delivered. */
  deliveredTokens: number;
  /** Time by the monotonic clock. */
  atMs: number;
}

/** Replies of a model are counted once in this time, however many look suspicious. */
const recountMs = 3_600_000;
/** Time for which a report is worth a notice after it was seen last. */
export const lowReportLastsMs = 24 * 3_600_000;
/** A channel may serve any name, and a client chooses names. */
const modelsMax = 50;

export class LowReports {
  readonly #ofModels = new Map<string, LowReport>();
  readonly #countedAtMs = new Map<string, number>();

  /** Whether a suspicious reply of the model is to be counted now; the next ones have to wait. */
  claimCount(model: string, nowMs: number): boolean {
    const countedAtMs = this.#countedAtMs.get(model);
    if (countedAtMs !== undefined && nowMs - countedAtMs < recountMs) return false;
    for (const [name, atMs] of this.#countedAtMs) {
      if (nowMs - atMs >= recountMs) this.#countedAtMs.delete(name);
    }
    if (this.#countedAtMs.size >= modelsMax) return false;
    this.#countedAtMs.set(model, nowMs);
    return true;
  }

  add(report: LowReport): void {
    const isFull = this.#ofModels.size >= modelsMax && !this.#ofModels.has(report.model);
    if (!isFull) this.#ofModels.set(report.model, report);
  }

  /** Those that were seen within the last day. */
  list(nowMs: number): LowReport[] {
    for (const { model, atMs } of this.#ofModels.values()) {
      if (nowMs - atMs >= lowReportLastsMs) this.#ofModels.delete(model);
    }
    return [...this.#ofModels.values()];
  }
}
