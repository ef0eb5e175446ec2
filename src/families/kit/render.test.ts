import { describe, expect, test } from "bun:test";
import type { TaskView } from "../family.ts";
import { newJob } from "./job.ts";
import { renderAccepted, renderTask } from "./render.ts";

const base: TaskView = {
  id: "task_1",
  model: "m",
  status: "queued",
  progress: 0,
  createdAtSeconds: 1000,
  completedAtSeconds: null,
  videoUrl: null,
  error: null,
  delivered: { seconds: null, tokens: null },
  job: newJob({ model: "m", prompt: "p" }),
  isNew: false,
};
export const created: TaskView = { ...base, isNew: true };
export const running: TaskView = { ...base, status: "in_progress", progress: 37.4 };
export const completed: TaskView = {
  ...base,
  status: "completed",
  progress: 80,
  completedAtSeconds: 1060,
  videoUrl: "https://media.example/v.mp4",
  delivered: { seconds: 5.1, tokens: 900 },
};
export const failed: TaskView = {
  ...base,
  status: "failed",
  progress: 50,
  completedAtSeconds: 1050,
  error: { code: "task_failed", message: "It broke." },
};

const shown = {
  id: "task_1",
  task_id: "task_1",
  object: "video",
  model: "m",
  status: "queued",
  progress: 0,
  created_at: 1000,
};

describe("the common shape", () => {
  test("V-0 a new task is queued, at 0, without an address", () => {
    expect(renderTask(created)).toEqual({ ...shown, video_url: "" });
  });

  test("one that is worked on shows how far it is", () => {
    expect(renderTask(running)).toEqual({
      ...shown,
      status: "in_progress",
      progress: 37,
      video_url: "",
    });
  });

  test("N23 one that is completed is at 100 and has its address", () => {
    expect(renderTask(completed)).toEqual({
      ...shown,
      status: "completed",
      progress: 100,
      completed_at: 1060,
      video_url: "https://media.example/v.mp4",
    });
    expect(renderTask({ ...completed, videoUrl: null })["video_url"]).toBe("");
  });

  test("V-Q1 one that failed says why", () => {
    expect(renderTask(failed)).toEqual({
      ...shown,
      status: "failed",
      progress: 50,
      video_url: "",
      error: { message: "It broke.", code: "task_failed" },
    });
    expect(renderTask({ ...failed, error: null })["error"]).toMatchObject({ code: "task_failed" });
  });

  test.each([
    [-5, 0],
    [140, 100],
    [Number.NaN, 0],
    [99.6, 100],
  ])("progress %d is shown as %d", (progress, expected) => {
    expect(renderTask({ ...running, progress })["progress"]).toBe(expected);
  });
});

test("V-U1 the unified route answers a creation with these seven fields", () => {
  expect(renderAccepted(created)).toEqual(shown);
});
