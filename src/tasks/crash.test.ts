// The process dies at every write there is, which is then on the disk or not; the next goes on.
import { logProgram, mainPrograms } from "../app/programs.ts";
import { usageLogMigrations } from "../observe/versions/queries.ts";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskId } from "../core/ids.ts";
import { verify } from "../quota/recover.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import type { Statement, Store } from "../store/store.ts";
import {
  Bench,
  books,
  completed,
  Disk,
  grantedMicros,
  heldMicros,
} from "./fixtures/book-and-engine.ts";
import { pending, working, type BenchOptions, type Death } from "./fixtures/book-and-engine.ts";
import type { Poll, Worker } from "./engine.ts";
import type { Task } from "./task.ts";

const filtered: Poll = { kind: "failed", error: { code: "filtered", message: "No." } };

/** It lives on when the gateway dies. Every second job it starts fails in the end. */
class Vendor implements Worker {
  readonly jobs = new Map<TaskId, { end: Poll; polls: number; starts: number }>();
  readonly #canFind: boolean;

  constructor(canFind: boolean) {
    this.#canFind = canFind;
  }

  async start({ id }: Task): Promise<string> {
    const known = this.jobs.get(id);
    if (known) known.starts++;
    else
      this.jobs.set(id, {
        end: this.jobs.size % 2 === 0 ? completed : filtered,
        polls: 0,
        starts: 1,
      });
    return `operation of ${id}`;
  }

  async poll({ id }: Task): Promise<Poll> {
    const job = this.jobs.get(id);
    if (!job) throw new Error("there is no such job");
    return [pending, working][job.polls++] ?? job.end;
  }

  async find({ id }: Task): ReturnType<Worker["find"]> {
    if (!this.#canFind) return "never";
    return this.jobs.has(id) ? { operation: `operation of ${id}` } : "absent";
  }

  pollsMax(): number {
    return 1;
  }
}

/** Submit the way the gateway does: the intent, the vendor, the operation. */
async function submit(bench: Bench, vendor: Vendor): Promise<void> {
  const task = await bench.submit({ webhookUrl: "https://hooks.example/" });
  const operation = await vendor.start(task);
  await bench.book.change(task.id, { state: "queued", operation });
  bench.engine.watch(task);
}

/** The life of a process from its start until there is nothing left to do. */
function live(vendor: Vendor, options: BenchOptions, submits: number): Bench {
  const bench = new Bench({ ...options, worker: vendor });
  void bench.engine.resume();
  bench.run(50);
  for (let count = 0; count < submits; count++) {
    void submit(bench, vendor);
    bench.run(50);
  }
  bench.run(90_000);
  return bench;
}

function check(bench: Bench, vendor: Vendor, canFind: boolean): void {
  const { disk } = bench;
  expect(bench.violations).toEqual([]);
  expect(bench.book.openCount).toBe(0);
  expect(bench.ledger.closedTwice).toBe(0);
  const tasks = disk.rows(`
    select task.id, state, kind_of.kind as entry, loss_micros, webhook_delivery.event
    from task
    left join (select id, kind, loss_micros from entry) as kind_of on kind_of.id = task.id
    left join webhook_delivery on webhook_delivery.task_id = task.id`);
  for (const { id, state, entry, loss_micros, event } of tasks) {
    expect(entry).toBe(state === "completed" ? "post" : "void");
    expect(event).toBe(`video.${String(state)}`);
    const job = vendor.jobs.get(String(id) as TaskId);
    expect(job?.starts ?? 1).toBe(1);
    // A job the vendor did is charged; where that cannot be known, it is on record as a loss.
    if (job?.end === completed && state !== "completed") {
      expect([canFind, loss_micros]).toEqual([false, heldMicros]);
    }
    if (state === "completed") expect(job?.end).toBe(completed);
  }
  const known = new Set(tasks.map(({ id }) => id));
  expect([...vendor.jobs.keys()].filter((id) => !known.has(id))).toEqual([]);
  const [held] = disk.rows("select count(*) as count from hold");
  expect(held).toEqual({ count: 0 });
}

const submits = 2;
/** Each task is added, queued, begun and ended. */
const writes = submits * 4;
const deaths: Death[] = Array.from({ length: writes }, (_, atWrite) => [
  { atWrite, isKept: true },
  { atWrite, isKept: false },
]).flat();

test.each([true, false])(
  "after a death at any write the books are right (vendor can be searched: %p)",
  (canFind) => {
    for (const death of deaths) {
      using disk = new Disk();
      const vendor = new Vendor(canFind);
      const { time, isDead } = live(vendor, { disk, death }, submits);
      expect(isDead).toBe(true);
      check(live(vendor, { disk, time }, 0), vendor, canFind);
    }
  },
);

test.each([true, false])(
  "after two deaths one after the other the books are right (vendor can be searched: %p)",
  (canFind) => {
    for (const first of deaths) {
      for (const second of deaths.slice(0, writes)) {
        using disk = new Disk();
        const vendor = new Vendor(canFind);
        const { time } = live(vendor, { disk, death: first }, submits);
        live(vendor, { disk, time, death: second }, 1);
        check(live(vendor, { disk, time }, 0), vendor, canFind);
      }
    }
  },
);

test("what one process left in a folder the next one brings to its end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-tasks-"));
  using disk = new Disk();
  try {
    const vendor = new Vendor(true);
    const first = new Bench({ disk, store: await open(folder), worker: vendor });
    await first.store.commit({ statements: books });
    const intents = await Promise.all(Array.from({ length: 6 }, () => first.submit()));
    const states = ["unknown", "queued", "in_progress", "submitting", "submitting"] as const;
    for (const [at, task] of intents.entries()) {
      const state = states[at];
      // The last one dies before the vendor heard of it.
      if (state === undefined) break;
      const operation = await vendor.start(task);
      if (state === "unknown") await first.book.change(task.id, { state });
      else if (state !== "submitting") await first.book.change(task.id, { state, operation });
    }
    await first.store.close();

    const store = await open(folder);
    const second = new Bench({ disk, store, time: first.time, worker: vendor });
    expect(await second.engine.resume()).toHaveLength(6);
    while (second.book.openCount > 0) {
      second.run(500);
      await new Promise(setImmediate);
    }
    await store.applied();
    const rows = await store.read(statement("select state, operation from task order by id"));
    expect(rows.map(({ state }) => state)).toEqual([
      "completed",
      "failed",
      "completed",
      "failed",
      "completed",
      "failed",
    ]);
    expect(rows.at(-1)?.["operation"]).toBeNull();
    expect(await verify((one) => store.read(one))).toEqual([]);
    const [sums] = await store.read(statement("select * from ledger_account"));
    expect(sums).toMatchObject({
      held_micros: 0,
      spent_micros: 3 * 80,
      available_micros: grantedMicros - 3 * 80,
    });
    await store.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function open(folder: string): Promise<Store> {
  return openSqlite({
    folder,
    programs: mainPrograms,
    log: { program: logProgram, migrations: usageLogMigrations },
  });
}

function statement(sql: string): Statement {
  return { sql, parameters: [] };
}
