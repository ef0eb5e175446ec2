// The ledger of one node among others, which share a database. Loaded only where there is one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { GatewayError } from "../../core/errors.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Micros } from "../../core/money.ts";
import { systemRandom } from "../../core/random.ts";
import { Batch } from "../../quota/batch.ts";
import { ClusterLedger } from "../../quota/cluster/cluster-ledger.ts";
import { RoundTaker } from "../../quota/cluster/round-taker.ts";
import { Reaper } from "../../quota/cluster/reaper.ts";
import type { Grant } from "../../quota/ledger.ts";
import { ledgerProgram } from "../../quota/queries.ts";
import { toGrantRow } from "../../quota/rows.ts";
import { StoreError, type Store } from "../../store/store.ts";
import type { CommitRounds } from "../../store/turns.ts";
import type { Base } from "../base.ts";
import type { Bookkeeping } from "../ledger.ts";
import { selfOf } from "./self.ts";

/** A node stops acting a fifth of its lease before others may call it dead. */
const marginShare = 5;
/** CommitRounds come each second also where nothing happens; so much later they are missed. */
const missedMs = 2000;

export function createCluster(config: Config, base: Base, turns: CommitRounds): Bookkeeping {
  const { journal } = config;
  const { store, log, obstacles, clock, machine } = base;
  const nodeFile = nodeFileOf(config);
  const { timers, soon } = machine;
  const taker = createTaker(config, base, turns);
  const ledger = new ClusterLedger(
    {
      taker,
      clock,
      timers,
      soon,
      bookGrant: (grant, moved, nowMs) => bookGrant(store, grant, moved, nowMs),
      fenced({ reason, message }) {
        log.error("others have called this node dead", { reason, error: message });
        if (reason === "history_lost") obstacles.add("the database has lost some of its history");
      },
    },
    journal,
  );
  turns.hearRecalls((subject) => ledger.slices.recall(subject));
  return {
    ledger,
    slices: ledger.slices,
    parts: () => ({
      database: taker.silentMs > journal.stallMs + missedMs ? "the database does not answer" : null,
      lease: taker.isHeld ? null : "this node's lease has run out",
    }),
    nodes: async () => ({ hereId: taker.nodeId, rows: await turns.list() }),
    standing: {
      leaseMs: () => taker.leaseMs,
      fences: () => ledger.fences,
      nodeId: () => taker.nodeId,
    },
    leave() {
      turns.announceLeaving(taker.nodeId).catch((error: unknown) => {
        log.warn("the other nodes do not know that this one goes", { error: describe(error) });
      });
    },
    async begin(recovery) {
      // The lock of the data folder proves that whoever had it before is dead.
      if (existsSync(nodeFile)) await turns.leave(readFileSync(nodeFile, "utf8"));
      await taker.join();
      const reaper = new Reaper({
        turns,
        taker,
        clock,
        timers,
        toRecords: recovery.toRecords,
        reaped: (nodes) => log.warn("nodes are dead", { nodes: nodes.join(" ") }),
        faulted: (error) => noteFault(log, error),
      });
      // A node silent otherwise has a whole lease of a steady database to be heard.
      await reaper.fold();
    },
    async close() {
      await ledger.close();
      await turns.leave(taker.nodeId).catch(() => {});
    },
  };
}

/** File in which a node writes down which one it is, for whoever has its folder next. */
const nodeFileOf = ({ dataFolder }: Config) => join(dataFolder, "node");

function createTaker(
  config: Config,
  { log, clock, machine }: Pick<Base, "log" | "clock" | "machine">,
  turns: CommitRounds,
): RoundTaker {
  const { leaseMs: ttlMs } = config.journal;
  return new RoundTaker(
    {
      turns,
      clock,
      timers: machine.timers,
      self: selfOf(config),
      newNodeId() {
        const id = `node_${systemRandom.bytes(12).toHex()}`;
        writeFileSync(nodeFileOf(config), id, { mode: 0o600 });
        return id;
      },
      faulted: (error) => log.warn("a turn is sent again", { error: describe(error) }),
    },
    { ttlMs, marginMs: ttlMs / marginShare },
  );
}

function noteFault(log: Log, error: unknown): void {
  log.warn("what dead nodes had cannot be given back yet", { error: describe(error) });
}

/** A commit of its own: whether its id is taken, nobody knows but the database. */
async function bookGrant(store: Store, grant: Grant, moved: Micros, nowMs: number): Promise<void> {
  const batch = new Batch();
  batch.moveGranted(grant.account.id, moved);
  batch.addEntry(toGrantRow(grant, moved, nowMs));
  for (const row of grant.joined?.(moved) ?? []) batch.join(row);
  try {
    await store.commit({ run: { program: ledgerProgram, document: batch.document() } });
  } catch (error) {
    const isTaken = error instanceof StoreError && /^(?:constraint|conflict)$/.test(error.kind);
    if (!isTaken) throw error;
    throw new GatewayError("conflict", { param: "id", message: "This id is booked already." });
  }
}
