// The taker of what is logged. It goes behind the main database and is never in its way: while its
// own database cannot be written, the journal keeps what it has not got, up to a bound.
import type { Timers } from "../../core/clock.ts";
import type { Statement, StoreError } from "../store.ts";
import { toStoreError } from "./store-error.ts";
import { Taker } from "./taker.ts";

/** The log's database: everything in one transaction, synced. */
export interface JournalLog {
  commit(documents: readonly string[], statements: readonly Statement[]): Promise<unknown>;
  /** The last record that it already has. */
  appliedSequence: number;
  /** Told when it cannot be written, once, and null when it can again. */
  faulted(error: StoreError | null): void;
  /** Told how many requests the log will never have. */
  lost(count: number, error: StoreError): void;
}

/** The name of the only program that the log has. */
export const logProgramName = "log";

/** The log's part of a record; the rest of it goes once the main database has it. */
interface LoggedPart {
  sequence: number;
  logged: string | undefined;
}

interface LogTakerNeeds {
  log: JournalLog;
  timers: Timers;
  /** Sequence of the main database; the log never has what that has not. */
  mainSequence(): number;
  /** Told when files may have become free. */
  taken(): void;
}

const takeDelayMs = 500;
/** So much is taken at once: on a busy gateway what waits would take megabytes of memory. */
const takeCharacters = 128 * 1024;
const retryDelayMs = 500;
/**
 * Most that may wait for a log that cannot be written; it is in memory, and in the journal's files.
 */
const pendingCharactersMax = 64 * 1024 * 1024;

export class LogTaker {
  readonly #needs: LogTakerNeeds;
  readonly #taker: Taker<LoggedPart>;
  #pendingCharacters = 0;
  #turn: Promise<void> = Promise.resolve();
  #isFaulted = false;
  #isTakeDue = false;
  #isClosed = false;

  constructor(needs: LogTakerNeeds) {
    const { log, mainSequence } = needs;
    this.#needs = needs;
    this.#taker = new Taker({
      // A copy of the log that is newer than that of the main database says nothing of its future.
      appliedSequence: Math.min(log.appliedSequence, mainSequence()),
      commit: (records, advance) =>
        log.commit(
          records.flatMap(({ logged }) => logged ?? []),
          [advance],
        ),
      setAside: async (record, error) => this.#lose([record], error),
    });
  }

  get appliedSequence(): number {
    return this.#taker.appliedSequence;
  }

  get doneSequence(): number {
    return this.#taker.doneSequence;
  }

  add(sequence: number, logged: string | undefined): void {
    const part = { sequence, logged };
    this.#pendingCharacters += charactersOf(part);
    this.#taker.add(part);
  }

  /** Records that did not happen are not logged. */
  leaveOut(sequence: number): void {
    const part = this.#taker.find(sequence);
    if (part) part.logged = undefined;
  }

  /** Takes what the main database has, if it is little a little later: together each costs less. */
  takeSoon(): void {
    if (this.#pendingCharacters < takeCharacters) this.#takeIn(takeDelayMs);
    else void this.take();
  }

  /** Takes what the main database has; resolves also when that cannot be done now. */
  take(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#takeNow());
    return this.#turn;
  }

  async #takeNow(): Promise<void> {
    const sequenceMax = this.#needs.mainSequence();
    if (this.#isClosed || this.#taker.doneSequence >= sequenceMax) return;
    try {
      await this.#taker.take(sequenceMax);
      this.#tell(null);
    } catch (thrown) {
      const error = toStoreError(thrown);
      this.#tell(error);
      if (this.#pendingCharacters > pendingCharactersMax) this.passBy(error);
      this.#takeIn(retryDelayMs);
    }
    this.#recount();
    this.#needs.taken();
  }

  /** Gives up what the log has not got: it will never have it. */
  passBy(error: StoreError): void {
    this.#lose(this.#taker.passBy(this.#needs.mainSequence()), error);
    this.#recount();
  }

  #recount(): void {
    this.#pendingCharacters = this.#taker.sum(charactersOf);
  }

  close(): void {
    this.#isClosed = true;
  }

  #lose(records: readonly LoggedPart[], error: StoreError): void {
    const count = records.filter(({ logged }) => logged !== undefined).length;
    if (count > 0) this.#needs.log.lost(count, error);
  }

  #tell(error: StoreError | null): void {
    const isFaulted = error !== null;
    if (isFaulted !== this.#isFaulted) this.#needs.log.faulted(error);
    this.#isFaulted = isFaulted;
  }

  #takeIn(delayMs: number): void {
    if (this.#isTakeDue) return;
    this.#isTakeDue = true;
    this.#needs.timers.after(delayMs, () => {
      this.#isTakeDue = false;
      void this.take();
    });
  }
}

function charactersOf({ logged }: LoggedPart): number {
  return logged?.length ?? 0;
}
