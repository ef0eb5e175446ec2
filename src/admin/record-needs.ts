// Needs of the verbs that only read what has happened: logs, sums, tasks, callbacks.
import type { Clock } from "../core/clock.ts";
import type { Channels } from "../distribution/channels.ts";
import type { FacetMemory } from "../observe/facets/read.ts";
import type { Ledger } from "../quota/ledger.ts";
import type { Database } from "../store/database.ts";
import type { Store } from "../store/store.ts";

export interface RecordNeeds {
  store: Store;
  database: Database;
  clock: Clock;
  channels: Channels;
  ledger: Pick<Ledger, "settled">;
  facetMemory: FacetMemory;
}

/** Resolves when the log shows all that was answered before. */
export async function awaitLog({ ledger, store }: Pick<RecordNeeds, "ledger" | "store">) {
  await ledger.settled();
  await store.logApplied();
}
