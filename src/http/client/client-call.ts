// A request from its arrival to its end. It is finished exactly once, whatever becomes of it: that
// gives its place under the limits back, takes the tokens that it used, and puts it on record. Only
// a browser's preflight stays open: it asks for nothing, and nobody counts it.
import { assert } from "../../core/assert.ts";
import type { ChannelId } from "../../core/ids.ts";
import type { PlacedBy } from "../../distribution/affinity.ts";
import type { Channel, ChannelKey } from "../../distribution/channel.ts";
import type { CallEnding } from "../../gateway/open-call.ts";
import type { RunningCall } from "../../gateway/open-calls.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import type { Scope } from "../../gateway/scope.ts";
import type { TextCapture } from "../../gateway/text/capture.ts";
import type { Caller } from "../../identity/caller.ts";
import type { RateSubject } from "../../identity/rate-subject.ts";
import { tighterHeaders } from "../../limits/headers.ts";
import type { Admission, Limits } from "../../limits/limiter.ts";
import { noNotes, type AttemptNote } from "../../observe/attempt-note.ts";
import type { ChainNotes } from "../../observe/chain-note.ts";
import type { RequestTrace } from "../../observe/otlp/request-trace.ts";
import { noCandidates, type CandidateNote } from "../../observe/candidate-note.ts";

export interface CallRecorder {
  finished(call: ClientCall, outcome: RequestOutcome): void;
}

/** One for all, because most requests have no attempt that failed. */
const noChannels: readonly ChannelId[] = [];

interface Admitted {
  caller: Caller;
  admission: Admission;
  limits: Limits;
  isPaid: boolean;
}

export class ClientCall implements RunningCall {
  next: RunningCall | null = null;
  previous: RunningCall | null = null;
  readonly scope: Scope;
  readonly method: string;
  path = "";
  /** The row's path, with its parameters unfilled, so that labels stay few. */
  route = "none";
  model = "";
  stream = false;
  askedModel: string | null = null;
  chain: ChainNotes | null = null;
  channel: Channel | null = null;
  key: ChannelKey | null = null;
  attempts = 0;
  failedChannels: readonly ChannelId[] = noChannels;
  trail: readonly AttemptNote[] = noNotes;
  candidates: readonly CandidateNote[] = noCandidates;
  affinity: PlacedBy | null = null;
  waitedMs = 0;
  takenTokens = 0;
  converted: string | null = null;
  taskId: string | null = null;
  replayOf: string | null = null;
  label: string | null = null;
  ending: CallEnding | null = null;
  content: TextCapture | null = null;
  readonly #from: { readonly ip: string };
  readonly #recorder: CallRecorder;
  #admitted: Admitted | null = null;
  /** Admission by the rates of its model; null where it has none. */
  #ofModel: Admission | null = null;
  #isOpen = true;

  constructor(scope: Scope, method: string, from: { readonly ip: string }, recorder: CallRecorder) {
    this.scope = scope;
    this.method = method;
    this.#from = from;
    this.#recorder = recorder;
  }

  get ip(): string {
    return this.#from.ip;
  }

  get trace(): RequestTrace | null {
    return this.scope.trace ?? null;
  }

  get arrivedAtMs(): number {
    return this.scope.startedAtMs;
  }

  admit(admitted: Admitted): void {
    this.#admitted = admitted;
  }

  get caller(): Caller {
    assert(this.#admitted, "only who was admitted is a caller");
    return this.#admitted.caller;
  }

  get limitHeaders(): Admission["headers"] {
    assert(this.#admitted, "only who was admitted has limits");
    const { headers } = this.#admitted.admission;
    return this.#ofModel ? tighterHeaders(headers, this.#ofModel.headers) : headers;
  }

  /** Throws the 429 of a rate for the model; null where its key has none, which is mostly so. */
  askFor(names: readonly string[]): Promise<void> | null {
    const subjects = this.caller.modelRates?.of(names) ?? [];
    return subjects.length === 0 ? null : this.#enter(subjects);
  }

  async #enter(subjects: RateSubject[]): Promise<void> {
    assert(this.#admitted, "only who was admitted asks for a model");
    const { admission, limits } = this.#admitted;
    try {
      this.#ofModel = limits.tryAdmit(subjects) ?? (await limits.admit(subjects));
    } catch (error) {
      admission.cancel();
      throw error;
    }
  }

  /**
   * The payer of the work it starts, which is on the usage log; null for work that costs nothing.
   */
  get payer(): Caller | null {
    return this.#admitted?.isPaid ? this.#admitted.caller : null;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  left(): void {
    this.#admitted?.admission.release();
    this.#ofModel?.release();
  }

  finish(outcome: RequestOutcome): void {
    assert(this.#isOpen, "a call is finished once");
    this.#isOpen = false;
    const { usage } = outcome;
    const usedTokens = usage ? usage.inputTokens + usage.outputTokens : 0;
    if (this.key) this.channel?.correct(this.key, usedTokens - this.takenTokens);
    if (this.#admitted) {
      const { admission } = this.#admitted;
      if (usage) {
        admission.spend(usedTokens);
        this.#ofModel?.spend(usedTokens);
      }
      this.left();
    }
    this.#recorder.finished(this, outcome);
  }
}
