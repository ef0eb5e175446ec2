import { expect, test } from "bun:test";
import type { TaskId } from "../../core/ids.ts";
import { micros } from "../../core/money.ts";
import { Counter, Family } from "../../observe/instruments.ts";
import { usageStep } from "../../observe/queries.ts";
import type { Value } from "../../store/store.ts";
import type { Settlement } from "../../tasks/book-needs.ts";
import { Bench, Disk, now } from "../../tasks/fixtures/book-and-engine.ts";
import type { Task } from "../../tasks/task.ts";
import { Channels } from "../../distribution/channels.ts";
import { TaskRecorder } from "./record-task.ts";

const kindAndOutcome = [
  { name: "kind", valuesMax: 9 },
  { name: "outcome", valuesMax: 9 },
];
const rules = { failuresToEject: 5, ejectionMs: 1, ejectionMsMax: 1 };

function setUp(bench: Bench, database = bench.database) {
  const warnings: string[] = [];
  const spentMicros = new Counter();
  const nothing = () => {};
  const warn = (message: string) => void warnings.push(message);
  const recorder = new TaskRecorder({
    metrics: {
      spentMicros,
      model: () => ({ spentMicros: new Counter() }),
      channel: () => ({ spentMicros: new Counter() }),
      tasksEnded: new Family(kindAndOutcome, () => new Counter()),
    },
    channels: new Channels(rules),
    database,
    log: { debug: nothing, info: nothing, warn, error: nothing, flush: nothing },
    tracer: null,
    recorded: nothing,
  });
  /** The row of the log, by its columns. */
  const record = async (task: Task, settled: Pick<Settlement, "micros" | "counts">) => {
    const atMs = task.createdAtMs + 5000;
    const toRows = await recorder.prepare(task);
    const [row] = toRows(task, { ...settled, atMs, failedChannels: [], trail: [] });
    const cells = usageStep.columns.map((name, at): [string, Value] => [
      name,
      row?.cells[at] ?? null,
    ]);
    return Object.fromEntries(cells);
  };
  return { record, warnings, spentMicros };
}

function ended(bench: Bench, changes: Partial<Task>): Task {
  const task = now(bench.submit());
  return { ...task, completedAtMs: task.createdAtMs + 5000, ...changes };
}

test("N20 the end of a task is a row of the moment it ended, with what was made and charged", async () => {
  using disk = new Disk();
  const bench = new Bench({ disk });
  const { record, spentMicros } = setUp(bench);
  const task = ended(bench, { state: "completed" });
  const row = await record(task, { micros: micros(800), counts: { seconds: 7.9996, images: 2 } });
  expect(row).toMatchObject({
    id: task.id,
    task_id: task.id,
    kind: "task",
    at_ms: task.createdAtMs + 5000,
    latency_ms: 5000,
    account_id: task.accountId,
    key_id: task.keyId,
    model: task.model,
    status: 200,
    outcome: "ok",
    media_ms: 8000,
    images: 2,
    micros: 800,
    attempts: 1,
    error_code: null,
  });
  expect(spentMicros.value).toBe(800);
});

test("N20 a task that failed has its error on the row", async () => {
  using disk = new Disk();
  const bench = new Bench({ disk });
  const { record } = setUp(bench);
  const error = { code: "refused", message: "No." };
  const task = ended(bench, { state: "failed", error });
  const failed = { status: 500, outcome: "upstream_error", error_code: "refused", micros: 0 };
  expect(await record(task, { micros: micros(0), counts: {} })).toMatchObject(failed);
});

test("N20 what was charged is on the log even when the key's name cannot be read", async () => {
  using disk = new Disk();
  const bench = new Bench({ disk });
  const broken = {
    selectFrom() {
      throw new Error("the disk is gone");
    },
  } as unknown as typeof bench.database;
  const { record, warnings } = setUp(bench, broken);
  const id = "task_00000000000000000000000000" as TaskId;
  const task = ended(bench, { id, state: "completed" });
  const row = await record(task, { micros: micros(9), counts: {} });
  expect(row).toMatchObject({ id, key_name: "", micros: 9 });
  expect(warnings).toHaveLength(1);
});
