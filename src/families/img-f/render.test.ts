import { describe, expect, test } from "bun:test";
import { parse } from "./request.ts";
import { render, renderAccepted, type ImgFView } from "./render.ts";

const running: ImgFView = {
  id: "task_1",
  job: parse("imagine", { prompt: "ein Fuchs", state: "mine" }),
  status: "in_progress",
  progress: 37.4,
  submittedAtMs: 1000,
  startedAtMs: 1500,
  endedAtMs: null,
  imageUrl: null,
  failReason: null,
  promptEn: null,
  description: null,
  buttons: [],
  properties: {},
};

describe("N8 the task", () => {
  test("that runs shows how far it is", () => {
    expect(render(running)).toEqual({
      id: "task_1",
      action: "IMAGINE",
      status: "IN_PROGRESS",
      prompt: "ein Fuchs",
      promptEn: "ein Fuchs",
      description: "",
      state: "mine",
      submitTime: 1000,
      startTime: 1500,
      finishTime: 0,
      progress: "37%",
      imageUrl: "",
      failReason: "",
      buttons: [],
      properties: { finalPrompt: "ein Fuchs" },
    });
  });

  test("that has ended shows its picture or its reason", () => {
    const buttons = [{ customId: "MJ::JOB::upsample::1::x", label: "U1" }];
    const done = render({
      ...running,
      status: "completed",
      progress: 12,
      endedAtMs: 2000,
      imageUrl: "https://example.com/1.png",
      promptEn: "a fox",
      buttons,
      properties: { finalPrompt: "a fox --v 7" },
    });
    expect(done).toMatchObject({
      status: "SUCCESS",
      progress: "100%",
      finishTime: 2000,
      imageUrl: "https://example.com/1.png",
      promptEn: "a fox",
      buttons,
      properties: { finalPrompt: "a fox --v 7" },
    });
    const failed = render({ ...running, status: "failed", failReason: "No." });
    expect(failed).toMatchObject({ status: "FAILURE", failReason: "No.", progress: "37%" });
    expect(render({ ...running, status: "failed" })["failReason"]).not.toBe("");
  });

  test("that waits has not begun, or waits for its owner", () => {
    const queued = { ...running, status: "queued", progress: Number.NaN } as const;
    expect(render(queued)).toMatchObject({ status: "SUBMITTED", progress: "0%" });
    expect(render({ ...queued, startedAtMs: null })).toMatchObject({
      status: "NOT_START",
      startTime: 0,
    });
    expect(render({ ...running, status: "modal" })["status"]).toBe("MODAL");
    expect(render({ ...running, progress: 120 })["progress"]).toBe("99%");
  });

  test.each([
    ["MJ::JOB::upsample::2::x", "UPSCALE"],
    ["MJ::JOB::upsample_v6_2x_subtle::1::x::SOLO", "UPSCALE"],
    ["MJ::JOB::low_variation::1::x::SOLO", "VARIATION"],
    ["MJ::JOB::reroll::0::x::SOLO", "REROLL"],
    ["MJ::Outpaint::50::1::x::SOLO", "ZOOM"],
    ["MJ::CustomZoom::x", "ZOOM"],
    ["MJ::JOB::pan_left::1::x::SOLO", "PAN"],
    ["MJ::Inpaint::1::x::SOLO", "INPAINT"],
    ["MJ::BOOKMARK::x", "ACTION"],
  ])("of the button %s is called %s", (customId, action) => {
    const job = parse("action", { taskId: "t", customId });
    expect(render({ ...running, job })["action"]).toBe(action);
  });

  test("of a picture's description has it as its prompt", () => {
    const job = { ...parse("imagine", { prompt: "p" }), action: "describe", prompt: null } as const;
    expect(render({ ...running, job, promptEn: "a red fox" })).toMatchObject({
      action: "DESCRIBE",
      prompt: "a red fox",
      promptEn: "a red fox",
    });
  });

  test("of a change is called by it", () => {
    const job = parse("change", { taskId: "t", action: "REROLL" });
    expect(render({ ...running, job })).toMatchObject({ action: "REROLL", prompt: "" });
  });
});

test("N8 a create is told its number and its task at once", () => {
  expect(renderAccepted("task_1", 1)).toEqual({
    code: 1,
    description: "Submit success",
    result: "task_1",
    properties: {},
  });
  expect(renderAccepted("task_1", 21)["code"]).toBe(21);
  expect(renderAccepted("task_1", 22, { numberOfQueues: 2 })).toMatchObject({
    code: 22,
    properties: { numberOfQueues: 2 },
  });
});
