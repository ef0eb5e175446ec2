import { expect, test } from "bun:test";
import { drainMicrotasks } from "bun:jsc";
import { GatewayError } from "../../core/errors.ts";
import { taken } from "../../core/later.ts";
import { readEvents } from "../../core/sse.ts";
import { Disk, now } from "../../tasks/fixtures/book-and-engine.ts";
import type { ByteSource } from "../answer.ts";
import { sourcesPerAccountMax } from "./events.ts";
import { Stand } from "../video/fixtures/video-tasks.ts";

/** Reads on its own, as a client does. */
class Reader {
  readonly types: string[] = [];
  isOver = false;

  constructor(source: ByteSource) {
    void this.#read(source);
    drainMicrotasks();
  }

  async #read(source: ByteSource): Promise<void> {
    const next = () => taken((ready) => source.take(ready));
    for (let bytes = await next(); bytes; bytes = await next()) {
      this.types.push(...typesIn(bytes));
    }
    this.isOver = true;
  }
}

function typesIn(bytes: Uint8Array): string[] {
  return readEvents(new TextDecoder().decode(bytes)).map(({ data }) => {
    const event: { type: string; data: { id: string } } = JSON.parse(data);
    expect(event.data.id).toStartWith("task_");
    return event.type;
  });
}

function set({ ark, bench }: Stand, status: "running" | "succeeded"): void {
  for (const job of ark.jobs) job.status = status;
  bench.run(15_000);
}

test("N15 a task's changes come as they happen, from how it is until it has ended", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = now(stand.submit());
  const early = new Reader(stand.events.open(task));
  expect(early.types).toEqual(["video.queued"]);
  set(stand, "running");
  const late = new Reader(stand.events.open(task));
  expect(late.types).toEqual(["video.in_progress"]);
  set(stand, "succeeded");
  expect(early.types).toEqual(["video.queued", "video.in_progress", "video.completed"]);
  expect(late.types).toEqual(["video.in_progress", "video.completed"]);
  expect([early.isOver, late.isOver]).toEqual([true, true]);
});

test("N15 of a task that has ended there is the end alone", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = now(stand.submit());
  set(stand, "succeeded");
  const reader = new Reader(stand.events.open(task));
  expect([reader.types, reader.isOver]).toEqual([["video.completed"], true]);
});

test("a slow reader is told the last of each state", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = now(stand.submit());
  const source = stand.events.open(task);
  const { book } = stand.bench;
  now(book.change(task.id, { state: "in_progress" }));
  for (let progress = 1; progress < 90; progress++) book.note(task.id, progress);
  now(book.fail(task.id, { code: "filtered", message: "" }));
  const reader = new Reader(source);
  expect(reader.types).toEqual(["video.queued", "video.in_progress", "video.failed"]);
});

test("a reader that leaves costs nothing more, and one more may come for it", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const task = now(stand.submit());
  const sources = Array.from({ length: sourcesPerAccountMax }, () => stand.events.open(task));
  expect(() => stand.events.open(task)).toThrow(GatewayError);
  const reader = new Reader(sources[0] ?? stand.events.open(task));
  sources[0]?.cancel();
  drainMicrotasks();
  expect(reader.isOver).toBe(true);
  sources[0]?.cancel();
  stand.events.open(task);
  expect(() => stand.events.open(task)).toThrow(GatewayError);
});

test("every reader is let go when the process ends", () => {
  using disk = new Disk();
  const stand = new Stand({ disk });
  const readers = [stand.submit(), stand.submit()].map((task) => stand.events.open(now(task)));
  const reading = readers.map((source) => new Reader(source));
  stand.events.close();
  drainMicrotasks();
  expect(reading.map(({ isOver }) => isOver)).toEqual([true, true]);
});
