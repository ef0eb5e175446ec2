// The journal of a data folder. A record is kept from the moment it is appended, by one short write
// into the page cache; the thread that owns the database takes records over in large synced
// commits. Two files take turns, so that one can be emptied while the other is written.
import { join } from "node:path";
import type { Timers } from "../../core/clock.ts";
import { StoreError, type ProgramRun, type Row, type Statement } from "../store.ts";
import { JournalFile, readJournal } from "./journal-file.ts";
import { toStoreError } from "./store-error.ts";

/** The database behind the journal: everything in one transaction, synced. */
export interface JournalDatabase {
  commit(runs: readonly ProgramRun[], statements: readonly Statement[]): Promise<Row[][]>;
}

export interface JournalOptions {
  folder: string;
  database: JournalDatabase;
  /** The last record that the database already has. */
  appliedSequence: number;
  timers: Timers;
}

const fileNames = ["journal-a.log", "journal-b.log"] as const;
const applyDelayMs = 100;
const syncDelayMs = 20;
/** Records that may wait for the database before new ones are refused. */
const pendingMax = 100_000;

export class Journal {
  readonly #database: JournalDatabase;
  readonly #timers: Timers;
  readonly #files: readonly [JournalFile, JournalFile];
  #active: JournalFile;
  #sequence: number;
  #pending: ProgramRun[] = [];
  /** Commits run one after the other: a later one must never overtake records that failed. */
  #turn: Promise<unknown> = Promise.resolve();
  #isApplyDue = false;
  #isSyncDue = false;

  private constructor({ folder, database, appliedSequence, timers }: JournalOptions) {
    this.#database = database;
    this.#timers = timers;
    this.#sequence = appliedSequence;
    const [first, second] = fileNames.map((name) => new JournalFile(join(folder, name)));
    if (!first || !second) throw new StoreError("other", "the journal has two files");
    this.#files = [first, second];
    this.#active = first;
  }

  /** Opens the journal and brings the database up to it. */
  static async open(options: JournalOptions): Promise<Journal> {
    const left = fileNames
      .flatMap((name) => readJournal(join(options.folder, name)))
      .filter(({ sequence }) => sequence > options.appliedSequence)
      .toSorted((a, b) => a.sequence - b.sequence);
    const journal = new Journal(options);
    for (const { sequence, run } of left) {
      journal.#sequence = sequence;
      journal.#pending.push(run);
    }
    await journal.apply();
    for (const file of journal.#files) file.clear();
    return journal;
  }

  /** Resolves when the record survives the death of the process, or with sync a loss of power. */
  async append(run: ProgramRun, sync: boolean): Promise<void> {
    if (this.#pending.length >= pendingMax) {
      throw new StoreError("full", "the database does not take records over");
    }
    const file = this.#active;
    try {
      file.append({ sequence: this.#sequence + 1, run });
    } catch (error) {
      throw toStoreError(error);
    }
    this.#sequence++;
    this.#pending.push(run);
    this.#applySoon();
    if (sync) await file.sync();
    else this.#syncSoon(file);
  }

  /** Commits statements, behind everything appended before. */
  async commit(statements: readonly Statement[], run?: ProgramRun): Promise<Row[][]> {
    return await this.#inTurn(async () => {
      await this.#applyPending();
      return await this.#database.commit(run ? [run] : [], statements);
    });
  }

  /** Makes the database show everything that was appended. */
  async apply(): Promise<void> {
    await this.#inTurn(() => this.#applyPending());
  }

  async close(): Promise<void> {
    await this.apply();
    for (const file of this.#files) file.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #applyPending(): Promise<void> {
    if (this.#pending.length === 0) return;
    const runs = this.#pending;
    const sequence = this.#sequence;
    this.#pending = [];
    const spare = this.#files.find((file) => file.bytes === 0);
    if (spare) this.#active = spare;
    const advance = { sql: "update journal_state set sequence = ?", parameters: [sequence] };
    try {
      await this.#database.commit(runs, [advance]);
    } catch (error) {
      this.#pending = [...runs, ...this.#pending];
      throw error;
    }
    for (const file of this.#files) if (file.lastSequence <= sequence) file.clear();
  }

  #applySoon(): void {
    if (this.#isApplyDue) return;
    this.#isApplyDue = true;
    this.#timers.after(applyDelayMs, () => {
      this.#isApplyDue = false;
      // A database that refuses is asked again; the records are safe in their files.
      this.apply().catch(() => this.#applySoon());
    });
  }

  #syncSoon(file: JournalFile): void {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    this.#timers.after(syncDelayMs, () => {
      this.#isSyncDue = false;
      // A disk that cannot sync shows at the next append, which is answered.
      file.sync().catch(() => {});
    });
  }
}
