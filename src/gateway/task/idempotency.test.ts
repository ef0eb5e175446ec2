import { expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { type accountId, Disk, grantedMicros, now } from "../../tasks/fixtures/book-and-engine.ts";
import type { CreatedTask } from "./idempotency.ts";
import { caller as creator, Stand } from "../video/fixtures/video-tasks.ts";

const dayMs = 86_400_000;
const other = "acc_2" as typeof accountId;
const refused = { status: 400, json: { error: { code: "InvalidParameter", message: "No." } } };

function create(stand: Stand, key: string, changes: JsonObject = {}): Promise<CreatedTask> {
  const digest = JSON.stringify(changes);
  return stand.creates.once(creator, { key, digest }, (one) =>
    stand.submit(changes, { create: one }),
  );
}

function codeOf(work: Promise<unknown>): string {
  try {
    now(work);
    return "none";
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

test("N14 the same create makes one task, and is shown it as it is", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const first = now(create(stand, "k"));
  expect(first).toMatchObject({ isRepeated: false, task: { state: "queued" } });
  const [job] = stand.ark.jobs;
  if (job) job.status = "succeeded";
  stand.bench.run(10_000);
  const again = now(create(stand, "k"));
  expect(again).toMatchObject({ isRepeated: true, task: { state: "completed" } });
  expect(again.task.id).toBe(first.task.id);
  expect(stand.ark.jobs).toHaveLength(1);
});

test("N14 another body with the same key is a conflict, another key or account is not", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  now(create(stand, "k"));
  expect(codeOf(create(stand, "k", { prompt: "A dog" }))).toBe("conflict");
  const making = stand.creates.once(
    { ...creator, accountId: other },
    { key: "k", digest: "d" },
    () => stand.submit(),
  );
  expect(now(making).isRepeated).toBe(false);
  expect(stand.ark.jobs).toHaveLength(2);
});

test("N14 of many at once exactly one makes the task and the others wait for it", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  stand.bench.isStuck = true;
  const racing = Array.from({ length: 5 }, () => create(stand, "k"));
  const odd = create(stand, "k", { prompt: "A dog" });
  expect(codeOf(odd)).toBe("conflict");
  stand.bench.run(500);
  expect(() => now(racing[4] ?? odd)).toThrow("not done yet");
  stand.bench.unstick();
  const made = racing.map(now);
  expect(new Set(made.map(({ task }) => task.id)).size).toBe(1);
  expect(made.map(({ isRepeated }) => isRepeated)).toEqual([false, true, true, true, true]);
  expect(stand.ark.jobs).toHaveLength(1);
});

test("N14 a create that failed frees its key, also for another body", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  stand.ark.starts.set("one.example", [refused]);
  expect(codeOf(create(stand, "k"))).toBe("upstream_refused");
  expect(codeOf(create(stand, "poor", { duration: 15 }))).toBe("insufficient_user_quota");
  expect(now(create(stand, "k", { prompt: "A dog" })).isRepeated).toBe(false);
  expect(now(create(stand, "poor", { duration: 4 })).isRepeated).toBe(false);
  expect(stand.bench.violations).toEqual([]);
});

test("N14 those who waited for a create that failed are told the same", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  stand.ark.starts.set("one.example", [refused]);
  const racing = [create(stand, "k"), create(stand, "k")];
  expect(racing.map(codeOf)).toEqual(["upstream_refused", "upstream_refused"]);
  expect(stand.ark.requests).toHaveLength(1);
});

test("N14 the next process knows the create, and forgets it after a day", async () => {
  using disk = new Disk();
  const first = new Stand({ disk });
  const { task } = now(create(first, "k"));
  const { ark, bench } = first;
  const second = new Stand({ disk, ark, time: bench.time });
  second.resume();
  expect(now(create(second, "k"))).toMatchObject({ isRepeated: true, task: { id: task.id } });
  bench.time.jump(dayMs - 1000);
  await second.creates.expire();
  expect(now(create(second, "k")).isRepeated).toBe(true);
  bench.time.jump(2000);
  expect(now(create(second, "k", { prompt: "A dog" })).isRepeated).toBe(false);
  bench.time.jump(2 * dayMs);
  await second.creates.expire();
  expect(disk.rows("select * from idempotent_create")).toEqual([]);
});

test("N14 what was made and paid for and deleted since is not made again", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const { task } = now(create(stand, "k"));
  const [job] = stand.ark.jobs;
  if (job) job.status = "succeeded";
  stand.bench.run(10_000);
  now(stand.bench.book.remove(task));
  expect(codeOf(create(stand, "k"))).toBe("conflict");
  expect(stand.ark.jobs).toHaveLength(1);
});

test("N14 what a create made is found by its key alone, also while it is being made", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const { bench, creates, ark } = stand;
  expect(now(creates.findMade(creator, "k"))).toBeNull();
  bench.isStuck = true;
  const making = create(stand, "k");
  const found = creates.findMade(creator, "k");
  expect(() => now(found)).toThrow("not done yet");
  bench.unstick();
  const { task } = now(making);
  expect(now(found)?.id).toBe(task.id);
  expect(now(creates.findMade({ ...creator, accountId: other }, "k"))).toBeNull();
  ark.starts.set("one.example", [refused]);
  expect(codeOf(create(stand, "refused"))).toBe("upstream_refused");
  expect(now(creates.findMade(creator, "refused"))).toBeNull();
  bench.time.jump(dayMs + 1000);
  expect(now(creates.findMade(creator, "k"))).toBeNull();
});

test("N14 a process that died while it made the task leaves a key that finds it, or is free", () => {
  for (let atWrite = 0; atWrite < 3; atWrite++) {
    for (const isKept of [true, false]) {
      using disk = new Disk();
      const first = new Stand({ disk, death: { atWrite, isKept } });
      void create(first, "k");
      first.bench.run(500);
      const { ark, bench } = first;
      const second = new Stand({ disk, ark, time: bench.time });
      second.resume();
      const made = now(create(second, "k"));
      expect(disk.rows("select count(*) as count from task")).toEqual([{ count: 1 }]);
      expect(made.isRepeated).toBe(atWrite > 0 || isKept);
      second.bench.run(60_000);
      expect(ark.jobs.length).toBeLessThanOrEqual(1);
      expect(second.bench.violations).toEqual([]);
      expect(Number(second.bench.sums?.["available_micros"])).toBeLessThanOrEqual(grantedMicros);
    }
  }
});
