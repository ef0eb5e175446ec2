// The parts of the money core that a simulation runs. The genuine ones are here; mutants swap one.
import { Balances } from "../../src/quota/balances.ts";
import type { LedgerLimits } from "../../src/quota/ledger.ts";
import { ledgerSteps } from "../../src/quota/queries.ts";
import { recover } from "../../src/quota/recover.ts";
import {
  SoleLedger,
  type JournalWrite,
  type SoleLedgerNeeds,
} from "../../src/quota/sole-ledger.ts";
import { createDatabase } from "../../src/store/database.ts";
import type { DiskFolder } from "../../src/store/sqlite/disk-file.ts";
import type { JournalDatabase } from "../../src/store/sqlite/journal.ts";
import type { JournalLog } from "../../src/store/sqlite/log-taker.ts";
import type { Program } from "../../src/store/step.ts";
import type { Store } from "../../src/store/store.ts";

export type Write = (batch: JournalWrite) => Promise<unknown>;

export interface Build {
  program: Program;
  createLedger(ports: SoleLedgerNeeds, limits: LedgerLimits): SoleLedger;
  createBalances(
    store: Store,
    ledger: SoleLedger,
    countMax: number,
  ): Pick<Balances, "account" | "key" | "wallet">;
  /** Layer between the ledger and its journal; the genuine build has nothing there. */
  wrapJournal(write: Write): Write;
  /** And between the journal and its files. */
  wrapFolder(folder: DiskFolder): DiskFolder;
  /** And between the journal and its database. */
  wrapDatabase(database: JournalDatabase): JournalDatabase;
  /** And between the journal and the log. */
  wrapLog(log: Pick<JournalLog, "commit">): Pick<JournalLog, "commit">;
  recover(store: Store, nowMs: number): Promise<number>;
}

export const genuine: Build = {
  program: ledgerSteps,
  createLedger: (ports, limits) => new SoleLedger(ports, limits),
  createBalances: (store, ledger, countMax) =>
    new Balances({ database: createDatabase(store), store, ledger, countMax }),
  wrapJournal: (write) => write,
  wrapFolder: (folder) => folder,
  wrapDatabase: (database) => database,
  wrapLog: (log) => log,
  recover: (store, nowMs) =>
    recover({ store, database: createDatabase(store), toRecords: async () => [] }, nowMs),
};
