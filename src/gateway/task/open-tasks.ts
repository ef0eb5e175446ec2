// Puts the parts that all tasks share together, as configured. Each kind of task adds itself.
import type { Config } from "../../config/config.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Random } from "../../core/random.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Media } from "../../media/open-media.ts";
import type { Balances } from "../../quota/balances.ts";
import type { Ledger } from "../../quota/ledger.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { TaskBook } from "../../tasks/book.ts";
import { TaskEngine } from "../../tasks/engine.ts";
import type { Lease } from "../../tasks/lease.ts";
import { isTerminal } from "../../tasks/task.ts";
import { deleteDeliveries } from "../../tasks/webhooks/queries.ts";
import type { WebhookSecrets } from "../../tasks/webhooks/secrets.ts";
import { Webhooks } from "../../tasks/webhooks/webhooks.ts";
import { TaskEvents } from "./events.ts";
import { Creates } from "./idempotency.ts";
import { TaskKinds } from "./kinds.ts";
import { TaskPlaces } from "./places.ts";
import { TaskRecorder, type TaskRecorderParts } from "./record-task.ts";

export interface TaskNeeds {
  config: Pick<Config, "tasks">;
  store: Store;
  database: Database;
  ledger: Ledger;
  lease: Lease;
  balances: Balances;
  channels: Channels;
  clock: Clock;
  timers: Timers;
  random: Random;
  log: Log;
  media: Media;
  usageLog: TaskRecorderParts["usageLog"];
  metrics: TaskRecorderParts["metrics"];
  webhookSecrets: WebhookSecrets;
}

/** What every kind of task works with. */
export interface TaskTools {
  kinds: TaskKinds;
  book: TaskBook;
  engine: TaskEngine;
  places: TaskPlaces;
  events: TaskEvents;
  creates: Creates;
  /** The URL as it would be called, or null when that is out of the question. */
  acceptsUrl(url: string): string | null;
  taskDeadlineMs: number;
  /** What clients that poll by themselves are told to wait. */
  pollAfterMs: number;
}

export interface Tasks {
  tools: TaskTools;
  /** Takes up what the last process left; returns how many tasks that are. */
  resume(): Promise<number>;
  /** Lets go of what nobody asks for any more. */
  expire(): Promise<void>;
  /** Ends no task. */
  close(): Promise<void>;
}

/** A vendor is asked half as often again each time. */
const pollGrowth = 1.5;
const postMsMax = 15_000;
const dayMs = 86_400_000;
const deliveryDays = 30;

export function openTasks(needs: TaskNeeds): Tasks {
  const { database, clock, media } = needs;
  const { tasks } = needs.config;
  const kinds = new TaskKinds();
  const opened = openBook(needs, kinds);
  const { book, places, events, webhooks, recorder } = opened;
  const engine = openEngine(needs, kinds, opened);
  const creates = new Creates({ ...needs, book });
  return {
    tools: {
      kinds,
      book,
      engine,
      places,
      events,
      creates,
      acceptsUrl: (url) => media.fetch.accepts(url),
      taskDeadlineMs: tasks.deadlineMs,
      pollAfterMs: tasks.pollFirstMs,
    },
    resume: async () => (await engine.resume()).length,
    async expire() {
      await creates.expire();
      await deleteDeliveries(database, clock.nowMs() - deliveryDays * dayMs);
    },
    async close() {
      engine.close();
      await webhooks.close();
      await engine.release();
      await recorder.settled();
    },
  };
}

/** The book, and all who are told of its changes. */
function openBook(needs: TaskNeeds, kinds: TaskKinds) {
  const { fetch } = needs.media;
  const places = new TaskPlaces();
  const recorder = new TaskRecorder(needs);
  const webhooks = new Webhooks({
    ...needs,
    post: async (url, headers, body) => ({
      status: await fetch.post(url, { headers, body, timeoutMs: postMsMax }),
    }),
  });
  const book = new TaskBook({
    ...needs,
    tell: (task) => kinds.tell(task),
    changed(task) {
      places.changed(task);
      events.changed(task);
      if (isTerminal(task.state) && task.webhookUrl !== null) webhooks.wake();
    },
    forgot: (id) => places.leave(id),
    ended: (task, settlement) => recorder.ended(task, settlement),
  });
  const events = new TaskEvents({ book, render: (task) => kinds.render(task) });
  return { book, places, events, webhooks, recorder };
}

function openEngine(
  needs: TaskNeeds,
  kinds: TaskKinds,
  { book, places }: { book: TaskBook; places: TaskPlaces },
): TaskEngine {
  const { pollFirstMs, pollMostMs, pollsPerChannel } = needs.config.tasks;
  return new TaskEngine({
    ...needs,
    book,
    worker: kinds.worker(pollsPerChannel),
    pace: { firstMs: pollFirstMs, growth: pollGrowth, mostMs: pollMostMs },
    taken: (tasks) => places.adopt(tasks, needs.channels),
  });
}
