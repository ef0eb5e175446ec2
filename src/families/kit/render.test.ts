import { describe, expect, test } from "bun:test";
import { renderAccepted, renderTask } from "./render.ts";
import { completed, created, failed, running } from "./fixtures/task-views.ts";

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
