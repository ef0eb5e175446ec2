// Several nodes over one store. A frozen node is one whose timers do not ring while time goes on.
import { describe, expect, test } from "bun:test";
import { drainMicrotasks } from "bun:jsc";
import { SimulatedTime } from "../../test/sim/simulated-time.ts";
import { GatewayError } from "../core/errors.ts";
import { Bench, completed, Disk, grantedMicros, now, working } from "./fixtures/book-and-engine.ts";
import type { Poll, Worker } from "./engine.ts";
import { Lease, leaseMs, marginMs, renewMs } from "./lease.ts";
import type { Task } from "./task.ts";

function openLease(time: SimulatedTime, isSole = false): Lease {
  const random = { bytes: (count: number) => new Uint8Array(count).fill(7), unit: () => 0 };
  return new Lease({ clock: time, random, isSole });
}

/** A vendor whose answers arrive when the test says so. */
class HeldVendor {
  #answers: ((poll: Poll) => void)[] = [];
  asked = 0;

  readonly poll: Worker["poll"] = () => {
    this.asked++;
    return new Promise((resolve) => this.#answers.push(resolve));
  };

  answer(poll: Poll): void {
    for (const answer of this.#answers.splice(0)) answer(poll);
    drainMicrotasks();
  }
}

interface Nodes {
  time: SimulatedTime;
  open(shared: string, worker?: Partial<Worker>): Bench;
}

function nodesOver(disk: Disk): Nodes {
  const time = new SimulatedTime();
  return { time, open: (shared, worker = {}) => new Bench({ disk, time, shared, worker }) };
}

/** Time goes by for all of them. */
function runTogether(benches: readonly Bench[], forMs: number): void {
  const [first, ...others] = benches;
  for (let passedMs = 0; passedMs < forMs; passedMs += 50) {
    first?.run(50);
    for (const { timers } of others) timers.ringDue();
    drainMicrotasks();
  }
}

function rowOf(bench: Bench, { id }: Task) {
  const { state, owner } = bench.row(id) ?? {};
  return { state, owner };
}

function expectOneCharge(bench: Bench): void {
  expect(bench.entries).toMatchObject([{ kind: "post", micros: 80 }]);
  expect(bench.sums).toMatchObject({ available_micros: grantedMicros - 80, held_micros: 0 });
  expect(bench.violations).toEqual([]);
  expect(bench.ledger.closedTwice).toBe(0);
}

describe("a lease", () => {
  test("is held from the start, and for as long as it is renewed", () => {
    const time = new SimulatedTime();
    const lease = openLease(time);
    expect([lease.isHeld, lease.isDue]).toEqual([true, false]);
    time.advance(renewMs);
    expect([lease.isHeld, lease.isDue]).toEqual([true, true]);
    const renewal = lease.renew();
    expect(renewal.untilMs).toBe(time.nowMs() + leaseMs);
    expect(lease.isDue).toBe(true);
    renewal.written();
    expect(lease.isDue).toBe(false);
    time.advance(leaseMs - marginMs - 1);
    expect(lease.isHeld).toBe(true);
    time.advance(1);
    expect(lease.isHeld).toBe(false);
  });

  test("counts from before the renewal was written, however long that took", () => {
    const time = new SimulatedTime();
    const lease = openLease(time);
    const renewal = lease.renew();
    time.advance(leaseMs);
    renewal.written();
    expect(lease.isHeld).toBe(false);
  });

  test("is not moved by a wall clock that jumps", () => {
    const time = new SimulatedTime();
    const lease = openLease(time);
    time.jump(86_400_000);
    expect(lease.isHeld).toBe(true);
    time.jump(-2 * 86_400_000);
    time.advance(leaseMs);
    expect(lease.isHeld).toBe(false);
  });

  test("does not run out where there can be no other node, and ends all the same", () => {
    const time = new SimulatedTime();
    const lease = openLease(time, true);
    time.advance(10 * leaseMs);
    expect([lease.isHeld, lease.isDue]).toEqual([true, true]);
    lease.end();
    expect(lease.isHeld).toBe(false);
  });
});

describe("a node", () => {
  test("that freezes is replaced, and when it wakes up it settles nothing", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const vendor = new HeldVendor();
    const first = nodes.open("a", vendor);
    const second = nodes.open("b", { poll: async () => completed });
    const task = first.start();
    runTogether([first, second], 5000);
    expect(vendor.asked).toBe(1);
    second.run(leaseMs - 6000);
    expect(rowOf(second, task)).toEqual({ state: "queued", owner: first.lease.owner });
    second.run(20_000);
    expect(rowOf(second, task)).toEqual({ state: "completed", owner: null });
    // The answer that it was waiting for is the first thing that reaches it.
    vendor.answer(completed);
    runTogether([first, second], 60_000);
    expect(vendor.asked).toBe(1);
    expect([first.forgotten, second.taken]).toEqual([[task.id], [task.id]]);
    expect(first.book.isOpen(task.id)).toBe(false);
    expect(now(first.book.find(task.id))).toMatchObject({ state: "completed" });
    expectOneCharge(second);
    expect(first.ledger.closedTwice).toBe(0);
    // Nothing of it keeps the account in memory any more.
    expect(now(first.balances.account(task.accountId))?.uses).toBe(0);
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  test("that froze between its decision and the disk is refused there", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const vendor = new HeldVendor();
    const first = nodes.open("a", { poll: async () => completed });
    const second = nodes.open("b", vendor);
    const task = first.start();
    first.isStuck = true;
    first.run(5000);
    expect(first.book.peek(task.id)).toBeNull();
    second.run(2 * leaseMs);
    first.unstick();
    expect(first.errors.join()).toContain("0 rows changed");
    expect(rowOf(second, task)).toEqual({ state: "queued", owner: second.lease.owner });
    expect(second.entries).toEqual([]);
    vendor.answer(completed);
    expect(rowOf(second, task)).toEqual({ state: "completed", owner: null });
    expectOneCharge(second);
  });

  test("that froze and was not replaced goes on with what is still its own", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    let polls = 0;
    const poll = async () => (++polls < 4 ? working : completed);
    const first = nodes.open("a", { poll });
    const task = first.start();
    first.run(3000);
    nodes.time.advance(3 * leaseMs);
    expect(first.lease.isHeld).toBe(false);
    expect(now(first.book.fail(task.id, { code: "x", message: "" }))).toBe(false);
    expect(() => now(first.submit())).toThrow(GatewayError);
    expect(() => first.book.assertHeld()).toThrow(GatewayError);
    first.run(30_000);
    expect(first.lease.isHeld).toBe(true);
    expect([first.forgotten, first.taken]).toEqual([[task.id], [task.id]]);
    expect(rowOf(first, task)).toEqual({ state: "completed", owner: null });
    expectOneCharge(first);
  });

  test("that froze for less than others wait for has its tasks back at once", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const first = nodes.open("a");
    const task = first.start();
    nodes.time.advance(leaseMs - marginMs);
    expect(first.lease.isHeld).toBe(false);
    first.run(500);
    expect([first.lease.isHeld, first.book.isOpen(task.id)]).toEqual([true, true]);
    expect(first.taken).toEqual([task.id]);
  });

  test("that lives keeps its tasks for as long as they take, for a few statements a minute", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const benches = [nodes.open("a"), nodes.open("b")] as const;
    const [first, second] = benches;
    const task = first.start();
    let commits = 0;
    const { commit } = first.store;
    first.store.commit = (list) => (commits++, commit(list));
    runTogether(benches, 600_000);
    expect(rowOf(first, task)).toEqual({ state: "queued", owner: first.lease.owner });
    expect([second.taken, first.forgotten]).toEqual([[], []]);
    // Sixty renewals, and a look every five seconds for what others left.
    expect(commits).toBeLessThanOrEqual(60 + 120);
  });

  test("whose tasks were taken although it lives finds out when it renews", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const vendor = new HeldVendor();
    const first = nodes.open("a", vendor);
    const task = first.start();
    const added = first.start();
    const sql = `update task set owner = 'node_other' where id = '${task.id}'`;
    disk.connection.commit([], [{ sql, parameters: [] }], false);
    first.run(renewMs + 1000);
    expect(first.forgotten).toEqual([task.id]);
    expect(first.book.isOpen(added.id)).toBe(true);
    vendor.answer(completed);
    first.run(1000);
    expect(rowOf(first, task)).toEqual({ state: "queued", owner: "node_other" });
    expect(rowOf(first, added)).toMatchObject({ state: "completed" });
    expect(first.entries).toMatchObject([{ id: added.id, kind: "post" }]);
    expect(first.violations).toEqual([]);
  });

  test("that died while it was calling a vendor leaves a task that is looked for", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const first = nodes.open("a");
    const task = now(first.submit());
    const second = nodes.open("b", {
      find: async () => ({ operation: "found" }),
      poll: async () => completed,
    });
    second.run(2 * leaseMs);
    expect(second.row(task.id)).toMatchObject({ state: "completed", operation: "found" });
    expectOneCharge(second);
  });

  test("that stops lets go at once, and the next need not wait", () => {
    using disk = new Disk();
    const nodes = nodesOver(disk);
    const first = nodes.open("a");
    const task = first.start();
    first.engine.close();
    now(first.engine.release());
    expect(rowOf(first, task)).toEqual({ state: "queued", owner: null });
    expect(now(first.book.change(task.id, { progress: 5 }))).toBe(false);
    const second = nodes.open("b", { poll: async () => completed });
    now(second.engine.resume());
    second.run(1000);
    expect(rowOf(second, task)).toEqual({ state: "completed", owner: null });
    expectOneCharge(second);
  });

  test("that stops waits for what is on its way to the disk", () => {
    using disk = new Disk();
    const first = nodesOver(disk).open("a");
    const task = first.start();
    first.isStuck = true;
    const change = first.book.change(task.id, { state: "in_progress" });
    first.engine.close();
    const release = first.engine.release();
    drainMicrotasks();
    expect(rowOf(first, task)).toEqual({ state: "queued", owner: first.lease.owner });
    first.unstick();
    expect(now(change)).toBe(true);
    now(release);
    expect(rowOf(first, task)).toEqual({ state: "in_progress", owner: null });
    expect(first.errors).toEqual([]);
  });

  test("that stops when the database is gone stops all the same", () => {
    using disk = new Disk();
    const first = nodesOver(disk).open("a");
    const task = first.start();
    first.store.commit = () => Promise.reject(new Error("the disk is gone"));
    first.engine.close();
    now(first.engine.release());
    expect(rowOf(first, task)).toEqual({ state: "queued", owner: first.lease.owner });
  });

  test("that cannot renew for a while goes on once it can", () => {
    using disk = new Disk();
    const first = nodesOver(disk).open("a");
    const task = first.start();
    const { commit } = first.store;
    first.store.commit = () => Promise.reject(new Error("the disk is full"));
    first.run(renewMs + 5000);
    expect([first.lease.isHeld, first.errors.length > 0]).toEqual([true, true]);
    first.run(leaseMs);
    expect(first.lease.isHeld).toBe(false);
    first.store.commit = commit;
    first.run(5000);
    expect(first.lease.isHeld).toBe(true);
    expect(first.book.isOpen(task.id)).toBe(true);
    expect(first.ledger.closedTwice).toBe(0);
  });

  test("of which there can be but one takes everything over at once", () => {
    using disk = new Disk();
    const first = new Bench({ disk });
    const task = first.start();
    const second = new Bench({ disk, time: first.time, worker: { poll: async () => completed } });
    expect(now(second.engine.resume()).map(({ id }) => id)).toEqual([task.id]);
    second.run(1000);
    expect(rowOf(second, task)).toEqual({ state: "completed", owner: null });
    expectOneCharge(second);
  });
});

test("two nodes that claim the same task do not both get it", () => {
  using disk = new Disk();
  const nodes = nodesOver(disk);
  const task = nodes.open("a").start();
  nodes.time.advance(leaseMs + 1);
  const benches = [nodes.open("b"), nodes.open("c")] as const;
  runTogether(benches, 1000);
  const taken = benches.map((bench) => bench.taken.length);
  expect(taken.toSorted()).toEqual([0, 1]);
  const winner = benches.find((bench) => bench.book.isOpen(task.id));
  expect(rowOf(benches[0], task)).toEqual({ state: "queued", owner: winner?.lease.owner });
});
