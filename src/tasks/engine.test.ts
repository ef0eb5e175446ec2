import { describe, expect, test } from "bun:test";
import { drainMicrotasks } from "bun:jsc";
import type { ChannelId, TaskId } from "../core/ids.ts";
import { micros } from "../core/money.ts";
import {
  Bench,
  completed,
  Disk,
  grantedMicros,
  heldMicros,
  now,
} from "./fixtures/book-and-engine.ts";
import { pending, working, type BenchOptions } from "./fixtures/book-and-engine.ts";
import type { Poll, Worker } from "./engine.ts";
import type { Task, TaskResult } from "./task.ts";

const failed: Poll = { kind: "failed", error: { code: "filtered", message: "No cats." } };
const unclear: Poll = { kind: "unclear" };

/** Answers in this order, the last one for ever. */
function exclusively(...polls: Poll[]): Worker["poll"] {
  let at = 0;
  return async () => polls[Math.min(at++, polls.length - 1)] ?? pending;
}

/** Polls that stay on their way until the test lets them arrive. */
class SlowVendor {
  readonly asked: TaskId[] = [];
  mostAtOnce = 0;
  #open: { task: Task; answer(poll: Poll): void }[] = [];

  readonly poll = (task: Task): Promise<Poll> => {
    this.asked.push(task.id);
    return new Promise((answer) => {
      this.#open.push({ task, answer });
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#open.length);
    });
  };

  get openCount(): number {
    return this.#open.length;
  }

  answer(poll: Poll, count = this.#open.length): void {
    for (const one of this.#open.splice(0, count)) one.answer(poll);
    drainMicrotasks();
  }
}

function openBench(disk: Disk, worker: Partial<Worker>, rest: BenchOptions = {}): Bench {
  return new Bench({ ...rest, disk, worker });
}

/** A task whose start got no answer. */
function startUnknown(bench: Bench, changes: Partial<Task> = {}): Task {
  const task = now(bench.submit(changes));
  now(bench.book.change(task.id, { state: "unknown" }));
  bench.engine.watch(task);
  return task;
}

/** One a tick, so that their order is certain. */
function startInTurn(bench: Bench, count: number): Task[] {
  return Array.from({ length: count }, () => {
    bench.run(50);
    return bench.start();
  });
}

function stateOf(bench: Bench, { id }: Task): string {
  return String(bench.row(id)?.["state"]);
}

describe("the pace", () => {
  test("a vendor is asked after the first wait, then ever less, up to the longest", () => {
    using disk = new Disk();
    const askedAtMs: number[] = [];
    const bench = openBench(disk, {
      async poll() {
        askedAtMs.push(bench.time.monotonicMs());
        return pending;
      },
    });
    bench.start();
    bench.run(60_000);
    const waits = askedAtMs.map((atMs, at) => atMs - (askedAtMs[at - 1] ?? 0));
    expect(waits.slice(0, 7)).toEqual([2000, 3000, 4500, 6800, 10_000, 10_000, 10_000]);
  });

  test("chance moves each wait by a tenth at most", () => {
    using disk = new Disk();
    const bench = openBench(disk, {});
    const waits: number[] = [];
    for (const chance of [0, 0.25, 0.75, 0.999]) {
      let asked = 0;
      const one = new Bench({
        disk,
        random: () => chance,
        worker: { poll: async () => ((asked ||= one.time.monotonicMs()), pending) },
      });
      one.start();
      one.run(3000);
      waits.push(asked);
    }
    expect(bench.errors).toEqual([]);
    expect(waits).toEqual([1800, 1900, 2100, 2200]);
  });

  test("N23 a query has the vendor asked before its turn, unless it just was", () => {
    using disk = new Disk();
    let asked = 0;
    const bench = openBench(disk, { poll: async () => (asked++, pending) });
    const { id } = bench.start();
    bench.run(30_000);
    const before = asked;
    bench.engine.nudge(id);
    bench.run(100);
    const after = asked;
    bench.engine.nudge(id);
    bench.engine.nudge("task_none" as TaskId);
    bench.run(1000);
    expect([before, after, asked]).toEqual([before, before + 1, before + 1]);
    bench.run(60_000);
    // The turn that the query replaced is not taken a second time.
    expect(asked - after).toBeLessThanOrEqual(6);
  });

  test("a wall clock that jumps ends no task and puts none to sleep", () => {
    using disk = new Disk();
    let asked = 0;
    const bench = openBench(disk, { poll: async () => (asked++, working) });
    bench.time.jump(-86_400_000);
    const task = bench.start();
    bench.time.jump(86_400_000);
    bench.run(30_000);
    expect(stateOf(bench, task)).toBe("in_progress");
    bench.time.jump(-2 * 86_400_000);
    const before = asked;
    bench.run(30_000);
    expect(asked).toBeGreaterThanOrEqual(before + 3);
    bench.run(7_200_000);
    expect(stateOf(bench, task)).toBe("failed");
  });
});

describe("what a vendor says", () => {
  test("takes a task from the queue to its end, and charges for it once", () => {
    using disk = new Disk();
    const poll = exclusively(pending, { ...working, progress: 40 } as Poll, completed);
    const bench = openBench(disk, { poll });
    const task = bench.start();
    bench.run(60_000);
    expect(bench.changes).toEqual(["submitting 0", "queued 0", "in_progress 40", "completed 100"]);
    expect(bench.row(task.id)).toMatchObject({ state: "completed", progress: 100 });
    expect(bench.entries).toMatchObject([{ kind: "post", micros: 80 }]);
    expect(bench.sums?.["held_micros"]).toBe(0);
    expect(bench.violations).toEqual([]);
  });

  test("may be that it failed, and then it costs nothing", () => {
    using disk = new Disk();
    const bench = openBench(disk, { poll: exclusively(working, failed) });
    const task = bench.start();
    bench.run(60_000);
    expect(now(bench.book.find(task.id))).toMatchObject({
      state: "failed",
      error: { code: "filtered", message: "No cats." },
    });
    expect(bench.sums).toMatchObject({ available_micros: grantedMicros, spent_micros: 0 });
    expect(bench.entries).toMatchObject([{ kind: "void", loss_micros: 0 }]);
  });

  test("never takes a task that has begun back into the queue", () => {
    using disk = new Disk();
    const bench = openBench(disk, { poll: exclusively(working, pending, pending, completed) });
    bench.start();
    bench.run(60_000);
    expect(bench.changes).toEqual(["submitting 0", "queued 0", "in_progress 0", "completed 100"]);
  });

  test("of its progress counts in whole percent, upwards and short of all", () => {
    using disk = new Disk();
    const says = [12.7, 5, Number.NaN, 33.3, 100, 250, Number.POSITIVE_INFINITY, -4];
    const polls = says.map((progress) => ({ ...working, progress }) as Poll);
    const bench = openBench(disk, { poll: exclusively(...polls) });
    const task = bench.start();
    bench.run(120_000);
    expect(bench.changes.slice(2)).toEqual(["in_progress 12", "in_progress 33", "in_progress 99"]);
    now(bench.book.change(task.id, {}));
    expect(bench.row(task.id)).toMatchObject({ progress: 99 });
  });

  test("is asked again as long as it is unclear, or cannot be asked at all", () => {
    using disk = new Disk();
    let asked = 0;
    const bench = openBench(disk, {
      async poll() {
        asked++;
        if (asked < 4) return unclear;
        if (asked < 8) throw new TypeError("a bug");
        return completed;
      },
    });
    const task = bench.start();
    bench.run(120_000);
    expect(asked).toBe(8);
    expect(stateOf(bench, task)).toBe("completed");
    expect(bench.errors).toHaveLength(4);
  });

  test("that nobody will ever know is paid back, and noted as a loss", () => {
    using disk = new Disk();
    const error = { code: "task_failed", message: "Nobody knows." };
    const bench = openBench(disk, { poll: exclusively(working, { kind: "lost", error }) });
    const { id } = bench.start();
    bench.run(10_000);
    expect(bench.row(id)).toMatchObject({ state: "failed", error: JSON.stringify(error) });
    expect(bench.entries).toMatchObject([{ kind: "void", micros: 0, loss_micros: heldMicros }]);
    expect(bench.sums).toMatchObject({ available_micros: grantedMicros, held_micros: 0 });
  });

  test("of a task on the way is written once, and taken back when it is over", () => {
    using disk = new Disk();
    const said = { promptEn: null, description: null, buttons: [], properties: {} };
    const result: TaskResult = { kind: "img-f", image: null, isModal: true, ...said };
    const asks: Poll = { kind: "pending", state: "queued", progress: null, result };
    const goesOn: Poll = { kind: "pending", state: "in_progress", progress: null, result: null };
    const bench = openBench(disk, { poll: exclusively(asks, asks, goesOn, working) });
    const task = bench.start();
    const writes = disk.documents.length;
    bench.run(6000);
    expect(bench.book.latest(task)).toMatchObject({ state: "queued", result });
    expect(disk.documents).toHaveLength(writes + 1);
    bench.run(30_000);
    expect(bench.book.latest(task)).toMatchObject({ state: "in_progress", result: null });
    expect(disk.documents).toHaveLength(writes + 2);
  });
});

describe("the deadline", () => {
  const deadlineAtMs = 1_700_000_000_000 + 60_000;

  test.each([
    ["works on and on", async () => working],
    ["says nothing clear", async () => unclear],
    [
      "cannot be asked",
      async () => {
        throw new TypeError("a bug");
      },
    ],
    [
      "delivers what cannot be charged",
      async () => ({ ...completed, charge: { micros: micros(-1), usage: "" } }) as Poll,
    ],
  ])("ends a task whose vendor %s, and gives everything back", (_what, poll) => {
    using disk = new Disk();
    const bench = openBench(disk, { poll });
    const task = bench.start({ deadlineAtMs });
    bench.run(59_000);
    expect(bench.book.isOpen(task.id)).toBe(true);
    bench.run(25_000);
    expect(now(bench.book.find(task.id))).toMatchObject({
      state: "failed",
      error: { code: "task_expired" },
    });
    // It may be done some day, and then the vendor wants its money.
    expect(bench.entries).toMatchObject([{ kind: "void", micros: 0, loss_micros: heldMicros }]);
    expect(bench.sums).toMatchObject({ available_micros: grantedMicros, held_micros: 0 });
    expect(bench.violations).toEqual([]);
  });

  test("does not take away what is done at last", () => {
    using disk = new Disk();
    const slow = new SlowVendor();
    const bench = openBench(disk, { poll: slow.poll });
    const task = bench.start({ deadlineAtMs });
    bench.run(90_000);
    slow.answer(completed);
    expect(stateOf(bench, task)).toBe("completed");
  });
});

describe("a start that got no answer", () => {
  test("is taken up where the vendor knows of it", () => {
    using disk = new Disk();
    let searches = 0;
    const bench = openBench(disk, {
      find: async () => (++searches < 3 ? "unclear" : { operation: "found" }),
      poll: exclusively(completed),
    });
    const task = startUnknown(bench);
    bench.run(60_000);
    expect(bench.row(task.id)).toMatchObject({ state: "completed", operation: "found" });
    expect(searches).toBe(3);
    expect(bench.entries).toMatchObject([{ kind: "post", micros: 80 }]);
  });

  test("never happened when the vendor has said so three times", () => {
    using disk = new Disk();
    let searches = 0;
    const bench = openBench(disk, { find: async () => (searches++, "absent") });
    const task = startUnknown(bench);
    bench.run(60_000);
    expect(searches).toBe(3);
    expect(stateOf(bench, task)).toBe("failed");
    expect(bench.entries).toMatchObject([{ kind: "void", loss_micros: 0 }]);
  });

  test("may be a loss where the vendor cannot be asked", () => {
    using disk = new Disk();
    const bench = openBench(disk, { find: async () => "never" });
    const task = startUnknown(bench);
    bench.run(10_000);
    expect(stateOf(bench, task)).toBe("failed");
    expect(bench.entries).toMatchObject([{ kind: "void", loss_micros: heldMicros }]);
    expect(bench.sums).toMatchObject({ available_micros: grantedMicros });
  });

  test("may be a loss when nothing became clear in time", () => {
    using disk = new Disk();
    const bench = openBench(disk, { find: async () => "unclear" });
    const task = startUnknown(bench, { deadlineAtMs: bench.time.nowMs() + 30_000 });
    bench.run(25_000);
    expect(stateOf(bench, task)).toBe("unknown");
    bench.run(20_000);
    expect(stateOf(bench, task)).toBe("failed");
    expect(bench.entries).toMatchObject([{ kind: "void", loss_micros: heldMicros }]);
  });

  test("that is found at the last moment is looked at once more", () => {
    using disk = new Disk();
    const bench = openBench(disk, {
      find: async () => (bench.time.monotonicMs() < 31_000 ? "unclear" : { operation: "found" }),
      poll: exclusively(completed),
    });
    const task = startUnknown(bench, { deadlineAtMs: bench.time.nowMs() + 30_000 });
    bench.run(90_000);
    expect(stateOf(bench, task)).toBe("completed");
  });
});

describe("a channel", () => {
  test("has no more polls at once than it may, and all others wait in line", () => {
    using disk = new Disk();
    const slow = new SlowVendor();
    const bench = openBench(disk, { poll: slow.poll, pollsMax: () => 3 });
    const tasks = startInTurn(bench, 10);
    bench.run(5000);
    expect(slow.asked).toEqual(tasks.slice(0, 3).map(({ id }) => id));
    slow.answer(pending, 1);
    // The next in line does not wait for a tick.
    expect(slow.asked).toEqual(tasks.slice(0, 4).map(({ id }) => id));
    for (let at = 0; at < 6; at++) slow.answer(pending, 1);
    expect(slow.asked).toEqual(tasks.map(({ id }) => id));
    expect(slow.mostAtOnce).toBe(3);
  });

  test("that is slow does not hold up another one", () => {
    using disk = new Disk();
    const slow = new SlowVendor();
    const other = "chn_2" as ChannelId;
    const bench = openBench(disk, {
      poll: (task) => (task.channelId === other ? Promise.resolve(completed) : slow.poll(task)),
      pollsMax: () => 1,
    });
    bench.start();
    bench.start();
    const quick = bench.start({ channelId: other });
    bench.run(5000);
    expect(slow.openCount).toBe(1);
    expect(stateOf(bench, quick)).toBe("completed");
  });

  test("goes on with its line when those in front have ended or are being changed", () => {
    using disk = new Disk();
    const slow = new SlowVendor();
    const bench = openBench(disk, { poll: slow.poll, pollsMax: () => 1 });
    const [first, ended, changing, last] = startInTurn(bench, 4);
    if (!first || !ended || !changing || !last) throw new Error("four were started");
    bench.run(3000);
    expect(slow.asked).toEqual([first.id]);
    now(bench.book.fail(ended.id, { code: "cancelled", message: "" }));
    bench.isStuck = true;
    const change = bench.book.change(changing.id, { progress: 1 });
    slow.answer(pending);
    expect(slow.asked).toEqual([first.id, last.id]);
    bench.unstick();
    now(change);
    slow.answer(pending);
    bench.run(100);
    expect(slow.asked).toEqual([first.id, last.id, changing.id]);
  });
});

describe("the engine", () => {
  test("takes no answer any more once it is closed", () => {
    using disk = new Disk();
    const slow = new SlowVendor();
    const bench = openBench(disk, { poll: slow.poll, pollsMax: () => 1 });
    const task = bench.start();
    const other = bench.start();
    bench.run(3000);
    bench.engine.close();
    slow.answer(completed);
    bench.run(30_000);
    expect(slow.asked).toEqual([task.id]);
    expect([stateOf(bench, task), stateOf(bench, other)]).toEqual(["queued", "queued"]);
    expect(bench.entries).toEqual([]);
  });

  test("leaves alone what was ended while the vendor was asked", () => {
    using disk = new Disk();
    const slow = new SlowVendor();
    const bench = openBench(disk, { poll: slow.poll });
    const task = bench.start();
    bench.run(3000);
    now(bench.book.fail(task.id, { code: "cancelled", message: "" }));
    slow.answer(completed);
    bench.run(30_000);
    expect(slow.asked).toHaveLength(1);
    expect(bench.entries).toMatchObject([{ kind: "void" }]);
    expect(bench.ledger.closedTwice).toBe(0);
    expect(bench.errors).toEqual([]);
  });

  test("ends ten thousand tasks, each once", () => {
    using disk = new Disk();
    const polls = new Map<TaskId, number>();
    const bench = openBench(disk, {
      async poll({ id }) {
        const count = (polls.get(id) ?? 0) + 1;
        polls.set(id, count);
        if (count === 1) return working;
        return count === 2 ? pending : Number(id.slice(-1)) % 2 === 0 ? completed : failed;
      },
    });
    const submitted = Array.from({ length: 10_000 }, () => bench.submit({ heldMicros: 90 }));
    const tasks = submitted.map(now);
    const started = tasks.map(({ id }) => bench.book.change(id, { state: "queued" }));
    for (const [at, change] of started.entries()) {
      now(change);
      const task = tasks[at];
      if (task) bench.engine.watch(task);
    }
    expect(bench.book.openCount).toBe(10_000);
    bench.run(20_000);
    expect(bench.book.openCount).toBe(0);
    expect(disk.rows("select state, count(*) as count from task group by state")).toEqual([
      { state: "completed", count: 5000 },
      { state: "failed", count: 5000 },
    ]);
    expect(bench.sums).toMatchObject({ held_micros: 0, spent_micros: 5000 * 80 });
    expect(bench.violations).toEqual([]);
    expect(bench.ledger.closedTwice).toBe(0);
  });
});
