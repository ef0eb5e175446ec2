// The parts of the money core that a simulation runs. The genuine ones are here; mutants swap one.
import { Balances } from "../../src/quota/balances.ts";
import {
  Ledger,
  type JournalWrite,
  type LedgerLimits,
  type LedgerPorts,
} from "../../src/quota/ledger.ts";
import { ledgerSteps } from "../../src/quota/queries.ts";
import { recover } from "../../src/quota/recover.ts";
import type { Program, Store } from "../../src/store/store.ts";

export type Write = (batch: JournalWrite) => Promise<unknown>;

export interface Build {
  program: Program;
  createLedger(ports: LedgerPorts, limits: LedgerLimits): Ledger;
  createBalances(store: Store): Pick<Balances, "account" | "key">;
  /** What stands between the ledger and its journal; the genuine build has nothing there. */
  wrapJournal(write: Write): Write;
  recover(store: Store, nowMs: number): Promise<number>;
}

export const genuine: Build = {
  program: ledgerSteps,
  createLedger: (ports, limits) => new Ledger(ports, limits),
  createBalances: (store) => new Balances(store),
  wrapJournal: (write) => write,
  recover,
};
