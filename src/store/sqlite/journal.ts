// The journal of a data folder. A record is kept from the moment it is appended, by one short write
// into the page cache; the thread that owns the databases takes records over in large synced
// commits, first the main one, then the log. Two files take turns, so that one can be emptied, once
// both have what is in it, while the other is written.
import { sleep, type Timers } from "../../core/clock.ts";
import { StoreError, type ProgramRun, type Row, type Statement } from "../store.ts";
import type { DiskFolder } from "./disk-file.ts";
import { JournalFile } from "./journal-file.ts";
import { damageOf, type JournalRecord } from "./journal-line.ts";
import { LogTaker, type JournalLog } from "./log-taker.ts";
import { RejectedRecords } from "./rejected-records.ts";
import { toStoreError } from "./store-error.ts";
import { Taker } from "./taker.ts";

/** The database behind the journal: everything in one transaction, synced. */
export interface JournalDatabase {
  commit(runs: readonly ProgramRun[], statements: readonly Statement[]): Promise<Row[][]>;
}

interface JournalNeeds {
  folder: DiskFolder;
  database: JournalDatabase;
  log: JournalLog;
  /** The last record that the database already has. */
  appliedSequence: number;
  timers: Timers;
  /** Told of a run that the database does not take; it is kept aside, and all others go on. */
  rejected(run: ProgramRun, error: StoreError): void;
  /** Told of a run that power has left without those before it; it is kept aside as well. */
  orphaned(run: ProgramRun): void;
  /** Told of a whole line that was damaged after it was written; it is kept aside as well. */
  damaged(error: StoreError): void;
}

export const journalFileNames = ["journal-a.log", "journal-b.log"] as const;
const applyDelayMs = 250;
/** With more at once each costs less, but on a busy gateway what waits takes memory: 20 MB more. */
const applyCharacters = 256 * 1024;
const syncDelayMs = 20;
const retryDelayMs = 100;
/** Records that may wait for the database before new ones are refused. */
const pendingMax = 100_000;

export class Journal {
  readonly #needs: JournalNeeds;
  readonly #files: readonly [JournalFile, JournalFile];
  readonly #rejected: RejectedRecords;
  readonly #main: Taker<JournalRecord>;
  readonly #log: LogTaker;
  #active: JournalFile;
  #sequence: number;
  /** Commits run one after the other: a later one must never overtake records that failed. */
  #turn: Promise<unknown> = Promise.resolve();
  #isApplyDue = false;
  /** Characters appended since the database was last asked to take them over. */
  #gatheredCharacters = 0;
  #isSyncDue = false;
  #isClosed = false;

  private constructor(needs: JournalNeeds) {
    const { folder, database, log, timers, appliedSequence } = needs;
    this.#needs = needs;
    this.#sequence = appliedSequence;
    this.#rejected = new RejectedRecords(folder);
    this.#main = new Taker({
      appliedSequence,
      commit: (records, advance) =>
        database.commit(
          records.map(({ run: { program, document } }) => ({ program, document })),
          [advance],
        ),
      setAside: (record, error) => this.#reject(record, error),
    });
    this.#log = new LogTaker({
      log,
      timers,
      mainSequence: () => this.#main.appliedSequence,
      taken: () => this.#clearFiles(),
    });
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
    if (this.#main.pendingCount >= pendingMax) {
      throw new StoreError("full", "the database does not take records over");
    }
    const record = { sequence: this.#sequence + 1, run };
    try {
      this.#active.append(record);
    } catch (error) {
      throw toStoreError(error);
    }
    this.#sequence++;
    this.#add(record);
    this.#gatheredCharacters += run.document.length;
    if (this.#gatheredCharacters < applyCharacters) this.#applySoon();
    else this.#applyNow();
    if (sync) await this.#makeSafe(record.sequence);
    else this.#syncSoon();
  }

  /** Commits statements, behind everything appended before. */
  async commit(statements: readonly Statement[], run?: ProgramRun): Promise<Row[][]> {
    return await this.#exclusively(async () => {
      await this.#applyPending();
      return await this.#needs.database.commit(run ? [run] : [], statements);
    });
  }

  /** Makes the database show everything that was appended. */
  async apply(): Promise<void> {
    await this.#exclusively(() => this.#applyPending());
  }

  /** Makes the log show it as well, if it can be written. */
  async applyLog(): Promise<void> {
    await this.apply();
    await this.#log.take();
  }

  async close(): Promise<void> {
    try {
      await this.applyLog();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#isClosed = true;
    this.#log.close();
    this.#rejected.close();
    for (const file of this.#files) file.close();
  }

  /** Applies what the last process left behind and starts with empty files. */
  async #takeOver(): Promise<void> {
    const left = this.#files.map((file) => file.read());
    const leftBehind = left
      .flatMap(({ records }) => records)
      .toSorted((one, other) => one.sequence - other.sequence);
    const appliedSequence = this.#main.appliedSequence;
    let hasGap = await this.#keepDamaged(left);
    for (const record of leftBehind) {
      if (record.sequence <= appliedSequence) {
        this.#addLogged(record);
      } else if (record.sequence === this.#sequence + 1) {
        this.#sequence++;
        this.#add(record);
      } else {
        hasGap = true;
        // Power was lost, and took what came before this one. Without that it makes no sense.
        await this.#rejected.keep(record);
        this.#needs.orphaned(record.run);
      }
    }
    await this.applyLog();
    // A log that cannot be written now finds its records in the files, also at the next start.
    const isLogBehind = this.#log.doneSequence < this.#sequence;
    if (isLogBehind && !hasGap) return this.#goOnWriting();
    if (isLogBehind) this.#log.passBy(new StoreError("other", "the log could not be written"));
    // Numbers beyond the gap are given anew, so what is dropped here must not come back.
    for (const file of this.#files) {
      file.clear();
      await file.sync();
    }
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #applyPending(): Promise<void> {
    this.#gatheredCharacters = 0;
    if (this.#main.pendingCount === 0) return;
    const spare = this.#files.find((file) => file.bytes === 0);
    // A torn end may be a whole record without its end, whose number is about to be used again.
    if (spare && !this.#active.isTorn) this.#active = spare;
    // Records in the main database, a loss of power must not take from the log: so it takes no more
    // than was synced. A file that cannot be synced holds up no money.
    const sequence = this.#sequence;
    await this.#sync().catch(() => {});
    try {
      await this.#main.take(sequence);
    } finally {
      this.#log.takeSoon();
      this.#clearFiles();
    }
  }

  /** The newer file goes on where it ends. */
  #goOnWriting(): void {
    const [first, second] = this.#files;
    this.#active = second.lastSequence > first.lastSequence ? second : first;
  }

  /** Whether there was anything: its number is given anew, too. */
  async #keepDamaged(left: readonly ReturnType<JournalFile["read"]>[]): Promise<boolean> {
    for (const { records, damaged } of left) {
      for (const [at, line] of damaged.entries()) {
        await this.#rejected.keepDamaged(line);
        this.#needs.damaged(damageOf(records.length + at + 1));
      }
    }
    return left.some(({ damaged }) => damaged.length > 0);
  }

  async #reject(record: JournalRecord, error: StoreError): Promise<void> {
    await this.#rejected.keep(record);
    this.#log.leaveOut(record.sequence);
    // Told before it is passed by: rather twice than never.
    this.#needs.rejected(record.run, error);
  }

  #add(record: JournalRecord): void {
    this.#main.add(record);
    this.#log.add(record.sequence, record.run.logged);
  }

  /** Add the part that the log has not got of a record that the main database has passed. */
  #addLogged(record: JournalRecord): void {
    const { sequence, run } = record;
    if (sequence <= this.#log.appliedSequence) return;
    this.#log.add(sequence, this.#rejected.has(record) ? undefined : run.logged);
  }

  #clearFiles(): void {
    if (this.#isClosed) return;
    const appliedSequence = Math.min(this.#main.appliedSequence, this.#log.doneSequence);
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
    while (this.#main.appliedSequence < sequence) {
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

  /**
   * The older file first: a record is worth nothing without those before it. One that was emptied
   * may come back: what was in it is applied.
   */
  async #sync(): Promise<void> {
    const active = this.#active;
    const older = this.#files.find((file) => file !== active);
    for (const file of [older, active]) if (file && file.bytes > 0) await file.sync();
  }

  #applySoon(): void {
    if (this.#isApplyDue) return;
    this.#isApplyDue = true;
    this.#needs.timers.after(applyDelayMs, () => {
      this.#isApplyDue = false;
      if (!this.#isClosed) this.#applyNow();
    });
  }

  #applyNow(): void {
    // Records appended until it is its turn go along, and ask for no second one.
    this.#gatheredCharacters = 0;
    // A database that refuses is asked again; the records are safe in their files.
    this.apply().catch(() => this.#applySoon());
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
