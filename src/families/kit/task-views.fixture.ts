// A task as its client sees it, in each of its states.
import type { ShownTask } from "../family.ts";
import { newJob } from "./job.ts";

const base: ShownTask = {
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
export const created: ShownTask = { ...base, isNew: true };
export const running: ShownTask = { ...base, status: "in_progress", progress: 37.4 };
export const completed: ShownTask = {
  ...base,
  status: "completed",
  progress: 80,
  completedAtSeconds: 1060,
  videoUrl: "https://media.example/v.mp4",
  delivered: { seconds: 5.1, tokens: 900 },
};
export const failed: ShownTask = {
  ...base,
  status: "failed",
  progress: 50,
  completedAtSeconds: 1050,
  error: { code: "task_failed", message: "It broke." },
};
