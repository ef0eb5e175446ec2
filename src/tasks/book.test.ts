import { describe, expect, test } from "bun:test";
import { AssertionError } from "../core/assert.ts";
import { GatewayError } from "../core/errors.ts";
import type { TaskId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { micros } from "../core/money.ts";
import { ledgerProgram } from "../quota/queries.ts";
import { drainMicrotasks } from "bun:jsc";
import { StoreError } from "../store/store.ts";
import {
  Bench,
  completed,
  Disk,
  grantedMicros,
  heldMicros,
  now,
} from "./fixtures/book-and-engine.ts";
import { toChange } from "./row.ts";
import { isTerminal, transitions, type Task, type TaskState } from "./task.ts";

const charge = { micros: micros(80), usage: "4s" };
const refused = { code: "refused", message: "No." };
const states = Object.keys(transitions) as TaskState[];

function sumsOf(held: number, spent: number) {
  return {
    available_micros: grantedMicros - held - spent,
    held_micros: held,
    spent_micros: spent,
  };
}

/** A task in that state, by the shortest way there. */
function taskIn(bench: Bench, state: TaskState): Task {
  const { book } = bench;
  const task = now(bench.submit());
  const ways: Record<TaskState, () => unknown> = {
    submitting: () => true,
    unknown: () => now(book.change(task.id, { state: "unknown" })),
    queued: () => now(book.change(task.id, { state: "queued" })),
    in_progress: () => now(book.change(task.id, { state: "in_progress" })),
    completed: () => {
      now(book.change(task.id, { state: "queued" }));
      now(book.complete(task.id, {}, charge));
    },
    failed: () => now(book.fail(task.id, refused)),
  };
  ways[state]();
  return task;
}

/** True, false, or the name of what was thrown. */
function outcomeOf(work: () => Promise<boolean>): boolean | string {
  try {
    return now(work());
  } catch (error) {
    return error instanceof Error ? error.name : "thrown";
  }
}

describe("a new task", () => {
  test("holds its money and records its intent in one write", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const task = now(bench.submit());
    expect(disk.documents).toHaveLength(1);
    const [document = {}] = disk.documents;
    expect(document["taskHolds"]).toHaveLength(1);
    expect(document["tasks"]).toHaveLength(1);
    expect(bench.sums).toEqual(sumsOf(heldMicros, 0));
    expect(bench.row(task.id)).toMatchObject({ state: "submitting", held_micros: heldMicros });
    expect(bench.violations).toEqual([]);
  });

  test("leaves nothing behind when there is too little money for it", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    expect(() => now(bench.submit({ heldMicros: grantedMicros + 1 }))).toThrow(GatewayError);
    expect(bench.book.openCount).toBe(0);
    expect(disk.documents).toEqual([]);
    expect(bench.sums).toEqual(sumsOf(0, 0));
  });

  test("is shown as changed only once it is safe", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    bench.isStuck = true;
    const adding = bench.submit();
    expect(() => now(adding)).toThrow("not done yet");
    expect(bench.changes).toEqual([]);
    bench.unstick();
    now(adding);
    expect(bench.changes).toEqual(["submitting 0"]);
  });

  test("N14 records the create that made it in the same write", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const task = now(bench.submit({}, { key: "once", digest: "d" }));
    expect(disk.documents).toHaveLength(1);
    expect(disk.rows("select * from idempotent_create")).toEqual([
      {
        account_id: task.accountId,
        idempotency_key: "once",
        body_digest: "d",
        task_id: task.id,
        created_at_ms: task.createdAtMs,
      },
    ]);
    const next = now(bench.submit({}, { key: "once", digest: "e" }));
    expect(disk.rows("select task_id, body_digest from idempotent_create")).toEqual([
      { task_id: next.id, body_digest: "e" },
    ]);
  });
});

describe("an end", () => {
  test("N20 is on record with what was charged, in the write of its money", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "queued");
    bench.isStuck = true;
    const ending = bench.book.complete(id, {}, { ...charge, counts: { seconds: 4 } });
    expect(bench.logged).toEqual([]);
    bench.unstick();
    now(ending);
    const settlement = { micros: charge.micros, counts: { seconds: 4 }, failedChannels: [] };
    expect(bench.settlements).toMatchObject([["completed", settlement]]);
    const [at] = disk.rows("select at_ms from entry where kind = 'post'");
    expect(bench.settlements[0]?.[1].atMs).toBe(Number(at?.["at_ms"]));
    expect(bench.logged).toEqual([JSON.stringify({ rows: [[id, charge.micros]] })]);
    expect(now(bench.book.fail(id, refused))).toBe(false);
    expect(bench.settlements).toHaveLength(1);
  });

  test("N20 is told without a charge when it failed, and not at all to an owner who knows", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const [failed, lost, dropped] = [1, 2, 3].map(() => taskIn(bench, "queued").id);
    now(bench.book.fail(failed as TaskId, refused));
    now(bench.book.lose(lost as TaskId, refused));
    now(bench.book.drop(dropped as TaskId, refused));
    const uncharged = { micros: micros(0), counts: {} };
    expect(bench.settlements).toMatchObject([
      ["failed", uncharged],
      ["failed", uncharged],
    ]);
  });
});

describe("a change", () => {
  test.each(states)("from %s leads to what the table says and nowhere else", (from) => {
    for (const to of states) {
      using disk = new Disk();
      const bench = new Bench({ disk });
      const { book } = bench;
      const { id } = taskIn(bench, from);
      const before = bench.row(id);
      const moves: Record<string, () => Promise<boolean>> = {
        completed: () => book.complete(id, {}, charge),
        failed: () => book.fail(id, refused),
      };
      const move = moves[to] ?? (() => book.change(id, { state: to }));
      const isAllowed = transitions[from].includes(to) || (from === to && !isTerminal(from));
      const expected = isTerminal(from) ? false : isAllowed || AssertionError.name;
      expect(outcomeOf(move), `${from} to ${to}`).toBe(expected);
      if (expected === true) expect(bench.row(id)).toMatchObject({ state: to });
      else expect(bench.row(id)).toEqual(before);
      expect(bench.violations).toEqual([]);
      expect(bench.ledger.closedTwice).toBe(0);
    }
  });

  test("that would end a task without a settlement is a bug", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "queued");
    expect(() => now(bench.book.change(id, { state: "failed" }))).toThrow(AssertionError);
    expect(bench.book.peek(id)?.state).toBe("queued");
  });

  test("is not overtaken by another one, and until it is safe the task is as before", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { book } = bench;
    const { id } = taskIn(bench, "queued");
    bench.isStuck = true;
    const changing = book.change(id, { state: "in_progress", progress: 10 });
    expect(now(book.find(id))?.state).toBe("queued");
    expect(book.peek(id)).toBeNull();
    expect(book.isOpen(id)).toBe(true);
    book.note(id, 50);
    expect(now(book.change(id, { progress: 20 }))).toBe(false);
    expect(now(book.complete(id, {}, charge))).toBe(false);
    expect(now(book.fail(id, refused))).toBe(false);
    const settled = book.settled(id);
    bench.unstick();
    expect(bench.changes).toEqual(["submitting 0", "queued 0", "in_progress 10"]);
    expect(now(changing)).toBe(true);
    now(settled);
    expect(book.peek(id)).toMatchObject({ state: "in_progress", progress: 10 });
    expect(bench.row(id)).toMatchObject({ state: "in_progress", progress: 10 });
    expect(bench.sums).toEqual(sumsOf(heldMicros, 0));
  });

  test("of a percentage is shown without a write, and only upwards", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "in_progress");
    const writes = disk.documents.length;
    for (const progress of [30, 20, 30, 40]) bench.book.note(id, progress);
    expect(bench.changes.slice(-2)).toEqual(["in_progress 30", "in_progress 40"]);
    expect(bench.book.peek(id)?.progress).toBe(40);
    expect(disk.documents).toHaveLength(writes);
  });
});

describe("an end", () => {
  test("charges for a completed task in the write that completes it", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "in_progress");
    if (completed.kind !== "completed") throw new Error("it is");
    const { result, delivered } = completed;
    expect(now(bench.book.complete(id, { result, delivered }, charge))).toBe(true);
    const document = disk.documents.at(-1) ?? {};
    expect(document["entries"]).toHaveLength(1);
    expect(document["taskChanges"]).toHaveLength(1);
    expect(bench.sums).toEqual(sumsOf(0, 80));
    expect(bench.entries).toMatchObject([{ id, kind: "post", micros: 80, usage: "4s" }]);
    const row = { state: "completed", progress: 100, completed_at_ms: bench.time.nowMs() };
    expect(bench.row(id)).toMatchObject({ ...row, next_poll_at_ms: null });
    expect(bench.book.openCount).toBe(0);
    expect(now(bench.book.find(id))).toMatchObject({ state: "completed", result, delivered });
  });

  test("gives everything back when a task failed", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "queued");
    expect(now(bench.book.fail(id, refused))).toBe(true);
    expect(bench.sums).toEqual(sumsOf(0, 0));
    expect(bench.entries).toMatchObject([{ kind: "void", loss_micros: 0, reason: "refused" }]);
    expect(now(bench.book.find(id))).toMatchObject({ state: "failed", error: refused });
  });

  test("books what may be owed for a task that nobody knows of", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "unknown");
    expect(now(bench.book.lose(id, refused))).toBe(true);
    expect(bench.sums).toEqual(sumsOf(0, 0));
    expect(bench.entries).toMatchObject([{ kind: "void", micros: 0, loss_micros: heldMicros }]);
  });

  test("comes once, whoever asks for it at the same time", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { book } = bench;
    const { id } = taskIn(bench, "in_progress");
    const ends = [
      book.complete(id, {}, charge),
      book.fail(id, refused),
      book.drop(id, refused),
      book.complete(id, {}, charge),
    ];
    expect(ends.map(now)).toEqual([true, false, false, false]);
    expect(now(book.lose(id, refused))).toBe(false);
    expect(bench.entries).toHaveLength(1);
    expect(bench.ledger.closedTwice).toBe(0);
    expect(bench.violations).toEqual([]);
  });

  test("is final for the database too", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const task = bench.book.latest(taskIn(bench, "completed"));
    const revived = { ...task, state: "in_progress" } as const;
    const document = JSON.stringify({ taskChanges: [toChange(revived, bench.lease.owner).cells] });
    expect(() => disk.write({ program: ledgerProgram, document })).toThrow(StoreError);
    expect(bench.row(task.id)).toMatchObject({ state: "completed" });
  });

  test("of a dropped task hides it in the same write", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = taskIn(bench, "queued");
    const writes = disk.documents.length;
    expect(now(bench.book.drop(id, refused))).toBe(true);
    expect(disk.documents).toHaveLength(writes + 1);
    expect(bench.row(id)).toMatchObject({ state: "failed", deleted_at_ms: bench.time.nowMs() });
    expect(now(bench.book.find(id))).toBeNull();
    expect(bench.sums).toEqual(sumsOf(0, 0));
  });
});

describe("N15 a callback", () => {
  const webhookUrl = "https://hooks.example/one";

  test("is recorded in the write that ends its task", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const { id } = now(bench.submit({ webhookUrl }));
    now(bench.book.change(id, { state: "queued" }));
    expect(disk.rows("select * from webhook_delivery")).toEqual([]);
    const writes = disk.documents.length;
    now(bench.book.complete(id, {}, charge));
    expect(disk.documents).toHaveLength(writes + 1);
    const nowMs = bench.time.nowMs();
    expect(disk.rows("select * from webhook_delivery")).toEqual([
      {
        id: id.replace("task_", "msg_"),
        task_id: id,
        event: "video.completed",
        url: webhookUrl,
        body: JSON.stringify({ type: "video.completed", data: { id, status: "completed" } }),
        attempts: 0,
        next_attempt_at_ms: nowMs,
        status: null,
        error: null,
        created_at_ms: nowMs,
        delivered_at_ms: null,
        tries: "[]",
      },
    ]);
  });

  test("is told of a failure, and not of what its owner dropped", () => {
    using disk = new Disk();
    const bench = new Bench({ disk });
    const failed = now(bench.submit({ webhookUrl }));
    now(bench.book.fail(failed.id, refused));
    const dropped = now(bench.submit({ webhookUrl }));
    now(bench.book.drop(dropped.id, refused));
    expect(disk.rows("select task_id, event from webhook_delivery")).toEqual([
      { task_id: failed.id, event: "video.failed" },
    ]);
  });

  test("that cannot be written does not keep a task from its end", () => {
    using disk = new Disk();
    const tell = (): JsonObject => {
      throw new TypeError("the family is gone");
    };
    const bench = new Bench({ disk, tell });
    const { id } = now(bench.submit({ webhookUrl }));
    expect(now(bench.book.fail(id, refused))).toBe(true);
    expect(bench.sums).toEqual(sumsOf(0, 0));
    expect(disk.rows("select * from webhook_delivery")).toEqual([]);
    expect(bench.errors.join()).toContain("the family is gone");
  });
});

describe("the next process", () => {
  test("finds what has ended, and nothing that was deleted", () => {
    using disk = new Disk();
    const first = new Bench({ disk });
    const kept = taskIn(first, "completed");
    const gone = taskIn(first, "failed");
    const found = now(first.book.find(gone.id));
    if (!found) throw new Error("it is there");
    now(first.book.remove(found));
    expect(now(first.book.find(gone.id))).toBeNull();
    const { book } = new Bench({ disk });
    expect(now(book.find(kept.id))).toMatchObject({ id: kept.id, state: "completed" });
    expect(now(book.find(gone.id))).toBeNull();
    expect(now(book.find("task_none" as TaskId))).toBeNull();
  });

  test("has open tasks as they were, with their holds", () => {
    using disk = new Disk();
    const first = new Bench({ disk });
    const tasks = ["submitting", "unknown", "queued", "in_progress"] as const;
    const left = tasks.map((state) => taskIn(first, state));
    const shown = left.map((task) => first.book.latest(task));
    taskIn(first, "failed");
    const second = new Bench({ disk });
    expect(now(second.engine.resume())).toEqual(shown);
    for (const { id } of left) expect(now(second.book.fail(id, refused))).toBe(true);
    expect(second.sums).toEqual(sumsOf(0, 0));
    expect(second.violations).toEqual([]);
  });

  test("takes what the journal has from before tasks had owners", () => {
    using disk = new Disk();
    const first = new Bench({ disk });
    const task = taskIn(first, "queued");
    const sql = `update task set owner = null, lease_until_ms = 0 where id = '${task.id}'`;
    disk.connection.commit([], [{ sql, parameters: [] }], false);
    const begun = { ...first.book.latest(task), state: "in_progress" } as const;
    const cells = toChange(begun, "").cells.slice(0, -1);
    disk.write({ program: ledgerProgram, document: JSON.stringify({ taskChanges: [cells] }) });
    expect(now(new Bench({ disk }).engine.resume())).toEqual([begun]);
  });

  test("reads a job as deep as a body may be", () => {
    using disk = new Disk();
    let extras: JsonObject = { leaf: 1 };
    for (let depth = 0; depth < 70; depth++) extras = { inner: extras };
    const job = { extras };
    const task = now(new Bench({ disk }).submit({ job }));
    expect(now(new Bench({ disk }).engine.resume())).toMatchObject([{ id: task.id, job }]);
  });

  test("passes by a row that makes no sense", () => {
    using disk = new Disk();
    const first = new Bench({ disk });
    const bad = taskIn(first, "queued");
    const good = taskIn(first, "queued");
    const sql = `update task set job = 'nonsense' where id = '${bad.id}'`;
    disk.connection.commit([], [{ sql, parameters: [] }], false);
    const second = new Bench({ disk });
    expect(now(second.engine.resume()).map(({ id }) => id)).toEqual([good.id]);
    expect(second.errors.join()).toContain(bad.id);
  });

  test("does not bring a task back that is deleted while it is read", () => {
    using disk = new Disk();
    const first = new Bench({ disk });
    const task = first.book.latest(taskIn(first, "completed"));
    const { book, store } = new Bench({ disk });
    const { read } = store;
    const { promise, resolve } = Promise.withResolvers<void>();
    store.read = async (statement) => {
      const rows = await read(statement);
      await promise;
      return rows;
    };
    const reading = book.find(task.id);
    drainMicrotasks();
    now(book.remove(task));
    resolve();
    expect(now(reading)).toBeNull();
    expect(now(book.find(task.id))).toBeNull();
  });
});
