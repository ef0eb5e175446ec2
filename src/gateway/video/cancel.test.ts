import { expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { Disk, grantedMicros, now } from "../../tasks/fixtures/book-and-engine.ts";
import type { Task } from "../../tasks/task.ts";
import { cancelVideo } from "./cancel.ts";
import { arkChannel, Stand } from "./fixtures/video-tasks.ts";

function codeOf(work: Promise<unknown>): string {
  try {
    now(work);
    return "none";
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

function start(stand: Stand): Task {
  return now(stand.submit({}, { webhookUrl: "https://hooks.example/" }));
}

test("N4 a task that waits at its vendor is stopped there, paid back and gone", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = start(stand);
  now(cancelVideo(stand.cancelling, task));
  expect(stand.ark.jobs).toMatchObject([{ status: "cancelled" }]);
  expect(now(stand.bench.book.find(task.id))).toBeNull();
  expect(stand.bench.row(task.id)).toMatchObject({
    state: "failed",
    error: JSON.stringify({ code: "cancelled", message: "The task was cancelled." }),
  });
  expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros, held_micros: 0 });
  // The canceller knows already.
  expect(disk.rows("select * from webhook_delivery")).toEqual([]);
  stand.bench.run(30_000);
  expect(stand.bench.entries).toHaveLength(1);
});

test("N4 a task that its vendor does not stop goes on", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = start(stand);
  const [job] = stand.ark.jobs;
  if (job) job.status = "running";
  expect(codeOf(cancelVideo(stand.cancelling, task))).toBe("task_not_finished");
  expect(stand.bench.book.isOpen(task.id)).toBe(true);
});

test("N4 a task of a vendor that stops nothing, or of which nothing is known, goes on", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = start(stand);
  const { book } = stand.bench;
  const { channelId, operation } = task;
  now(book.change(task.id, { channelId: arkChannel("none").id }));
  expect(codeOf(cancelVideo(stand.cancelling, task))).toBe("task_not_finished");
  now(book.change(task.id, { channelId, operation: null }));
  expect(codeOf(cancelVideo(stand.cancelling, task))).toBe("task_not_finished");
  now(book.change(task.id, { operation }));
  expect(stand.ark.jobs).toMatchObject([{ status: "queued" }]);
});

test("N4 a vendor that cannot be asked leaves the task as it is", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = start(stand);
  stand.ark.isDown = true;
  expect(codeOf(cancelVideo(stand.cancelling, task))).toBe("do_request_failed");
  expect(stand.bench.book.isOpen(task.id)).toBe(true);
});

test("N4 a task that ends while it is cancelled is settled once", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const { book } = stand.bench;
  const task = start(stand);
  stand.bench.isStuck = true;
  const failing = book.fail(task.id, { code: "task_cancelled", message: "" });
  const cancelling = cancelVideo(stand.cancelling, task);
  expect(() => now(cancelling)).toThrow("not done yet");
  stand.bench.unstick();
  now(failing);
  now(cancelling);
  expect(now(book.find(task.id))).toBeNull();
  expect(stand.bench.entries).toHaveLength(1);
  expect(stand.bench.ledger.closedTwice).toBe(0);
});

test("N4 a task that is being changed is cancelled right after", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const { book } = stand.bench;
  const task = start(stand);
  stand.bench.isStuck = true;
  const changing = book.change(task.id, { state: "in_progress" });
  const cancelling = cancelVideo(stand.cancelling, task);
  expect(() => now(cancelling)).toThrow("not done yet");
  stand.bench.unstick();
  now(changing);
  now(cancelling);
  expect(stand.bench.row(task.id)).toMatchObject({ state: "failed" });
  expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros });
});
