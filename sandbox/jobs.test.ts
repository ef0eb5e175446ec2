import { describe, expect, test } from "bun:test";
import { JobBook, readJobPlan, type JobAsk } from "./jobs.ts";

function open() {
  let nowMs = 1000;
  const book = new JobBook({ nowMs: () => nowMs, monotonicMs: () => nowMs });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  const add = (change: Partial<JobAsk> = {}) =>
    book.add({
      vendor: "openai",
      key: "k",
      model: "m",
      reference: "task_1",
      prompt: "p",
      plan: { takesMs: 2000, outcome: "succeed" },
      video: { width: 2, height: 2, seconds: 1 },
      details: {},
      id: (serial) => `video_${serial}`,
      ...change,
    });
  return { book, pass, add };
}

describe("a job", () => {
  test("waits, works and is done as time goes by", () => {
    const { book, pass, add } = open();
    const job = add();
    expect(book.stand(job)).toEqual({ state: "queued", progress: 0, endedMs: null });
    pass(500);
    expect(book.stand(job)).toEqual({ state: "running", progress: 25, endedMs: null });
    pass(1499);
    expect(book.stand(job)).toEqual({ state: "running", progress: 99, endedMs: null });
    pass(1);
    expect(book.stand(job)).toEqual({ state: "succeeded", progress: 100, endedMs: 3000 });
  });

  test("may end badly, and never with all of the progress", () => {
    const { book, add } = open();
    const failed = add({ plan: { takesMs: 0, outcome: "fail" } });
    const filtered = add({ plan: { takesMs: 0, outcome: "filter" } });
    expect(book.stand(failed)).toMatchObject({ state: "failed", progress: 99 });
    expect(book.stand(filtered)).toMatchObject({ state: "filtered", progress: 99 });
  });

  test("can be cancelled until it has ended", () => {
    const { book, pass, add } = open();
    const [early, late] = [add(), add()];
    expect(book.cancel(early)).toBeTrue();
    pass(5000);
    expect(book.stand(early)).toEqual({ state: "cancelled", progress: 0, endedMs: 1000 });
    expect(book.cancel(early)).toBeFalse();
    expect(book.cancel(late)).toBeFalse();
    expect(book.stand(late).state).toBe("succeeded");
  });

  test("is found by its vendor and its key alone, until it is removed", () => {
    const { book, add } = open();
    const job = add();
    expect(job.id).toMatch(/^video_\d+$/);
    expect(book.find("openai", "k", job.id)).toBe(job);
    expect(book.find("openai", "other", job.id)).toBeNull();
    expect(book.find("google", "k", job.id)).toBeNull();
    book.remove(job);
    expect(book.find("openai", "k", job.id)).toBeNull();
  });
});

test("jobs are listed newest first, and shown in lines oldest first", () => {
  const { book, add } = open();
  const [one, two] = [add(), add({ reference: null })];
  add({ vendor: "ark" });
  expect(book.list("openai", "k")).toEqual([two, one]);
  expect(book.list("openai", "other")).toEqual([]);
  expect(book.lines()).toMatchObject([
    { vendor: "openai", id: one.id, reference: "task_1", state: "queued", model: "m" },
    { vendor: "openai", id: two.id, reference: null },
    { vendor: "ark" },
  ]);
});

describe("a prompt", () => {
  test("without a word of it asks for two seconds and success", () => {
    expect(readJobPlan("a fox", "k")).toEqual({ takesMs: 2000, outcome: "succeed" });
  });

  test("sets the time and the end", () => {
    const prompt = "a fox sandbox:seconds=0.5 sandbox:fail";
    expect(readJobPlan(prompt, "k")).toEqual({ takesMs: 500, outcome: "fail" });
    expect(readJobPlan("sandbox:filter sandbox:seconds=0", "k")).toEqual({
      takesMs: 0,
      outcome: "filter",
    });
  });

  test("may mean one key only", () => {
    expect(readJobPlan("sandbox:fail@a sandbox:seconds=9@b", "b")).toEqual({
      takesMs: 9000,
      outcome: "succeed",
    });
  });
});
