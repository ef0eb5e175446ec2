import { expect, test } from "bun:test";
import { FetchFailed } from "../../media/fetch.ts";
import { NotMedia } from "../../media/media.ts";
import { Disk, grantedMicros, now } from "../../tasks/fixtures/book-and-engine.ts";
import { arkChannel, Stand, workspaceValue } from "./fixtures/video-tasks.ts";
import type { KeptResult } from "./worker.ts";

const kept: KeptResult = { mediaId: "med_2.mp4", bytes: 9, type: "video/mp4", seconds: 4 };

/** A stand whose first task is done at the vendor. */
function finished(stand: Stand) {
  const task = now(stand.submit());
  for (const job of stand.ark.jobs) job.status = "succeeded";
  return task;
}

test("a result that could not be copied at first is copied later", () => {
  using disk = new Disk();
  let copies = 0;
  const stand = new Stand({
    disk,
    keep: async () => {
      if (++copies < 4) throw new Error("the vendor's storage is slow");
      return kept;
    },
  });
  const task = finished(stand);
  stand.bench.run(60_000);
  expect(stand.bench.book.latest(task)).toMatchObject({
    state: "completed",
    result: { kind: "kept", mediaId: "med_2.mp4" },
  });
});

test("a result that cannot be copied stays with the vendor, and is copied when it is wanted", () => {
  using disk = new Disk();
  let isDown = true;
  const stand = new Stand({
    disk,
    keep: async () => {
      if (isDown) throw new Error("the storage is full");
      return kept;
    },
  });
  const task = finished(stand);
  stand.bench.run(60_000);
  expect(stand.bench.book.isOpen(task.id)).toBe(true);
  stand.bench.run(60_000);
  const done = stand.bench.book.latest(task);
  expect(done).toMatchObject({ state: "completed", result: { kind: "vendor" } });
  expect(stand.bench.entries).toMatchObject([{ kind: "post", micros: 4 * 90_000 }]);
  isDown = false;
  const result = now(stand.worker.copyLate(done));
  expect(result).toMatchObject({ kind: "kept", mediaId: "med_2.mp4" });
  if (result) now(stand.bench.book.move(done, result));
  expect(stand.bench.row(task.id)).toMatchObject({ result: JSON.stringify(result) });
  expect(stand.bench.violations).toEqual([]);
});

test("a result that can never be fetched is not charged, and noted as a loss", () => {
  using disk = new Disk();
  const stand = new Stand({ disk, keep: () => Promise.reject(new FetchFailed("gs:// is none")) });
  const task = finished(stand);
  const { heldMicros } = task;
  stand.bench.run(120_000);
  expect(stand.bench.book.latest(task)).toMatchObject({
    state: "failed",
    error: { code: "task_failed" },
  });
  expect(stand.bench.entries).toMatchObject([{ kind: "void", micros: 0, loss_micros: heldMicros }]);
  expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros });
  expect(stand.bench.violations).toEqual([]);
});

test("a result that is no video is none, and costs nothing", () => {
  using disk = new Disk();
  const stand = new Stand({ disk, keep: () => Promise.reject(new NotMedia("a page")) });
  const task = finished(stand);
  stand.bench.run(120_000);
  expect(stand.bench.book.latest(task)).toMatchObject({
    state: "failed",
    error: { code: "task_failed" },
  });
  expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros });
});

test("a task goes on when its channel takes no new work any more", () => {
  using disk = new Disk();
  const retired = [arkChannel("one")];
  const stand = new Stand({ disk, retired });
  const task = finished(stand);
  stand.needs.vendors.channels.replace([]);
  stand.bench.run(10_000);
  expect(stand.bench.row(task.id)).toMatchObject({ state: "completed" });
});

test("a task whose channel is gone waits for its deadline", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = finished(stand);
  stand.needs.vendors.channels.replace([]);
  stand.bench.run(60_000);
  expect(stand.bench.book.isOpen(task.id)).toBe(true);
  stand.needs.vendors.channels.replace([arkChannel("one")]);
  stand.bench.run(15_000);
  expect(stand.bench.row(task.id)).toMatchObject({ state: "completed" });
});

test.each(["sk-of-one-0123", workspaceValue])("what a vendor says does not show %p", (secret) => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = now(stand.submit());
  for (const job of stand.ark.jobs) {
    job.status = "failed";
    job.error = { code: `X ${secret}`, message: `${secret} has no cats` };
  }
  stand.bench.run(10_000);
  expect(stand.bench.book.latest(task).error).toEqual({
    code: "X [secret]",
    message: "[secret] has no cats",
  });
});
