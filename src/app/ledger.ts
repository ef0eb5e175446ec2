// The ledger, here of a process that has the database to itself.
import type { Config } from "../config/config.ts";
import { describe } from "../core/log.ts";
import type { NodesSeen } from "../admin/node/list.ts";
import type { Slices } from "../quota/cluster/slices.ts";
import type { Ledger } from "../quota/ledger.ts";
import { ledgerProgram } from "../quota/queries.ts";
import type { RecoverNeeds } from "../quota/recover.ts";
import { SoleLedger } from "../quota/sole-ledger.ts";
import type { Base } from "./base.ts";
import { aloneWith, type NodeStanding } from "./nodes/self.ts";

export interface Bookkeeping {
  ledger: Ledger;
  /** Slices that this node was lent; undefined where all there is is its own. */
  slices?: Slices;
  /** Parts that paid work needs, by name, and the trouble of each. */
  parts(): Record<string, string | null>;
  /** All nodes that are known, the one of this process with them. */
  nodes(): Promise<NodesSeen>;
  /** This node's standing with the others; undefined where there can be none. */
  standing?: NodeStanding;
  /** To be awaited before anything is served. */
  begin(recovery: RecoverNeeds): Promise<void>;
  /** Others may know that this node goes. */
  leave(): void;
  /** Once nothing is decided any more. */
  close(): Promise<void>;
}

export function createSole(config: Config, base: Base): Bookkeeping {
  const { journal } = config;
  const { store, log, machine } = base;
  const { clock, timers, soon } = machine;
  const ledger = new SoleLedger(
    {
      write: ({ document, logged, sync }) =>
        store.append({ program: ledgerProgram, document, logged }, sync ? "synced" : "written"),
      clock,
      timers,
      soon,
      faulted: (error) => log.error("the journal cannot write", { error: describe(error) }),
    },
    journal,
  );
  const startedAtMs = clock.nowMs();
  return {
    ledger,
    parts: () => ({ journal: ledger.isFaulted ? "the journal cannot write" : null }),
    nodes: async () => aloneWith(config, base, startedAtMs),
    begin: async () => {},
    leave: () => {},
    close: async () => {
      await ledger.settled();
    },
  };
}
