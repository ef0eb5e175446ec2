import { drainMicrotasks } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { SimulatedTimers, type SimulatedTime } from "../../../test/sim/simulated-time.ts";
import { Bench, Disk, now } from "../fixtures/book-and-engine.ts";
import { inFlightMax, inFlightPerHostMax, retryDelaysMs, Webhooks } from "./webhooks.ts";

const hour = 3_600_000;

interface Call {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  atMs: number;
}

/** Receivers that answer with a status, with nothing at all, or when they are told to. */
class Receivers {
  readonly calls: Call[] = [];
  readonly open: { url: string; answer(status: number): void }[] = [];
  status: number | "silent" | "slow" = 200;
  readonly #time: SimulatedTime;

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  readonly post = async (url: string, headers: Call["headers"], body: string) => {
    this.calls.push({ url, headers, body, atMs: this.#time.monotonicMs() });
    if (this.status === "silent") throw new Error("nobody is there");
    if (this.status !== "slow") return { status: this.status };
    return await new Promise<{ status: number }>((resolve) =>
      this.open.push({ url, answer: (status) => resolve({ status }) }),
    );
  };

  get hosts(): string[] {
    return this.open.map(({ url }) => new URL(url).host);
  }
}

interface Stand {
  bench: Bench;
  receivers: Receivers;
  webhooks: Webhooks;
  errors: string[];
  run(forMs: number, stepMs?: number): void;
}

function openStand(disk: Disk, bench: Bench = new Bench({ disk }), isSole = true): Stand {
  const { time } = bench;
  const timers = new SimulatedTimers(time);
  const receivers = new Receivers(time);
  const errors: string[] = [];
  const quiet = () => {};
  const error = (message: string) => void errors.push(message);
  const log = { debug: quiet, info: quiet, warn: quiet, error, flush: quiet };
  const webhooks = new Webhooks({
    database: bench.database,
    store: bench.store,
    clock: time,
    timers,
    random: { bytes: () => new Uint8Array(), unit: () => 0.5 },
    log,
    post: receivers.post,
    isSole,
    webhookSecrets: { of: async () => ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] },
  });
  return {
    bench,
    receivers,
    webhooks,
    errors,
    run(forMs, stepMs = 250) {
      for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
        time.advance(stepMs);
        timers.ringDue();
        drainMicrotasks();
      }
    },
  };
}

/** Ends a task that has a callback. */
function tell({ bench, webhooks }: Stand, webhookUrl = "https://hooks.example/one"): string {
  const { id } = now(bench.submit({ webhookUrl }));
  now(bench.book.fail(id, { code: "filtered", message: "No." }));
  webhooks.wake();
  return id.replace("task_", "msg_");
}

function deliveries(disk: Disk) {
  return disk.rows("select * from webhook_delivery order by id");
}

describe("N15 a callback", () => {
  test("is told of the end of its task, signed, and once", () => {
    using disk = new Disk();
    const stand = openStand(disk);
    const id = tell(stand);
    stand.run(hour, 1000);
    const { calls } = stand.receivers;
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ url: "https://hooks.example/one" });
    expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({
      type: "video.failed",
      data: { status: "failed" },
    });
    expect(calls[0]?.headers).toMatchObject({
      "webhook-id": id,
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(deliveries(disk)).toMatchObject([
      { id, attempts: 1, status: 200, error: null, next_attempt_at_ms: null },
    ]);
    expect(deliveries(disk)[0]?.["delivered_at_ms"]).toBeNumber();
  });

  test.each(["silent", 500, 302, 404] as const)(
    "that answers with %p is tried ever less often, and given up within a day",
    (status) => {
      using disk = new Disk();
      const stand = openStand(disk);
      stand.receivers.status = status;
      const id = tell(stand);
      stand.run(30 * hour, 5000);
      const { calls } = stand.receivers;
      expect(calls).toHaveLength(1 + retryDelaysMs.length);
      const waits = calls.slice(1).map(({ atMs }, at) => atMs - (calls[at]?.atMs ?? 0));
      for (const [at, waitMs] of waits.entries()) {
        expect(waitMs).toBeGreaterThanOrEqual(retryDelaysMs[at] ?? 0);
        expect(waitMs).toBeLessThanOrEqual((retryDelaysMs[at] ?? 0) + 10_000);
      }
      expect((calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBeLessThan(24 * hour);
      // The same message each time, signed anew.
      expect(new Set(calls.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
      expect(new Set(calls.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
      expect(deliveries(disk)).toMatchObject([
        {
          attempts: 10,
          status: status === "silent" ? null : status,
          error: status === "silent" ? expect.stringContaining("nobody") : null,
          next_attempt_at_ms: null,
          delivered_at_ms: null,
        },
      ]);
    },
  );

  test("that comes back is told then", () => {
    using disk = new Disk();
    const stand = openStand(disk);
    stand.receivers.status = 503;
    tell(stand);
    stand.run(60_000);
    stand.receivers.status = 204;
    stand.run(hour, 1000);
    expect(deliveries(disk)).toMatchObject([{ attempts: 4, status: 204 }]);
    expect(deliveries(disk)[0]?.["delivered_at_ms"]).toBeNumber();
  });

  test("that is gone for good is not tried again", () => {
    using disk = new Disk();
    const stand = openStand(disk);
    stand.receivers.status = 410;
    tell(stand);
    stand.run(hour, 1000);
    expect(stand.receivers.calls).toHaveLength(1);
    expect(deliveries(disk)).toMatchObject([{ status: 410, next_attempt_at_ms: null }]);
  });

  test("is told by the next process what the last one did not get to", () => {
    using disk = new Disk();
    const first = openStand(disk);
    first.receivers.status = 500;
    tell(first);
    first.run(1000);
    expect(first.receivers.calls).toHaveLength(1);
    const second = openStand(disk, new Bench({ disk, time: first.bench.time }));
    second.run(3000);
    expect(second.receivers.calls).toEqual([]);
    second.run(3000);
    expect(second.receivers.calls).toHaveLength(1);
    expect(deliveries(disk)).toMatchObject([{ attempts: 2, status: 200 }]);
  });

  test("is told again, under the same number, what was not written down as told", () => {
    using disk = new Disk();
    const first = openStand(disk);
    first.receivers.status = "slow";
    const id = tell(first);
    first.run(1000);
    first.webhooks.wake();
    first.run(1000);
    expect(first.receivers.open).toHaveLength(1);
    const second = openStand(disk, new Bench({ disk, time: first.bench.time }));
    second.run(1000);
    expect(second.receivers.calls.map(({ headers }) => headers["webhook-id"])).toEqual([id]);
  });
});

describe("many callbacks", () => {
  test("have no more calls on their way than there may be, to one host and in all", () => {
    using disk = new Disk();
    const stand = openStand(disk);
    stand.receivers.status = "slow";
    for (let at = 0; at < 60; at++) tell(stand, `https://h${at % 12}.example/${at}`);
    for (let at = 0; at < 20; at++) tell(stand, "https://dead.example/");
    stand.run(1000);
    const { hosts, open } = stand.receivers;
    expect(open).toHaveLength(inFlightMax);
    for (const [, calls] of Map.groupBy(hosts, (host) => host)) {
      expect(calls.length).toBeLessThanOrEqual(inFlightPerHostMax);
    }
    for (let round = 0; round < 40; round++) {
      for (const call of open.splice(0)) if (!call.url.includes("dead")) call.answer(200);
      stand.run(500);
    }
    const told = disk.rows("select count(*) as count from webhook_delivery where status = 200");
    expect(told).toEqual([{ count: 60 }]);
  });

  test("are taken up again after the database did not answer", () => {
    using disk = new Disk();
    const stand = openStand(disk);
    const { store } = stand.bench;
    const { read, commit } = store;
    tell(stand);
    store.read = () => Promise.reject(new Error("no"));
    stand.run(1000);
    store.read = read;
    store.commit = () => Promise.reject(new Error("no"));
    stand.run(10_000);
    store.commit = commit;
    expect(stand.errors.length).toBeGreaterThanOrEqual(2);
    stand.run(10_000);
    expect(deliveries(disk)).toMatchObject([{ status: 200, next_attempt_at_ms: null }]);
    // Each failure is followed by a rest.
    expect(stand.receivers.calls.length).toBeLessThanOrEqual(4);
  });

  test("are let finish at the end, and none is begun", async () => {
    using disk = new Disk();
    const stand = openStand(disk);
    stand.receivers.status = "slow";
    tell(stand);
    stand.run(500);
    const closing = stand.webhooks.close();
    tell(stand);
    stand.run(1000);
    expect(stand.receivers.calls).toHaveLength(1);
    stand.receivers.open[0]?.answer(200);
    await closing;
    expect(deliveries(disk).map(({ status }) => status)).toEqual([200, null]);
  });
});

describe("several nodes", () => {
  test("send each callback once, whoever of them finds it due", () => {
    using disk = new Disk();
    const one = openStand(disk, undefined, false);
    const other = openStand(disk, one.bench, false);
    for (let at = 0; at < 3; at++) tell(one, `https://hooks${at}.example/`);
    other.webhooks.wake();
    for (let round = 0; round < 20; round++) {
      one.run(250);
      other.run(250);
    }
    const urls = [...one.receivers.calls, ...other.receivers.calls].map(({ url }) => url);
    expect(urls.toSorted()).toEqual([0, 1, 2].map((at) => `https://hooks${at}.example/`));
  });

  test("send what a dead one had claimed, once its claim is over", () => {
    using disk = new Disk();
    const dead = openStand(disk, undefined, false);
    dead.receivers.status = "slow";
    tell(dead);
    dead.run(500);
    expect(dead.receivers.calls).toHaveLength(1);
    const other = openStand(disk, dead.bench, false);
    other.run(55_000);
    expect(other.receivers.calls).toHaveLength(0);
    other.run(70_000);
    expect(other.receivers.calls).toHaveLength(1);
  });
});
