// Events that go on for as long as what opened them: the token or session, the account, its role.
import type { Deadlines, Watch } from "../core/deadline.ts";
import type { Answer, ByteSource } from "../gateway/answer.ts";

/** A second is how long other nodes take to hear of a change as well. */
const askEveryMs = 1000;

/** `holds` says whether the stream would be opened again now. */
export function heldBy(
  answer: Answer,
  deadlines: Deadlines,
  holds: () => Promise<boolean>,
): Answer {
  const { body, contentType } = answer;
  const isStream = contentType === "text/event-stream" && typeof body === "object";
  if (!isStream || body instanceof Uint8Array || body instanceof Blob) return answer;
  return { ...answer, body: new HeldSource(body, deadlines, holds) };
}

class HeldSource implements ByteSource {
  readonly #source: ByteSource;
  readonly #holds: () => Promise<boolean>;
  readonly #watch: Watch;
  #isOver = false;

  constructor(source: ByteSource, deadlines: Deadlines, holds: () => Promise<boolean>) {
    this.#source = source;
    this.#holds = holds;
    this.#watch = deadlines.watch(askEveryMs, () => void this.#ask());
  }

  get isWhole(): boolean {
    return this.#source.isWhole ?? true;
  }

  take(ready: () => void): Uint8Array | null | undefined {
    const piece = this.#source.take(ready);
    if (piece === null) this.#end();
    return piece;
  }

  cancel(): void {
    this.#end();
    this.#source.cancel();
  }

  interrupt(): void {
    this.#end();
    this.#source.interrupt();
  }

  /** End where it cannot be found out: a client that may look on comes again. */
  async #ask(): Promise<void> {
    const isHeld = await this.#holds().catch(() => false);
    if (this.#isOver) return;
    if (isHeld) this.#watch.extend(askEveryMs);
    else this.interrupt();
  }

  #end(): void {
    this.#isOver = true;
    this.#watch.end();
  }
}
