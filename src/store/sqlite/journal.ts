// The write side of the main database: records are appended to the journal file and answered at
// once; a moment later they are taken over into the database together, in one synced commit.
// Anything else that writes goes through the same commit, behind the records before it.
import { existsSync } from "node:fs";
import { systemTimers } from "../../core/clock.ts";
import type { Program, ProgramRun, Row, Statement } from "../store.ts";
import { Connection } from "./connection.ts";
import { JournalFile, readJournal } from "./journal-file.ts";

export interface JournalOptions {
  databasePath: string;
  journalPath: string;
  programs: Readonly<Record<string, Program>>;
  versions: readonly (readonly string[])[];
}

const applyDelayMs = 100;
const syncDelayMs = 20;
const pendingMax = 4096;
const readApplied: Statement = { sql: "select sequence from journal_state", parameters: [] };

export class Journal {
  readonly #connection: Connection;
  readonly #file: JournalFile;
  #sequence = 0;
  #pending: ProgramRun[] = [];
  #isApplyDue = false;
  #isSyncDue = false;

  constructor({ databasePath, journalPath, programs, versions }: JournalOptions) {
    this.#connection = new Connection({ path: databasePath, programs });
    this.#connection.migrate(versions);
    this.#sequence = Number(this.#connection.all(readApplied)[0]?.["sequence"]);
    const left = existsSync(journalPath) ? readJournal(journalPath) : [];
    this.#file = new JournalFile(journalPath);
    for (const { sequence, run } of left) {
      if (sequence <= this.#sequence) continue;
      this.#sequence = sequence;
      this.#pending.push(run);
    }
    this.#apply([]);
  }

  /** Answers when the record survives the death of the process, or with sync a loss of power. */
  async append(run: ProgramRun, sync: boolean): Promise<void> {
    if (this.#pending.length >= pendingMax) this.apply();
    this.#file.append({ sequence: this.#sequence + 1, run });
    this.#sequence++;
    this.#pending.push(run);
    this.#applySoon();
    if (sync) await this.#file.sync();
    else this.#syncSoon();
  }

  /** Commits at once, behind everything appended before. */
  commit(run: ProgramRun | undefined, statements: readonly Statement[]): Row[][] {
    return this.#apply(statements, run);
  }

  /** Makes the database show everything that was appended. */
  apply(): void {
    if (this.#pending.length > 0) this.#apply([]);
  }

  close(): void {
    this.apply();
    this.#file.close();
    this.#connection.close();
  }

  #apply(statements: readonly Statement[], run?: ProgramRun): Row[][] {
    const runs = run ? [...this.#pending, run] : this.#pending;
    const advance: Statement = {
      sql: "update journal_state set sequence = ?",
      parameters: [this.#sequence],
    };
    const rows = this.#connection.commit(runs, [...statements, advance], true);
    this.#pending = [];
    // The commit was synced, so the records are no longer needed.
    if (this.#file.bytes > 0) this.#file.clear();
    return rows.slice(0, statements.length);
  }

  #applySoon(): void {
    if (this.#isApplyDue) return;
    this.#isApplyDue = true;
    systemTimers.after(applyDelayMs, () => {
      this.#isApplyDue = false;
      try {
        this.apply();
      } catch {
        // The records are safe in the file; appending applies first once too many wait.
        this.#applySoon();
      }
    });
  }

  #syncSoon(): void {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    systemTimers.after(syncDelayMs, () => {
      this.#isSyncDue = false;
      // A disk that cannot sync shows at the next append, which is answered.
      this.#file.sync().catch(() => {});
    });
  }
}
