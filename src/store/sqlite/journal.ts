// The journal of a data folder. A record is kept from the moment it is appended, by one short write
// into the page cache; the thread that owns the database takes records over in large synced
// commits. Two files take turns, so that one can be emptied while the other is written.
import { sleep, type Timers } from "../../core/clock.ts";
import { StoreError, type ProgramRun, type Row, type Statement } from "../store.ts";
import type { DiskFolder } from "./disk-file.ts";
import { JournalFile, type JournalRecord } from "./journal-file.ts";
import { RejectedRecords } from "./rejected-records.ts";
import { toStoreError } from "./store-error.ts";

/** The database behind the journal: everything in one transaction, synced. */
export interface JournalDatabase {
  commit(runs: readonly ProgramRun[], statements: readonly Statement[]): Promise<Row[][]>;
}

interface JournalNeeds {
  folder: DiskFolder;
  database: JournalDatabase;
  /** The last record that the database already has. */
  appliedSequence: number;
  timers: Timers;
  /** Told of a run that the database does not take; it is kept aside, and all others go on. */
  rejected(run: ProgramRun, error: StoreError): void;
}

export const journalFileNames = ["journal-a.log", "journal-b.log"] as const;
const applyDelayMs = 250;
const syncDelayMs = 20;
const retryDelayMs = 100;
/** Records that may wait for the database before new ones are refused. */
const pendingMax = 100_000;

export class Journal {
  readonly #needs: JournalNeeds;
  readonly #files: readonly [JournalFile, JournalFile];
  readonly #rejected: RejectedRecords;
  #active: JournalFile;
  #sequence: number;
  #appliedSequence: number;
  #pending: JournalRecord[] = [];
  /** Commits run one after the other: a later one must never overtake records that failed. */
  #turn: Promise<unknown> = Promise.resolve();
  #isApplyDue = false;
  #isSyncDue = false;
  #isClosed = false;

  private constructor(needs: JournalNeeds) {
    const { folder, appliedSequence } = needs;
    this.#needs = needs;
    this.#sequence = appliedSequence;
    this.#appliedSequence = appliedSequence;
    this.#rejected = new RejectedRecords(folder);
    const [first, second] = journalFileNames;
    this.#files = [new JournalFile(folder.open(first)), new JournalFile(folder.open(second))];
    this.#active = this.#files[0];
  }

  /** Opens the journal and brings the database up to it. */
  static async open(needs: JournalNeeds): Promise<Journal> {
    const journal = new Journal(needs);
    try {
      await journal.#takeOver();
      return journal;
    } catch (error) {
      journal.#end();
      throw toStoreError(error);
    }
  }

  /** Resolves when the record survives the death of the process, or with sync a loss of power. */
  async append(run: ProgramRun, sync: boolean): Promise<void> {
    if (this.#isClosed) throw new StoreError("closed", "the journal is closed");
    if (this.#pending.length >= pendingMax) {
      throw new StoreError("full", "the database does not take records over");
    }
    const record = { sequence: this.#sequence + 1, run };
    try {
      this.#active.append(record);
    } catch (error) {
      throw toStoreError(error);
    }
    this.#sequence++;
    this.#pending.push(record);
    this.#applySoon();
    if (sync) await this.#makeSafe(record.sequence);
    else this.#syncSoon();
  }

  /** Commits statements, behind everything appended before. */
  async commit(statements: readonly Statement[], run?: ProgramRun): Promise<Row[][]> {
    return await this.#inTurn(async () => {
      await this.#applyPending();
      return await this.#needs.database.commit(run ? [run] : [], statements);
    });
  }

  /** Makes the database show everything that was appended. */
  async apply(): Promise<void> {
    await this.#inTurn(() => this.#applyPending());
  }

  async close(): Promise<void> {
    try {
      await this.apply();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#isClosed = true;
    this.#rejected.close();
    for (const file of this.#files) file.close();
  }

  /** Applies what the last process left behind and starts with empty files. */
  async #takeOver(): Promise<void> {
    const found = this.#files
      .flatMap((file) => file.read())
      .filter(({ sequence }) => sequence > this.#appliedSequence)
      .toSorted((one, other) => one.sequence - other.sequence);
    for (const record of found) {
      if (record.sequence === this.#sequence + 1) {
        this.#sequence++;
        this.#pending.push(record);
      } else {
        // Power was lost, and took what came before this one. Without that it makes no sense.
        await this.#rejected.keep(record);
        this.#needs.rejected(record.run, new StoreError("other", "the record before is lost"));
      }
    }
    await this.apply();
    // Numbers beyond the gap are given anew, so what is dropped here must not come back.
    for (const file of this.#files) {
      file.clear();
      await file.sync();
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #applyPending(): Promise<void> {
    if (this.#pending.length === 0) return;
    const spare = this.#files.find((file) => file.bytes === 0);
    // What is torn may be a whole record without its end, whose number is about to be used again.
    if (spare && !this.#active.isTorn) this.#active = spare;
    try {
      await this.#commitRecords([...this.#pending]);
    } finally {
      this.#dropApplied();
    }
  }

  /** In order; halves are tried until those that the database refuses stand alone. */
  async #commitRecords(records: readonly JournalRecord[]): Promise<void> {
    const [first] = records;
    if (!first) return;
    const runs = records.map(({ run }) => run);
    const sequence = records.at(-1)?.sequence ?? first.sequence;
    try {
      await this.#advance(runs, sequence);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (records.length === 1) return await this.#reject(first, error);
      const half = records.length >> 1;
      await this.#commitRecords(records.slice(0, half));
      await this.#commitRecords(records.slice(half));
    }
  }

  async #reject(record: JournalRecord, error: StoreError): Promise<void> {
    await this.#rejected.keep(record);
    // Told before it is passed by: rather twice than never.
    this.#needs.rejected(record.run, error);
    await this.#advance([], record.sequence);
  }

  async #advance(runs: readonly ProgramRun[], sequence: number): Promise<void> {
    const advance = { sql: "update journal_state set sequence = ?", parameters: [sequence] };
    await this.#needs.database.commit(runs, [advance]);
    this.#appliedSequence = sequence;
  }

  #dropApplied(): void {
    const appliedSequence = this.#appliedSequence;
    this.#pending = this.#pending.filter(({ sequence }) => sequence > appliedSequence);
    for (const file of this.#files) {
      if (file.lastSequence > appliedSequence) continue;
      try {
        file.clear();
      } catch {
        // It is emptied next time; what is in it is known to be applied.
      }
    }
  }

  /** A record that is in its file is never refused: its sender would write it a second time. */
  async #makeSafe(sequence: number): Promise<void> {
    while (this.#appliedSequence < sequence) {
      if (this.#isClosed) throw new StoreError("closed", "the journal is closed");
      try {
        return await this.#sync();
      } catch {
        // The database syncs in its own file, so it is the other way.
      }
      try {
        return await this.apply();
      } catch {
        await sleep(this.#needs.timers, retryDelayMs);
      }
    }
  }

  /** The older file first: a record is worth nothing without those before it. */
  async #sync(): Promise<void> {
    const active = this.#active;
    for (const file of this.#files) if (file !== active && file.bytes > 0) await file.sync();
    await active.sync();
  }

  #applySoon(): void {
    if (this.#isApplyDue) return;
    this.#isApplyDue = true;
    this.#needs.timers.after(applyDelayMs, () => {
      this.#isApplyDue = false;
      if (this.#isClosed) return;
      // A database that refuses is asked again; the records are safe in their files.
      this.apply().catch(() => this.#applySoon());
    });
  }

  #syncSoon(): void {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    this.#needs.timers.after(syncDelayMs, () => {
      this.#isSyncDue = false;
      // Nobody was promised more than that it is written, and the database will sync it.
      this.#sync().catch(() => {});
    });
  }
}

function isRefusal(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.kind === "constraint" || error.kind === "conflict");
}
