import { describe, expect, test } from "bun:test";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { completed, created, failed, running } from "../kit/fixtures/task-views.ts";
import { nativeModel, parseNative, renderNative } from "./native.ts";

const url = "https://example.com/a.png";

describe("N7 the vendor's own body", () => {
  test("text2video takes a prompt and no picture", () => {
    const body = { model_name: "kling-v1", prompt: "a cat", duration: "10", image: url };
    expect(parseNative("text2video", body)).toMatchObject({
      model: "videoE-v1",
      seconds: 10,
      media: [],
      extras: {},
    });
    expect(refusalOf(() => parseNative("text2video", {}))).toEqual(bad("prompt"));
    expect(refusalOf(() => parseNative("text2video", { prompt: "" }))).toEqual(bad("prompt"));
  });

  test("image2video takes a picture, and a prompt if there is one", () => {
    expect(parseNative("image2video", { image: png })).toMatchObject({
      model: "videoE-v1",
      prompt: "",
      media: [{ role: "first-frame", source: { kind: "bytes", type: "image/png" } }],
    });
    expect(parseNative("image2video", { image_tail: url, prompt: "p" }).media).toHaveLength(1);
    expect(refusalOf(() => parseNative("image2video", { prompt: "p" }))).toEqual(bad("image"));
  });

  test("the model may be left out, and a wrong one is named as it was given", () => {
    expect(nativeModel({})).toBe("videoE-v1");
    expect(nativeModel({ model_name: "kling-v2-6" })).toBe("kling-v2-6");
    expect(nativeModel({ model_name: 7 })).toBe("");
    expect(refusalOf(() => parseNative("text2video", { model_name: "x", prompt: "p" }))).toEqual(
      bad("model_name"),
    );
  });
});

describe("N7 the vendor's own envelope", () => {
  const data = {
    task_id: "task_1",
    task_status: "submitted",
    task_status_msg: "",
    created_at: 1_000_000,
    updated_at: 1_000_000,
  };

  test("a task that is open has no result", () => {
    expect(renderNative(created, "req_1")).toEqual({
      code: 0,
      message: "SUCCEED",
      request_id: "req_1",
      data,
    });
    expect(renderNative(running)["data"]).toEqual({ ...data, task_status: "processing" });
  });

  test("one that is completed has its video, with its length as a text", () => {
    expect(renderNative(completed)["data"]).toEqual({
      ...data,
      task_status: "succeed",
      updated_at: 1_060_000,
      task_result: {
        videos: [{ id: "task_1", url: "https://media.example/v.mp4", duration: "5.1" }],
      },
    });
  });

  test("one that failed says why", () => {
    expect(renderNative(failed)["data"]).toEqual({
      ...data,
      task_status: "failed",
      task_status_msg: "It broke.",
      updated_at: 1_050_000,
    });
  });
});
