import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { Disk, grantedMicros, now, type Death } from "../../tasks/fixtures/book-and-engine.ts";
import { neverSent } from "./task/perform.ts";
import {
  imageMicros,
  Painter,
  painterChannel,
  Stand,
  type Answer,
} from "./task/fixtures/image-tasks.ts";
import type { StandOptions } from "./task/fixtures/image-tasks.ts";

const two = [painterChannel("one", { priority: 1 }), painterChannel("two")];
const badRequest = { status: 400, json: { error: { message: "No.", code: "moderation_blocked" } } };
const busy = { status: 429, json: { error: { message: "Later." } } };
const broken = { status: 500, json: { error: { message: "Oops." } } };

function openStand(disk: Disk, answers: Answer[], options: StandOptions = {}): Stand {
  const stand = new Stand({ channels: two, ...options, disk });
  stand.painter.answers.set("one.example", answers);
  return stand;
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

const stateOf = (disk: Disk) => disk.rows("select state, channel_id from task")[0];
const untouched = { available_micros: grantedMicros, held_micros: 0, spent_micros: 0 };

describe("an image task", () => {
  test("is answered as queued, on record with its hold, and goes on by itself", () => {
    using disk = new Disk();
    const stand = openStand(disk, []);
    const drawn = Promise.withResolvers<void>();
    stand.painter.answers.set("one.example", [drawn.promise]);
    const task = now(stand.submit("a fox"));
    expect(task).toMatchObject({ state: "queued", kind: "image", heldMicros: imageMicros });
    expect(stand.bench.sums).toMatchObject({ held_micros: imageMicros });
    stand.bench.run(20_000);
    expect(stateOf(disk)).toEqual({ state: "in_progress", channel_id: "chn_one" });
    drawn.resolve();
    stand.bench.run(100);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "completed" });
    expect(stand.bench.entries).toMatchObject([{ kind: "post", micros: imageMicros }]);
    expect(stand.bench.violations).toEqual([]);
    expect(stand.runs.has(task.id)).toBe(false);
  });

  test("is on record with its channel and key, as under way, before its vendor hears of it", () => {
    using disk = new Disk();
    const stand = openStand(disk, [broken]);
    const seen: unknown[] = [];
    stand.painter.arrived = () => {
      const [row] = disk.rows("select state, channel_id, length(key_digest) > 9 as key from task");
      seen.push(row);
    };
    now(stand.submit("a fox"));
    stand.bench.run(100);
    expect(seen).toEqual([
      { state: "in_progress", channel_id: "chn_one", key: 1 },
      { state: "in_progress", channel_id: "chn_two", key: 1 },
    ]);
  });

  test("keeps its pictures before it is charged for them, each of them", () => {
    using disk = new Disk();
    const stand = openStand(disk, []);
    const task = now(stand.submit("a fox", { fields: { n: 3 } }));
    stand.bench.run(100);
    expect(stand.shelf.kept).toHaveLength(3);
    expect(stand.bench.entries).toMatchObject([{ micros: 3 * imageMicros, usage: "3i" }]);
    const ended = stand.bench.book.latest(task);
    const items = [{ width: 1024, bytes: 9 }, { type: "image/png" }, { revisedPrompt: null }];
    expect(ended.result).toMatchObject({
      kind: "images",
      items,
      size: "1024x1024",
      quality: "low",
    });
  });

  test.each([
    ["is busy", busy],
    ["is broken", broken],
    ["cannot be reached", "unreached" as const],
  ])("goes to the next channel when the first %s", (_what, answer) => {
    using disk = new Disk();
    const stand = openStand(disk, [answer]);
    const task = now(stand.submit("a fox"));
    stand.bench.run(100);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "completed", channel_id: "chn_two" });
    expect(stand.painter.made).toEqual(["a fox"]);
  });

  test("that its vendor refuses has failed and costs nothing", () => {
    using disk = new Disk();
    const stand = openStand(disk, [badRequest]);
    const task = now(stand.submit("a fox", { webhookUrl: "https://hooks.example/" }));
    stand.bench.run(100);
    expect(stand.painter.requests).toHaveLength(1);
    expect(stand.bench.book.latest(task)).toMatchObject({
      state: "failed",
      error: { message: "No." },
      deletedAtMs: null,
    });
    expect(stand.bench.sums).toEqual(untouched);
    expect(stand.bench.entries).toMatchObject([{ kind: "void", loss_micros: 0 }]);
    expect(disk.rows("select event from webhook_delivery")).toEqual([{ event: "image.failed" }]);
  });

  test("that there is no money for is not asked for", () => {
    using disk = new Disk();
    const stand = openStand(disk, []);
    const many = { fields: { n: 10 } };
    // A million is granted, and each holds ten thousand.
    for (let count = 0; count < 100; count++) now(stand.submit("a fox", many));
    expect(codeOf(stand.submit("one too many", many))).toBe("insufficient_user_quota");
    expect(disk.rows("select count(*) as count from task")).toEqual([{ count: 100 }]);
    stand.bench.run(100);
    expect(stand.painter.made).not.toContain("one too many");
    expect(stand.runs.has("task_1" as never)).toBe(false);
  });
});

describe("a call whose answer was lost", () => {
  test.each(["cut", "silent", "unreadable", "no picture"] as const)(
    "(%s) is never made again: it has failed, is paid back, and is noted as a loss",
    (answer) => {
      using disk = new Disk();
      const stand = openStand(disk, [answer]);
      const task = now(stand.submit("a fox"));
      stand.bench.run(70_000);
      expect(stand.bench.book.latest(task)).toMatchObject({ state: "failed" });
      expect(stand.painter.requests).toHaveLength(1);
      expect(stand.painter.made).toEqual(["a fox"]);
      expect(stand.bench.sums).toEqual(untouched);
      const loss = { kind: "void", micros: 0, loss_micros: imageMicros };
      expect(stand.bench.entries).toMatchObject([loss]);
      expect(stand.bench.violations).toEqual([]);
    },
  );

  test("is of no interest to the channel that refused before it", () => {
    using disk = new Disk();
    const stand = openStand(disk, [busy]);
    stand.painter.answers.set("two.example", ["cut"]);
    const task = now(stand.submit("a fox"));
    stand.bench.run(1000);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "failed", channel_id: "chn_two" });
    expect(stand.painter.requests).toHaveLength(2);
  });
});

describe("the places of a channel", () => {
  const one = [painterChannel("one")];
  const waits = (stand: Stand, count: number) => {
    const drawn = Array.from({ length: count }, () => Promise.withResolvers<void>());
    stand.painter.answers.set(
      "one.example",
      drawn.map(({ promise }) => promise),
    );
    return drawn;
  };

  test("are so many; the others wait for their turn, and are begun in it", () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { channels: one, runsPerChannel: 2 });
    const drawn = waits(stand, 2);
    const tasks = ["a", "b", "c"].map((prompt) => now(stand.submit(prompt)));
    stand.bench.run(5000);
    expect(stand.painter.requests).toHaveLength(2);
    const states = () => tasks.map(({ id }) => stand.bench.row(id)?.["state"]);
    expect(states()).toEqual(["in_progress", "in_progress", "queued"]);
    drawn[1]?.resolve();
    stand.bench.run(100);
    expect(states()).toEqual(["in_progress", "completed", "completed"]);
    drawn[0]?.resolve();
    stand.bench.run(100);
    expect(stand.painter.made).toEqual(["b", "c", "a"]);
  });

  test("that are full lead to the next channel, and a full one is waited for", () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { runsPerChannel: 1 });
    const first = waits(stand, 1);
    const second = Promise.withResolvers<void>();
    stand.painter.answers.set("two.example", [second.promise, broken]);
    const tasks = ["a", "b", "c"].map((prompt) => now(stand.submit(prompt)));
    stand.bench.run(1000);
    const channels = () => tasks.map(({ id }) => stand.bench.row(id)?.["channel_id"]);
    expect(channels().slice(0, 2)).toEqual(["chn_one", "chn_two"]);
    second.resolve();
    stand.bench.run(1000);
    // It was refused by the second, and waits for the first.
    expect(stand.painter.requests).toHaveLength(3);
    first[0]?.resolve();
    stand.bench.run(1000);
    expect(tasks.map(({ id }) => stand.bench.row(id)?.["state"])).toEqual(
      Array.from({ length: 3 }, () => "completed"),
    );
    expect(channels()[2]).toBe("chn_one");
  });

  test("are not taken beyond what the operator allows for all work of the channel", () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { channels: [painterChannel("one", { concurrency: 1 })] });
    const [channel] = stand.channels.all;
    if (channel) channel.inFlight = 1;
    const task = now(stand.submit("a fox"));
    stand.bench.run(1000);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "queued" });
    if (channel) channel.inFlight = 0;
    stand.bench.run(1000);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "completed" });
    expect(channel?.inFlight).toBe(0);
  });

  test("and the line before them have an end, by number and by size", () => {
    using disk = new Disk();
    const options = { channels: one, runsPerChannel: 1, waitingMax: 2, bytesMax: 100 };
    const stand = openStand(disk, [], options);
    waits(stand, 1);
    for (const prompt of ["a", "b", "c"]) now(stand.submit(prompt));
    expect(codeOf(stand.submit("d"))).toBe("too_many_requests");
    const large = openStand(disk, [], { ...options, waitingMax: 9 });
    waits(large, 1);
    now(large.submit("a", { bytes: 1000 }));
    expect(codeOf(large.submit("b", { bytes: 1 }))).toBe("too_many_requests");
    expect(disk.rows("select count(*) as count from task")).toEqual([{ count: 4 }]);
  });

  test("are waited for until the task's time is over, and then it costs nothing", () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { channels: one, runsPerChannel: 1 });
    stand.painter.answers.set("one.example", [new Promise(() => {})]);
    now(stand.submit("a"));
    const second = now(stand.submit("b"));
    stand.bench.run(620_000);
    expect(stand.bench.book.latest(second).error?.code).toBe("task_expired");
    expect(stand.painter.requests).toHaveLength(1);
    const [entry] = stand.bench.entries.filter(({ id }) => id === second.id);
    expect(entry).toMatchObject({ kind: "void", loss_micros: 0 });
    expect(stand.runs.has(second.id)).toBe(false);
  });

  test("are waited for until the task is broken off, and it ends with the first reason", () => {
    using disk = new Disk();
    const stand = openStand(disk, [new Promise(() => {})], { runsPerChannel: 1 });
    stand.painter.answers.set("two.example", [broken]);
    now(stand.submit("a"));
    const second = now(stand.submit("b"));
    stand.bench.run(1000);
    expect(stand.painter.requests).toHaveLength(2);
    const first = { code: "task_failed", message: "first" };
    void stand.runs.cancel(second.id, first);
    void stand.runs.cancel(second.id, { ...first, message: "later" });
    stand.bench.run(1000);
    expect(stand.bench.row(second.id)?.["error"]).toBe(JSON.stringify(first));
    expect(stand.runs.has(second.id)).toBe(false);
  });
});

describe("the next process", () => {
  test("begins what the last one had not, at the same price, and what was sent is lost", () => {
    using disk = new Disk();
    const first = openStand(disk, [], { channels: [painterChannel("one")], runsPerChannel: 1 });
    first.painter.answers.set("one.example", [new Promise(() => {})]);
    const sent = now(first.submit("sent"));
    const waiting = now(first.submit("waiting"));
    first.bench.run(100);
    const { painter, bench } = first;
    const second = openStand(disk, [], { painter, time: bench.time });
    second.resume();
    second.bench.run(1000);
    expect(painter.made).toEqual(["waiting"]);
    const entryOf = (id: string) => second.bench.entries.find((entry) => entry["id"] === id);
    expect(entryOf(sent.id)).toMatchObject({ kind: "void", loss_micros: imageMicros });
    expect(entryOf(waiting.id)).toMatchObject({ kind: "post", micros: imageMicros });
    expect(second.bench.row(waiting.id)).toMatchObject({ state: "completed", request: null });
    expect(second.bench.violations).toEqual([]);
  });

  test("finds what is too large for a row in the storage, which is empty afterwards", () => {
    using disk = new Disk();
    const first = openStand(disk, [], { channels: [painterChannel("one")], runsPerChannel: 1 });
    first.painter.answers.set("one.example", [new Promise(() => {})]);
    now(first.submit("sent"));
    const prompt = "a long tale ".repeat(2000);
    const waiting = now(first.submit(prompt));
    first.bench.run(100);
    const { painter, bench } = first;
    expect(bench.row(waiting.id)).toMatchObject({ state: "queued", request: "" });
    expect([...painter.requestFiles.texts.keys()]).toEqual([waiting.id]);
    const second = openStand(disk, [], { painter, time: bench.time });
    second.resume();
    second.bench.run(1000);
    expect(painter.made).toEqual([prompt]);
    expect(second.bench.row(waiting.id)).toMatchObject({ state: "completed" });
    expect(painter.requestFiles.texts.size).toBe(0);
  });

  test("pays back what it cannot begin: nothing serves the model, or its order is gone", () => {
    using disk = new Disk();
    const first = openStand(disk, [], { channels: [painterChannel("one")], runsPerChannel: 1 });
    first.painter.answers.set("one.example", [new Promise(() => {})]);
    now(first.submit("sent"));
    const unserved = now(first.submit("unserved"));
    const gone = now(first.submit("a long tale ".repeat(2000)));
    first.bench.run(100);
    const { painter, bench } = first;
    painter.requestFiles.texts.clear();
    const second = openStand(disk, [], { painter, time: bench.time, channels: [] });
    second.resume();
    second.bench.run(1000);
    expect(second.bench.row(unserved.id)).toMatchObject({ state: "failed" });
    expect(second.bench.row(gone.id)?.["error"]).toBe(JSON.stringify(neverSent));
    expect(second.bench.sums).toEqual(untouched);
    expect(second.bench.violations).toEqual([]);
  });

  test("that takes over from one that froze has the last word, and the money moves once", () => {
    using disk = new Disk();
    const frozen = openStand(disk, [], { shared: "a" });
    const drawn = Promise.withResolvers<void>();
    frozen.painter.answers.set("one.example", [drawn.promise]);
    const task = now(frozen.submit("a fox"));
    frozen.bench.run(100);
    const { painter, bench } = frozen;
    const second = openStand(disk, [], { painter, time: bench.time, shared: "b" });
    second.bench.run(60_000);
    expect(second.bench.row(task.id)).toMatchObject({ state: "failed" });
    // It wakes up with its pictures, and nobody wants them any more.
    drawn.resolve();
    frozen.bench.run(30_000);
    expect(second.bench.row(task.id)).toMatchObject({ state: "failed" });
    expect(frozen.shelf.kept).toEqual([]);
    expect(second.bench.entries).toMatchObject([{ kind: "void", loss_micros: imageMicros }]);
    expect(second.bench.sums).toEqual(untouched);
    expect(second.bench.violations).toEqual([]);
    expect(painter.requests).toHaveLength(1);
  });

  test("after a death at any write finds books that are right, and makes no picture twice", () => {
    const answers: Answer[] = [broken, "made", "made", "cut", badRequest];
    for (let atWrite = 0; atWrite < 16; atWrite++) {
      for (const isKept of [true, false]) {
        using disk = new Disk();
        const death: Death = { atWrite, isKept };
        const painter = new Painter();
        const first = openStand(disk, [...answers], { painter, death });
        for (let count = 0; count < 4; count++) {
          first.submit(`prompt ${count}`).catch(() => {});
          first.bench.run(50);
        }
        first.bench.run(5000);
        const second = openStand(disk, [], { painter, time: first.bench.time });
        second.resume();
        second.bench.run(30_000);
        checkBooks(second, painter);
      }
    }
  });
});

function checkBooks({ bench }: Stand, { made }: Painter): void {
  expect(bench.violations).toEqual([]);
  expect(bench.book.openCount).toBe(0);
  expect(new Set(made).size).toBe(made.length);
  const rows = bench.disk.rows(`
    select task.state, json_extract(job, '$.prompt') as prompt, entry.kind, entry.loss_micros
    from task left join entry on entry.id = task.id`);
  for (const { state, prompt, kind, loss_micros } of rows) {
    expect(kind).toBe(state === "completed" ? "post" : "void");
    const isMade = made.includes(String(prompt));
    // Images that the vendor made are charged, or noted as a loss; others cost nobody.
    if (state === "completed") expect(isMade).toBe(true);
    else if (isMade) expect(loss_micros).toBe(imageMicros);
  }
  const prompts = rows.map(({ prompt }) => prompt);
  expect(made.filter((prompt) => !prompts.includes(prompt))).toEqual([]);
}

describe("a stop", () => {
  test("waits for what runs and waits, as long as it may", async () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { channels: [painterChannel("one")], runsPerChannel: 1 });
    const drawn = Promise.withResolvers<void>();
    stand.painter.answers.set("one.example", [drawn.promise]);
    const tasks = ["a", "b"].map((prompt) => now(stand.submit(prompt)));
    stand.bench.run(100);
    const drained = stand.runs.drained();
    drawn.resolve();
    stand.bench.run(100);
    now(drained);
    expect(tasks.map(({ id }) => stand.bench.row(id)?.["state"])).toEqual([
      "completed",
      "completed",
    ]);
  });

  test("then breaks off what runs, which is lost, and leaves what waits to the next process", () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { channels: [painterChannel("one")], runsPerChannel: 1 });
    stand.painter.answers.set("one.example", ["silent"]);
    const tasks = ["a", "b"].map((prompt) => now(stand.submit(prompt)));
    stand.bench.run(100);
    now(stand.runs.close(neverSent));
    const [running, waiting] = tasks.map(({ id }) => stand.bench.row(id));
    expect(running).toMatchObject({ state: "failed" });
    expect(waiting).toMatchObject({ state: "queued" });
    expect(stand.bench.entries).toMatchObject([{ kind: "void", loss_micros: imageMicros }]);
    expect(stand.painter.requests).toHaveLength(1);
    expect(stand.bench.sums).toMatchObject({ held_micros: imageMicros });
  });
});
