import { expect, test } from "bun:test";
import { hasSucceeded, readUnfinished } from "./task-progress.ts";

function read(status: string | number | null, error = {}) {
  return readUnfinished(status, error, (code) => code === "Sensitive");
}

test("two words mean that a job has succeeded", () => {
  expect(["succeeded", "completed"].map((status) => hasSucceeded({ status }))).toEqual([
    true,
    true,
  ]);
  expect(["running", "", null, 1].map((status) => hasSucceeded({ status }))).not.toContain(true);
  expect(hasSucceeded({})).toBe(false);
});

test("what waits is told from what runs, and words that are not known mean that it goes on", () => {
  const pending = { kind: "pending", progress: null } as const;
  for (const status of ["queued", "pending"]) {
    expect(read(status)).toEqual({ ...pending, status: "queued" });
  }
  for (const status of ["running", "processing", "in_progress", "constructor", 7, null]) {
    expect(read(status)).toEqual({ ...pending, status: "in_progress" });
  }
});

test("an end has the vendor's code and words, or ours", () => {
  expect(read("failed", { code: 1000, message: "No." })).toEqual({
    kind: "failed",
    code: "1000",
    message: "No.",
  });
  expect(read("failed", { code: "Sensitive" })).toMatchObject({ code: "content_policy_violation" });
  expect(read("cancelled")).toMatchObject({ kind: "failed", code: "task_cancelled" });
  expect(read("expired")).toMatchObject({ kind: "failed", code: "task_expired" });
});
