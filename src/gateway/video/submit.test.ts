import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { Disk, grantedMicros, now, type Death } from "../../tasks/fixtures/book-and-engine.ts";
import { Ark, arkChannel, Stand, type Start, type StandOptions } from "./fixtures/video-tasks.ts";
import { statusOf } from "../../http/envelopes/status.ts";

const two = [arkChannel("one", { priority: 1 }), arkChannel("two")];
const badRequest = { status: 400, json: { error: { code: "InvalidParameter", message: "No." } } };
const busy = { status: 429, json: { error: { code: "RateLimitExceeded", message: "Later." } } };
const broken = { status: 500, json: { error: { code: "InternalError", message: "Oops." } } };

function openStand(disk: Disk, starts: Start[], options: StandOptions = {}): Stand {
  const stand = new Stand({ channels: two, ...options, disk });
  stand.ark.starts.set("one.example", starts);
  return stand;
}

/** The code of the refusal. */
function refusalOf(work: Promise<unknown>): GatewayError {
  try {
    now(work);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

function finish({ ark, bench }: Stand): void {
  for (const job of ark.jobs) if (job.status === "queued") job.status = "succeeded";
  bench.run(30_000);
}

describe("a video", () => {
  test("is on record with its money, channel and key before its vendor hears of it", () => {
    using disk = new Disk();
    const stand = openStand(disk, []);
    let seen: unknown = null;
    stand.ark.arrived = () => {
      [seen] = disk.rows("select state, channel_id, key_digest, held_micros from task");
    };
    const task = now(stand.submit());
    expect(seen).toEqual({
      state: "submitting",
      channel_id: "chn_one",
      key_digest: task.keyDigest,
      held_micros: 5 * 90_000,
    });
    expect(task).toMatchObject({ state: "queued", operation: "cgt-1", model: "videoC-2-0-260128" });
    expect(stand.ark.jobs).toMatchObject([{ taskId: task.id }]);
    finish(stand);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "completed" });
    // Four of five seconds were delivered.
    expect(stand.bench.entries).toMatchObject([{ kind: "post", micros: 4 * 90_000 }]);
    expect(stand.bench.violations).toEqual([]);
  });

  test("is started on a connection of its own", () => {
    using disk = new Disk();
    const stand = openStand(disk, []);
    now(stand.submit());
    expect(stand.ark.requests.map(({ isFresh }) => isFresh)).toEqual([true]);
  });

  test("that its vendor refuses leaves nothing to pay, to list or to tell", () => {
    using disk = new Disk();
    const stand = openStand(disk, [badRequest]);
    const error = refusalOf(stand.submit({}, { webhookUrl: "https://hooks.example/" }));
    expect([statusOf(error), error.message]).toEqual([400, "No."]);
    expect(stand.ark.requests).toHaveLength(1);
    expect(disk.rows("select state, deleted_at_ms is null as shown from task")).toEqual([
      { state: "failed", shown: 0 },
    ]);
    expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros, held_micros: 0 });
    expect(disk.rows("select * from webhook_delivery")).toEqual([]);
    expect(stand.bench.book.openCount).toBe(0);
  });

  test("that there is too little money for is not asked for", () => {
    using disk = new Disk();
    const stand = openStand(disk, []);
    now(stand.submit());
    now(stand.submit());
    expect(refusalOf(stand.submit()).code).toBe("insufficient_user_quota");
    expect(stand.ark.requests).toHaveLength(2);
    expect(disk.rows("select count(*) as count from task")).toEqual([{ count: 2 }]);
  });

  test.each([
    ["is busy", busy],
    ["is broken", broken],
    ["cannot be reached", "unreached" as const],
  ])("goes to the next channel when the first %s, which is on record first", (_what, start) => {
    using disk = new Disk();
    const stand = openStand(disk, [start]);
    const places: unknown[] = [];
    stand.ark.arrived = () => places.push(disk.rows("select state, channel_id from task")[0]);
    const task = now(stand.submit());
    expect(places).toEqual([
      { state: "submitting", channel_id: "chn_one" },
      { state: "submitting", channel_id: "chn_two" },
    ]);
    expect(task).toMatchObject({ state: "queued", channelId: "chn_two" });
    expect(stand.ark.jobs).toHaveLength(1);
    expect(disk.rows("select count(*) as count from hold")).toEqual([{ count: 1 }]);
  });

  test("that no channel takes is given back", () => {
    using disk = new Disk();
    const stand = openStand(disk, [broken]);
    stand.ark.starts.set("two.example", [busy]);
    expect(refusalOf(stand.submit()).code).toBe("too_many_requests");
    expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros });
    expect(stand.bench.violations).toEqual([]);
  });

  test("does not show the vendor's key where the vendor does", () => {
    using disk = new Disk();
    const message = "The key sk-of-one-0123 may not.";
    const json = { error: { code: "InvalidParameter", message } };
    const stand = openStand(disk, [{ status: 400, json }]);
    const error = refusalOf(stand.submit());
    expect(error.message).toBe("The key [secret] may not.");
    expect(JSON.stringify(disk.rows("select error from task"))).not.toContain("sk-of");
  });
});

describe("a start whose answer was lost", () => {
  test.each(["cut", "silent", "unreadable"] as const)(
    "(%s) is never sent again, and the job is found",
    (start) => {
      using disk = new Disk();
      const stand = openStand(disk, [start]);
      const submitting = stand.submit();
      stand.bench.run(11_000);
      const task = now(submitting);
      expect(task.state).toBe("unknown");
      finish(stand);
      expect(stand.bench.row(task.id)).toMatchObject({ state: "completed", operation: "cgt-1" });
      expect(stand.ark.jobs).toHaveLength(1);
      expect(stand.bench.entries).toMatchObject([{ kind: "post" }]);
    },
  );
});

describe("a channel's places", () => {
  const narrow = [arkChannel("one", { concurrency: 1 })];

  test("are taken by tasks until they have ended", () => {
    using disk = new Disk();
    const stand = openStand(disk, [], { channels: narrow });
    now(stand.submit());
    expect(refusalOf(stand.submit()).code).toBe("too_many_requests");
    finish(stand);
    now(stand.submit());
  });

  test("are free again when a start is refused", () => {
    using disk = new Disk();
    const stand = openStand(disk, [badRequest], { channels: narrow });
    expect(statusOf(refusalOf(stand.submit()))).toBe(400);
    now(stand.submit());
  });

  test("are taken by what the last process left", () => {
    using disk = new Disk();
    const first = openStand(disk, [], { channels: narrow });
    now(first.submit());
    const { ark, bench } = first;
    const second = openStand(disk, [], { channels: narrow, ark, time: bench.time });
    second.resume();
    expect(refusalOf(second.submit()).code).toBe("too_many_requests");
    finish(second);
    now(second.submit());
  });
});

test("after a death at any write there is one job for each task, and the books are right", () => {
  const starts: Start[] = [broken, "taken", "cut", "taken"];
  for (let atWrite = 0; atWrite < 12; atWrite++) {
    for (const isKept of [true, false]) {
      using disk = new Disk();
      const death: Death = { atWrite, isKept };
      const ark = new Ark();
      const first = openStand(disk, [...starts], { ark, death });
      for (let count = 0; count < 2; count++) {
        first.submit().catch(() => {});
        first.bench.run(50);
      }
      finish(first);
      const second = openStand(disk, [], { ark, time: first.bench.time });
      second.resume();
      finish(second);
      expect(second.bench.violations).toEqual([]);
      expect(second.bench.book.openCount).toBe(0);
      const rows = disk.rows("select id, state from task");
      const ids = rows.map(({ id }) => id);
      for (const { taskId } of ark.jobs) expect(ids.filter((id) => id === taskId)).toHaveLength(1);
      expect(new Set(ark.jobs.map(({ taskId }) => taskId)).size).toBe(ark.jobs.length);
      const done = rows.filter(({ state }) => state === "completed").map(({ id }) => id);
      expect(done.toSorted()).toEqual(ark.jobs.map(({ taskId }) => taskId).toSorted() as never);
    }
  }
});
