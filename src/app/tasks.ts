// Shared parts of tasks of all kinds. Each kind adds itself.
import { assetChore } from "../assets/claims.ts";
import type { Config } from "../config/config.ts";
import { dayMs } from "../core/day.ts";
import type { CreateTaskNeeds } from "../gateway/task/create-task.ts";
import { TaskEvents } from "../gateway/task/events.ts";
import { Creates } from "../gateway/task/idempotency.ts";
import type { IntentNeeds } from "../gateway/task/intent.ts";
import { TaskKinds } from "../gateway/task/kinds.ts";
import { TaskPlaces } from "../gateway/task/places.ts";
import { TaskRecorder } from "../gateway/task/record-task.ts";
import type { GuardedFetch } from "../media/fetch.ts";
import type { GatewayMetrics } from "../observe/gateway-metrics.ts";
import type { Tracer } from "../observe/otlp/tracer.ts";
import { TaskBook } from "../tasks/book.ts";
import { TaskEngine } from "../tasks/engine.ts";
import { Lease } from "../tasks/lease.ts";
import { aloneMsMax, aloneName, OtherNodes } from "../tasks/other-nodes.ts";
import { isTerminal, type Task } from "../tasks/task.ts";
import { deleteDeliveries } from "../tasks/webhooks/queries.ts";
import { Webhooks } from "../tasks/webhooks/webhooks.ts";
import { forgetChores } from "../store/chores.ts";
import type { Control } from "./control.ts";

export interface Tasks {
  kinds: TaskKinds;
  book: TaskBook;
  engine: TaskEngine;
  /** Those that other nodes have. */
  others: OtherNodes;
  places: TaskPlaces;
  events: TaskEvents;
  webhooks: Webhooks;
  creating: CreateTaskNeeds;
  intents: IntentNeeds;
  /** Takes up what the last process left; returns how many tasks that are. */
  resume(): Promise<number>;
  /** Lets go of what nobody asks for any more. */
  expire(): Promise<void>;
  /** Ends no task. */
  close(): Promise<void>;
}

interface TasksNeeds {
  fetch: GuardedFetch;
  metrics: GatewayMetrics;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
}

/** A vendor is asked half as often again each time. */
const pollGrowth = 1.5;
const postMsMax = 15_000;
const deliveryDays = 30;

export function createTasks(
  { tasks: settings }: Config,
  control: Control,
  needs: TasksNeeds,
): Tasks {
  const { database, store, balances, ids, clock } = control;
  // A folder's lock keeps every other process out; a database may have other nodes.
  const lease = new Lease({
    clock,
    random: control.random,
    isSole: control.store.turns === undefined,
  });
  const kinds = new TaskKinds();
  const { fetch, metrics, tracer } = needs;
  const recording = { fetch, metrics, tracer, kinds, lease };
  const room = createBook(control, recording, (task) => engine.watch(task));
  const { book, others, places, events, webhooks } = room;
  const engine = createEngine(settings, control, { kinds, lease, book, others, places });
  const creates = new Creates({ database, store, book, clock });
  return {
    kinds,
    book,
    engine,
    others,
    places,
    events,
    webhooks,
    creating: { creates, acceptsUrl: (url) => needs.fetch.accepts(url) },
    intents: { ids, clock, book, balances, rules: settings },
    resume: async () => (await engine.resume()).length,
    async expire() {
      await creates.expire();
      await deleteDeliveries(database, clock.nowMs() - deliveryDays * dayMs);
      for (const name of [aloneName, assetChore]) {
        await forgetChores(database, name, clock.nowMs() - aloneMsMax);
      }
    },
    async close() {
      engine.close();
      others.close();
      await webhooks.close();
      await engine.release();
    },
  };
}

interface TaskRecordNeeds extends TasksNeeds {
  kinds: TaskKinds;
  lease: Lease;
}

/** The book, and all who are told of its changes. */
function createBook(
  control: Control,
  { kinds, lease, fetch, metrics, tracer }: TaskRecordNeeds,
  watch: (task: Task) => void,
) {
  const { database, store, ledger, balances, channels, log, clock, machine } = control;
  const places = new TaskPlaces();
  const recorder = new TaskRecorder({
    metrics,
    channels,
    database,
    log,
    tracer,
    recorded: (row) => {
      control.live.tell(row);
      const channel = channels.all.find(({ settings }) => settings.id === row.channel_id);
      channel?.countCost(row.cost_micros ?? row.micros, clock);
    },
  });
  const webhooks = createWebhooks(control, lease, fetch);
  const book = new TaskBook({
    ledger,
    balances,
    database,
    store,
    clock,
    log,
    lease,
    tell: (task) => kinds.tell(task),
    changed(task) {
      places.changed(task);
      events.changed(task);
      others.tell(task);
      if (isTerminal(task.state) && task.webhookUrl !== null) webhooks.wake();
    },
    forgot(id) {
      places.leave(id);
      kinds.forgot(id);
    },
    findChannel: (id) => channels.find(id) ?? null,
    prepareRecord: recorder.prepare,
  });
  const events = new TaskEvents({ book, render: (task) => kinds.render(task) });
  const others = new OtherNodes({
    book,
    lease,
    database,
    sharing: store.sharing,
    clock,
    timers: machine.timers,
    log,
    followed: () => events.followed(),
    heard: (task) => events.heard(task),
    taken(task) {
      places.adopt([task], channels);
      watch(task);
    },
  });
  return { book, others, places, events, webhooks };
}

function createWebhooks(
  { database, store, clock, machine, random, log, webhookSecrets }: Control,
  { isSole }: Lease,
  fetch: GuardedFetch,
): Webhooks {
  return new Webhooks({
    database,
    store,
    clock,
    timers: machine.timers,
    random,
    log,
    webhookSecrets,
    isSole,
    post: async (url, headers, body) => ({
      status: await fetch.post(url, { headers, body, timeoutMs: postMsMax }),
    }),
  });
}

interface EngineRoom {
  kinds: TaskKinds;
  lease: Lease;
  book: TaskBook;
  others: OtherNodes;
  places: TaskPlaces;
}

function createEngine(
  { pollFirstMs, pollMostMs, pollsPerChannel }: Config["tasks"],
  { database, random, log, channels, clock, machine }: Control,
  { kinds, lease, book, others, places }: EngineRoom,
): TaskEngine {
  return new TaskEngine({
    book,
    lease,
    database,
    worker: kinds.worker(pollsPerChannel),
    clock,
    timers: machine.timers,
    random,
    log,
    pace: { firstMs: pollFirstMs, growth: pollGrowth, mostMs: pollMostMs },
    isStillOwn: (id) => others.isStillOwn(id),
    taken: (tasks) => places.adopt(tasks, channels),
  });
}
