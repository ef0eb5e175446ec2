// Parts that the book of tasks works with, and its news of a task's end.
import type { Clock } from "../core/clock.ts";
import type { ChannelId, TaskId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { Log } from "../core/log.ts";
import type { Micros } from "../core/money.ts";
import type { AttemptNote } from "../observe/attempt-note.ts";
import type { Balances } from "../quota/balances.ts";
import type { Ledger } from "../quota/ledger.ts";
import type { Whereabouts } from "../quota/losses.ts";
import type { Database } from "../store/database.ts";
import type { ListedRow } from "../store/step.ts";
import type { Store } from "../store/store.ts";
import type { Lease } from "./lease.ts";
import type { Task, TaskCounts } from "./task.ts";

export interface BookNeeds {
  ledger: Ledger;
  balances: Balances;
  database: Database;
  store: Store;
  clock: Clock;
  log: Log;
  lease: Lease;
  /** The body of the task's callback. */
  tell(task: Task): JsonObject;
  /** Told of each change once it is safe. */
  changed(task: Task): void;
  /** Told of a task that another node has now. */
  forgot(id: TaskId): void;
  /** Null where it is gone. */
  findChannel?(id: ChannelId): Whereabouts["channel"];
  /** Looks up what the record of its end needs; nothing is recorded without it. */
  prepareRecord?(task: Task): Promise<RecordTask>;
}

/** The record of a task's end, for the log. */
export type RecordTask = (task: Task, settlement: Settlement) => readonly ListedRow[];

export interface Charge {
  micros: Micros;
  usage: string;
  counts?: TaskCounts;
}

export interface Settlement {
  /** The charge. */
  micros: Micros;
  counts: TaskCounts;
  /** The moment of its entry in the ledger. */
  atMs: number;
  failedChannels: readonly ChannelId[];
  trail: readonly AttemptNote[];
}
