import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import { parseImgF } from "../../families/index.ts";
import { NotMedia } from "../../media/media.ts";
import { Disk, grantedMicros, now, type Death } from "../../tasks/fixtures/book-and-engine.ts";
import type { Task } from "../../tasks/task.ts";
import { renderImgFTask } from "./render.ts";
import { sayMore } from "./say-more.ts";
import { Proxy, proxyChannel, Stand, type Start } from "./fixtures/img-f-tasks.ts";
import { statusOf } from "../../http/envelopes/status.ts";

const imagine = { prompt: "a fox" };
const imagineMicros = 60_000;
const changeMicros = 40_000;
const two = [proxyChannel("one", { priority: 1 }), proxyChannel("two")];

function refusalOf(work: Promise<unknown>): GatewayError {
  try {
    now(work);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

function shown({ bench }: Stand, task: Task) {
  return renderImgFTask(bench.book.latest(task), { link: (id) => `link to ${id}` });
}

/** A task that is done. */
function done(stand: Stand): Task {
  const { task } = now(stand.submit("imagine", imagine));
  stand.finish();
  return stand.bench.book.latest(task);
}

describe("N8 a task of imgF", () => {
  test("is charged when its picture is there, and tells what can be done with it", () => {
    using disk = new Disk();
    const stand = new Stand({ disk });
    const { task, code } = now(stand.submit("imagine", imagine));
    expect([code, task.state, task.heldMicros]).toEqual([1, "queued", imagineMicros]);
    expect(stand.proxy.jobs).toMatchObject([{ note: task.id, path: "/mj/submit/imagine" }]);
    expect(shown(stand, task)).toMatchObject({ status: "SUBMITTED", progress: "0%" });
    const [job] = stand.proxy.jobs;
    if (job) job.status = "IN_PROGRESS";
    stand.bench.run(5000);
    expect(shown(stand, task)).toMatchObject({ status: "IN_PROGRESS", progress: "40%" });
    expect(stand.bench.entries).toEqual([]);
    stand.finish();
    expect(shown(stand, task)).toMatchObject({
      status: "SUCCESS",
      progress: "100%",
      imageUrl: "link to media_1.png",
      promptEn: "a fox",
      buttons: [{ customId: "button of mj-1" }],
    });
    expect(stand.bench.entries).toMatchObject([{ kind: "post", micros: imagineMicros }]);
    expect(stand.bench.violations).toEqual([]);
  });

  test("that fails is paid back, with the vendor's words", () => {
    using disk = new Disk();
    const stand = new Stand({ disk });
    const { task } = now(stand.submit("imagine", imagine));
    const [job] = stand.proxy.jobs;
    if (job) job.status = "FAILURE";
    stand.bench.run(10_000);
    const failReason = "It could not be drawn.";
    expect(shown(stand, task)).toMatchObject({ status: "FAILURE", failReason });
    expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros });
  });

  test.each([
    [24, "upstream_refused"],
    [4, "upstream_refused"],
    [23, "too_many_requests"],
    [9, "bad_response"],
  ])("that every vendor answers with %d leaves nothing to pay", (number, code) => {
    using disk = new Disk();
    const stand = new Stand({ disk, channels: two });
    stand.proxy.starts.push(number, number);
    expect(refusalOf(stand.submit("imagine", imagine)).code).toBe(code as never);
    expect(stand.bench.sums).toMatchObject({ available_micros: grantedMicros, held_micros: 0 });
    expect(stand.proxy.jobs).toEqual([]);
  });

  test("whose start got no answer is found by our own id, and not sent again", () => {
    using disk = new Disk();
    const stand = new Stand({ disk, channels: two });
    stand.proxy.starts.push("cut");
    const { task } = now(stand.submit("imagine", imagine));
    expect(task.state).toBe("unknown");
    stand.finish();
    expect(stand.bench.row(task.id)).toMatchObject({ state: "completed", operation: "mj-1" });
    expect(stand.proxy.jobs).toHaveLength(1);
  });

  test("whose picture cannot be kept is tried again, and then paid back and noted as a loss", () => {
    using disk = new Disk();
    let tries = 0;
    const keep = async () => {
      tries++;
      throw new NotMedia("no picture");
    };
    const stand = new Stand({ disk, keep });
    const { task } = now(stand.submit("imagine", imagine));
    stand.finish();
    expect(stand.bench.row(task.id)).toMatchObject({ state: "queued" });
    stand.bench.run(120_000);
    expect(tries).toBe(10);
    expect(stand.bench.row(task.id)).toMatchObject({ state: "failed" });
    expect(stand.bench.entries).toMatchObject([{ kind: "void", loss_micros: imagineMicros }]);
  });
});

describe("N8 what goes on from another task", () => {
  const change = (parent: Task) => ({ taskId: parent.id, action: "UPSCALE", index: 2 });

  test("runs on the same channel with the same key, whatever is better by now", () => {
    using disk = new Disk();
    const keys = ["sk-a-0123456789", "sk-b-0123456789"].map((text, position) => ({
      position,
      text,
      isEnabled: true,
    }));
    const stand = new Stand({ disk, channels: [proxyChannel("low", { keys })] });
    const parent = done(stand);
    const better = proxyChannel("better", { priority: 9 });
    stand.needs.vendors.channels.replace([better, proxyChannel("low", { keys })]);
    for (let count = 0; count < 3; count++) {
      const made = now(stand.submit("change", change(parent), { parent }));
      expect(made.task).toMatchObject({ channelId: "chn_low", keyDigest: parent.keyDigest });
    }
    const children = stand.proxy.jobs.slice(1);
    expect(children.map(({ host, body }) => [host, body["taskId"]])).toEqual(
      Array.from({ length: 3 }, () => ["low.example", "mj-1"]),
    );
  });

  test("costs what it costs itself", () => {
    using disk = new Disk();
    const stand = new Stand({ disk });
    const parent = done(stand);
    now(stand.submit("change", change(parent), { parent }));
    stand.finish();
    const charged = stand.bench.entries.map(({ micros }) => micros);
    expect(charged).toEqual([imagineMicros, changeMicros]);
  });

  test.each([
    ["is gone", [proxyChannel("other")]],
    ["has another key", [proxyChannel("one", { keys: [] })]],
  ])("is a 400 when the channel %s", (_what, channels) => {
    using disk = new Disk();
    const stand = new Stand({ disk });
    const parent = done(stand);
    stand.needs.vendors.channels.replace(channels);
    const error = refusalOf(stand.submit("change", change(parent), { parent }));
    expect([statusOf(error), error.param]).toEqual([400, "taskId"]);
    expect(stand.proxy.jobs).toHaveLength(1);
  });

  test("is not sent with another key when its own is out of use", () => {
    using disk = new Disk();
    const stand = new Stand({ disk });
    const parent = done(stand);
    const [key] = proxyChannel("one").keys;
    if (!key) throw new Error("the channel has no key");
    const keys = [
      { ...key, isEnabled: false },
      { ...key, position: 1, text: "sk-other-0123" },
    ];
    stand.needs.vendors.channels.replace([proxyChannel("one", { keys })]);
    const error = refusalOf(stand.submit("change", change(parent), { parent }));
    expect(error.code).toBe("do_request_failed");
    expect(stand.proxy.jobs).toHaveLength(1);
  });
});

describe("N8 a task that waits for its owner", () => {
  function asking(disk: Disk): { stand: Stand; task: Task } {
    const stand = new Stand({ disk });
    const parent = done(stand);
    stand.proxy.starts.push("asks");
    const body = { taskId: parent.id, customId: "button of mj-1" };
    const { task, code } = now(stand.submit("action", body, { parent }));
    expect(code).toBe(21);
    return { stand, task };
  }
  const more = (task: Task) => parseImgF("modal", { taskId: task.id, prompt: "a hat" });

  test("says so, holds its price, and goes on as itself when it is told more", () => {
    using disk = new Disk();
    const { stand, task } = asking(disk);
    expect(shown(stand, task)).toMatchObject({ status: "MODAL" });
    stand.bench.run(20_000);
    expect(shown(stand, task)).toMatchObject({ status: "MODAL" });
    const waiting = stand.bench.book.latest(task);
    const said = now(sayMore(stand.sayingMore, waiting, more(task)));
    expect([said.code, said.task.id]).toEqual([1, task.id]);
    expect(shown(stand, task)).toMatchObject({ status: "SUBMITTED" });
    stand.finish();
    expect(shown(stand, task)).toMatchObject({ status: "SUCCESS" });
    const charged = stand.bench.entries.map(({ micros }) => micros);
    expect(charged).toEqual([imagineMicros, changeMicros]);
    expect(stand.proxy.jobs).toHaveLength(2);
  });

  test("waits on when the vendor refuses what it is told", () => {
    using disk = new Disk();
    const { stand, task } = asking(disk);
    stand.proxy.starts.push(24);
    const waiting = stand.bench.book.latest(task);
    expect(statusOf(refusalOf(sayMore(stand.sayingMore, waiting, more(task))))).toBe(400);
    stand.bench.run(10_000);
    expect(shown(stand, task)).toMatchObject({ status: "MODAL" });
  });

  test("shows what became of what was said when no answer came", () => {
    using disk = new Disk();
    const { stand, task } = asking(disk);
    stand.proxy.starts.push("cut");
    const waiting = stand.bench.book.latest(task);
    const error = refusalOf(sayMore(stand.sayingMore, waiting, more(task)));
    expect(error.code).toBe("do_request_failed");
    stand.finish();
    expect(shown(stand, task)).toMatchObject({ status: "SUCCESS" });
    expect(stand.proxy.jobs).toHaveLength(2);
  });

  test("is known as one by the next process", () => {
    using disk = new Disk();
    const { stand, task } = asking(disk);
    const next = new Stand({ disk, proxy: stand.proxy, time: stand.bench.time });
    next.resume();
    expect(shown(next, task)).toMatchObject({ status: "MODAL" });
    const waiting = next.bench.book.latest(task);
    now(sayMore(next.sayingMore, waiting, more(task)));
    next.finish();
    expect(shown(next, task)).toMatchObject({ status: "SUCCESS" });
  });

  test("is the only one that can be told more", () => {
    using disk = new Disk();
    const stand = new Stand({ disk });
    const task = done(stand);
    const error = refusalOf(sayMore(stand.sayingMore, task, more(task)));
    expect([statusOf(error), error.param]).toEqual([400, "taskId"]);
  });
});

test("after a death at any write there is one job for each task, and the books are right", () => {
  const starts: Start[] = [9, "taken", "cut", 23, "taken"];
  for (let atWrite = 0; atWrite < 12; atWrite++) {
    for (const isKept of [true, false]) {
      using disk = new Disk();
      const death: Death = { atWrite, isKept };
      const proxy = new Proxy();
      const first = new Stand({ disk, proxy, death, channels: two });
      proxy.starts.push(...starts);
      for (let count = 0; count < 3; count++) {
        first.submit("imagine", imagine).catch(() => {});
        first.bench.run(50);
      }
      first.finish();
      proxy.starts.length = 0;
      const second = new Stand({ disk, proxy, time: first.bench.time, channels: two });
      second.resume();
      second.finish();
      expect(second.bench.violations).toEqual([]);
      expect(second.bench.book.openCount).toBe(0);
      const rows = disk.rows("select id, state from task");
      const notes = proxy.jobs.map(({ note }) => note);
      expect(new Set(notes).size).toBe(notes.length);
      const ended = rows.filter(({ state }) => state === "completed").map(({ id }) => String(id));
      expect(ended.toSorted()).toEqual(notes.toSorted());
    }
  }
});
