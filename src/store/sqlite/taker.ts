// One of the databases that take the journal over. It remembers the number of the last record that
// it has in the commit that takes it, so that after any death it goes on just behind that.
import { StoreError, type Statement } from "../store.ts";

/** A database's part of a record of the journal. */
interface Numbered {
  sequence: number;
}

interface TakerNeeds<Part extends Numbered> {
  /** The last record that the database already has. */
  appliedSequence: number;
  /** Takes the records, and runs the statement that says so: all or nothing, synced. */
  commit(records: readonly Part[], advance: Statement): Promise<unknown>;
  /** Keeps a record aside that the database does not take, so that all others go on. */
  setAside(record: Part, error: StoreError): Promise<void>;
}

/** Sequence that a database has reached. */
export const readSequence: Statement = {
  sql: "select sequence from journal_state",
  parameters: [],
};

export class Taker<Part extends Numbered> {
  readonly #needs: TakerNeeds<Part>;
  #appliedSequence: number;
  #pending: Part[] = [];

  constructor(needs: TakerNeeds<Part>) {
    this.#needs = needs;
    this.#appliedSequence = needs.appliedSequence;
  }

  get appliedSequence(): number {
    return this.#appliedSequence;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  /** Nothing up to this number is waited for. */
  get doneSequence(): number {
    const [first] = this.#pending;
    return first ? first.sequence - 1 : Infinity;
  }

  add(record: Part): void {
    this.#pending.push(record);
  }

  /** Sum over all that wait. */
  sum(measure: (record: Part) => number): number {
    return this.#pending.reduce((sum, record) => sum + measure(record), 0);
  }

  find(sequence: number): Part | undefined {
    return this.#pending.find((record) => record.sequence === sequence);
  }

  /** Takes what waits, up to that number. */
  async take(sequenceMax = Infinity): Promise<void> {
    try {
      await this.#commit(this.#pending.slice(0, this.#countUpTo(sequenceMax)));
    } finally {
      this.#pending = this.#pending.slice(this.#countUpTo(this.#appliedSequence));
    }
  }

  /** Gives up what waits, up to that number; returns what that is. */
  passBy(sequenceMax: number): Part[] {
    const passed = this.#pending.splice(0, this.#countUpTo(sequenceMax));
    this.#appliedSequence = passed.at(-1)?.sequence ?? this.#appliedSequence;
    return passed;
  }

  /** Those that wait are in order, and mostly all are meant, or all but the newest. */
  #countUpTo(sequenceMax: number): number {
    return this.#pending.findLastIndex(({ sequence }) => sequence <= sequenceMax) + 1;
  }

  /** In order; halves are tried until those that the database refuses stand alone. */
  async #commit(records: readonly Part[]): Promise<void> {
    const [first] = records;
    if (!first) return;
    try {
      await this.#advance(records, records.at(-1)?.sequence ?? first.sequence);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (records.length === 1) return await this.#reject(first, error);
      const half = records.length >> 1;
      await this.#commit(records.slice(0, half));
      await this.#commit(records.slice(half));
    }
  }

  async #reject(record: Part, error: StoreError): Promise<void> {
    await this.#needs.setAside(record, error);
    await this.#advance([], record.sequence);
  }

  async #advance(records: readonly Part[], sequence: number): Promise<void> {
    const advance = { sql: "update journal_state set sequence = ?", parameters: [sequence] };
    await this.#needs.commit(records, advance);
    this.#appliedSequence = sequence;
  }
}

function isRefusal(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.kind === "constraint" || error.kind === "conflict");
}
