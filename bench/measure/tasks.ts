// Many tasks in flight at once: is each asked about on time, in how much memory, and does a slow
// vendor ever get more polls at once than its channel may send?
import type { Seen, Watch } from "../task-watch.ts";
import { startTaskGateway, type TaskTarget } from "../targets/task-gateway.ts";
import { measure, type Measure, type Work } from "./passes.ts";
import { readCpuMicros, readRssBytes, watchRss } from "./process-usage.ts";

export interface Tasks {
  readonly asked: number;
  readonly created: Measure;
  /** The status of the answer to one more create than the channel may have tasks. */
  readonly statusAbove: number;
  /** While the vendor answers at once. */
  readonly atOnce: Seen;
  readonly pollsPerSecond: number;
  readonly cpuMicrosPerPoll: number;
  /** From the first moment at which the gateway's pace allows a poll: chance is part of it. */
  readonly lateP50Ms: number;
  readonly lateP99Ms: number;
  /** While the vendor holds back its answers. */
  readonly heldBack: Seen;
  readonly pollsPerChannel: number;
  readonly paceMs: number;
  readonly rssBytesIdle: number;
  readonly rssBytesBefore: number;
  readonly rssBytesAfter: number;
  readonly rssBytesPeak: number;
}

const connections = 64;
const createSecondsMax = 120;
/** Between two polls of a task, give or take a tenth. */
const paceMs = 5_000;
const earliestShare = 0.9;
const pollsPerChannel = 16;
const atOnceMs = 20_000;
const heldBackMs = 3_000;
const holdMs = 100;

export async function measureTasks(asked: number, folder: string): Promise<Tasks> {
  const target = await startTaskGateway({ folder, paceMs, pollsPerChannel, tasksMax: asked });
  const rssBytesIdle = readRssBytes(target.pid);
  const memory = watchRss(target.pid);
  try {
    console.error(`${asked} tasks`);
    const created = await measure(target, createWork(target, asked));
    const statusAbove = await createOne(target);
    // The first round of polls still has the rhythm of the creates.
    await Bun.sleep(paceMs);
    const rssBytesBefore = readRssBytes(target.pid);
    const cpuBefore = readCpuMicros(target.pid);
    const atOnce = await watchFor(target, atOnceMs, { paceMs, holdMs: 0 });
    const cpuMicros = readCpuMicros(target.pid) - cpuBefore;
    const rssBytesAfter = readRssBytes(target.pid);
    const heldBack = await watchFor(target, heldBackMs, { paceMs, holdMs });
    return {
      asked,
      created,
      statusAbove,
      atOnce,
      pollsPerSecond: (atOnce.polls / atOnceMs) * 1_000,
      cpuMicrosPerPoll: cpuMicros / Math.max(1, atOnce.polls),
      lateP50Ms: lateness(atOnce.waitP50Ms),
      lateP99Ms: lateness(atOnce.waitP99Ms),
      heldBack,
      pollsPerChannel,
      paceMs,
      rssBytesIdle,
      rssBytesBefore,
      rssBytesAfter,
      rssBytesPeak: memory.stop(),
    };
  } finally {
    memory.stop();
  }
}

function lateness(waitMs: number): number {
  return Math.max(0, waitMs - paceMs * earliestShare);
}

function createWork({ model }: TaskTarget, requestsMax: number): Work {
  const body = JSON.stringify({ model, prompt: "A boat in a lock.", seconds: "8" });
  const ask = { path: "/v1/videos", body, isStream: false, streamEnd: "" };
  return { ...ask, connections, seconds: createSecondsMax, requestsMax };
}

async function createOne(target: TaskTarget): Promise<number> {
  const { path, body } = createWork(target, 1);
  const headers = { ...target.headers, "content-type": "application/json" };
  const url = `http://127.0.0.1:${target.port}${path}`;
  return (await fetch(url, { method: "POST", headers, body })).status;
}

async function watchFor({ vendorPort }: TaskTarget, timeMs: number, watch: Watch): Promise<Seen> {
  const url = `http://127.0.0.1:${vendorPort}/bench/watch`;
  await fetch(url, { method: "POST", body: JSON.stringify(watch) });
  await Bun.sleep(timeMs);
  return (await (await fetch(url)).json()) as Seen;
}
