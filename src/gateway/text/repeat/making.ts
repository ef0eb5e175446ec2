// An answer that this process makes and that is kept: from its claim to the row with its charge.
import type { Answer } from "../../answer.ts";
import type { OpenCall } from "../../open-call.ts";
import type { AnswerKeeper } from "../text-job.ts";
import type { AnswerRun } from "./answer-run.ts";
import type { KeptAnswers, RequestIdentity } from "./kept-answers.ts";
import { repeatable } from "./replay.ts";

export class Making implements AnswerKeeper {
  readonly #kept: KeptAnswers;
  readonly #identity: RequestIdentity;
  readonly #run: AnswerRun;
  readonly #call: OpenCall;
  /** Whether it was written with its charge; null where it came to nothing. */
  #written: Promise<boolean> | null = null;

  constructor(kept: KeptAnswers, identity: RequestIdentity, run: AnswerRun, call: OpenCall) {
    this.#kept = kept;
    this.#identity = identity;
    this.#run = run;
    this.#call = call;
  }

  keep(
    { contentType, headers }: Pick<Answer, "contentType" | "headers">,
    ...last: readonly Uint8Array[]
  ): void {
    const { model, stream } = this.#call;
    const bytes = this.#run.wholeWith(last);
    const answer = bytes && { contentType, headers: repeatable(headers), model, stream, bytes };
    this.#written = this.#kept.keep(this.#identity, answer);
    // Its failure is told by the close.
    this.#written.catch(() => undefined);
  }

  async close(): Promise<void> {
    const isWritten = await this.#written;
    if (isWritten !== true) await this.#kept.release(this.#identity);
  }
}
