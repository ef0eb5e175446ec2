import { expect, test } from "bun:test";
import type { TaskId } from "../../core/ids.ts";
import { micros } from "../../core/money.ts";
import { Counter } from "../../observe/instruments.ts";
import type { UsageRow } from "../../observe/usage-log.ts";
import { Bench, Disk, now } from "../../tasks/book-and-engine.fixture.ts";
import type { Task } from "../../tasks/task.ts";
import { Channels } from "../../distribution/channels.ts";
import { TaskRecorder } from "./record-task.ts";

const rules = { failuresToEject: 5, ejectionMs: 1, ejectionMsMax: 1 };

function setUp(bench: Bench, database = bench.database) {
  const rows: UsageRow[] = [];
  const warnings: string[] = [];
  const spentMicros = new Counter();
  const nothing = () => {};
  const warn = (message: string) => void warnings.push(message);
  const recorder = new TaskRecorder({
    usageLog: { add: (row) => rows.push(row) },
    metrics: { spentMicros },
    channels: new Channels(rules),
    database,
    log: { debug: nothing, info: nothing, warn, error: nothing, flush: nothing },
  });
  return { recorder, rows, warnings, spentMicros };
}

function ended(bench: Bench, changes: Partial<Task>): Task {
  const task = now(bench.submit());
  return { ...task, completedAtMs: task.createdAtMs + 5000, ...changes };
}

test("N20 the end of a task is a row of the moment it ended, with what was made and charged", async () => {
  using disk = new Disk();
  const bench = new Bench({ disk });
  const { recorder, rows, spentMicros } = setUp(bench);
  const task = ended(bench, { state: "completed" });
  recorder.ended(task, { micros: micros(800), counts: { seconds: 7.9996, images: 2 } });
  await recorder.settled();
  expect(rows).toMatchObject([
    {
      id: task.id,
      taskId: task.id,
      kind: "task",
      atMs: task.createdAtMs + 5000,
      latencyMs: 5000,
      accountId: task.accountId,
      keyId: task.keyId,
      model: task.model,
      status: 200,
      outcome: "ok",
      mediaMs: 8000,
      images: 2,
      micros: 800,
      errorCode: null,
    },
  ]);
  expect(spentMicros.value).toBe(800);
});

test("N20 a task that failed has its error on the row", async () => {
  using disk = new Disk();
  const bench = new Bench({ disk });
  const { recorder, rows } = setUp(bench);
  const error = { code: "refused", message: "No." };
  recorder.ended(ended(bench, { state: "failed", error }), { micros: micros(0), counts: {} });
  await recorder.settled();
  const failed = { status: 500, outcome: "upstream_error", errorCode: "refused", micros: 0 };
  expect(rows).toMatchObject([failed]);
});

test("N20 what was charged is on the log even when the key's name cannot be read", async () => {
  using disk = new Disk();
  const bench = new Bench({ disk });
  const broken = {
    selectFrom() {
      throw new Error("the disk is gone");
    },
  } as unknown as typeof bench.database;
  const { recorder, rows, warnings } = setUp(bench, broken);
  const id = "task_00000000000000000000000000" as TaskId;
  recorder.ended(ended(bench, { id, state: "completed" }), { micros: micros(9), counts: {} });
  await recorder.settled();
  expect(rows).toMatchObject([{ id, keyName: "", micros: 9 }]);
  expect(warnings).toHaveLength(1);
});
