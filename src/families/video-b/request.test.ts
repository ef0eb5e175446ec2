import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { completed, created, failed, running } from "../kit/fixtures/task-views.ts";
import { videoB } from "./index.ts";

const url = "https://example.com/a.png";

function parse(fields: JsonObject = {}) {
  return videoB.parse({ model: "videoB-2", prompt: "a cat", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

const two = ["720x1280", "1280x720"];
const four = [...two, "1792x1024", "1024x1792"];

describe("V-B1 sizes", () => {
  test.each([
    ...two.map((size) => ["videoB-2", size]),
    ...four.map((size) => ["videoB-2-pro", size]),
    ...four.map((size) => ["sora-2-pro", size]),
  ])("%s takes %s", (model = "", size = "") => {
    const [width, height] = size.split("x").map(Number);
    expect(parse({ model, size }).size).toEqual({ width: width ?? 0, height: height ?? 0 });
  });

  test.each<[string, Json]>([
    ["videoB-2", "1792x1024"],
    ["videoB-2", "1024x1792"],
    ["videoB-2", "1920x1080"],
    ["videoB-2-pro", "1920x1080"],
    ["videoB-2", "16:9"],
    ["videoB-2", "1280X720"],
    ["videoB-2", 720],
  ])("%s refuses %j", (model, size) => {
    expect(refused({ model, size })).toEqual([400, "invalid_size", "size"]);
  });

  test("the refusal has the type that the contract names", () => {
    try {
      parse({ size: "1x1" });
      expect.unreachable();
    } catch (error) {
      expect(error instanceof GatewayError && error.type).toBe("gateway_api_error");
    }
  });
});

describe("V-B2 seconds", () => {
  test.each<[JsonObject, number]>([
    [{ seconds: "4" }, 4],
    [{ seconds: 8 }, 8],
    [{ duration: 12 }, 12],
    [{ seconds: "8", duration: 12 }, 8],
    [{ seconds: null, duration: 12 }, 12],
    [{ seconds: 1 }, 1],
    [{ seconds: 60 }, 60],
    [{}, 4],
  ])("%j are %d", (fields, seconds) => {
    expect(parse(fields).seconds).toBe(seconds);
  });

  test.each<[JsonObject, string]>([
    [{ seconds: "eight" }, "seconds"],
    [{ seconds: 0 }, "seconds"],
    [{ seconds: 61 }, "seconds"],
    [{ seconds: 4.5 }, "seconds"],
    [{ duration: -1 }, "duration"],
  ])("%j is refused", (fields, param) => {
    expect(refused(fields)).toEqual(bad(param));
  });

  test("size and seconds are echoed as texts, at every status", () => {
    const job = parse({ size: "1280x720", seconds: 8 });
    const keys = "created_at id model object progress seconds size status task_id video_url";
    const keysOf = (view: typeof created) =>
      Object.keys(videoB.render({ ...view, job })).toSorted();
    expect(videoB.render({ ...created, job })).toMatchObject({ size: "1280x720", seconds: "8" });
    expect(keysOf(created).join(" ")).toBe(keys);
    expect(keysOf(running).join(" ")).toBe(keys);
    expect(keysOf(completed).join(" ")).toBe(`completed_at ${keys}`);
    expect(keysOf(failed)).toEqual([...keys.split(" "), "error"].toSorted());
  });

  test("the defaults that are asked of the vendor are told", () => {
    const shown = videoB.render({ ...created, job: parse() });
    expect(shown).toMatchObject({ size: "720x1280", seconds: "4" });
  });
});

test("V-B3 metadata is the vendor's", () => {
  expect(parse({ metadata: { style: "noir", seed: 7 } }).extras).toEqual({
    style: "noir",
    seed: 7,
  });
  expect(parse({ metadata: '{"style":"noir"}' }).extras).toEqual({ style: "noir" });
  expect(refused({ metadata: "noir" })).toEqual(bad("metadata"));
});

test("what metadata says of the length is what is priced", () => {
  expect(parse({ metadata: { seconds: "12" } })).toMatchObject({ seconds: 12, extras: {} });
  expect(parse({ seconds: 4, metadata: { seconds: "12" } })).toMatchObject({
    seconds: 4,
    extras: {},
  });
});

test("N4 a file of a form, and the objects of the vendor's SDK, are references", () => {
  const file = { filename: "a.png", type: "image/png", base64: png };
  expect(parse({ input_reference: file }).media).toEqual([
    {
      kind: "image",
      role: "reference",
      param: "input_reference",
      source: { kind: "bytes", type: "image/png", base64: png },
    },
  ]);
  expect(parse({ input_reference: [file, file] }).media).toHaveLength(2);
  expect(parse({ "input_reference[image_url]": url }).media).toHaveLength(1);
  expect(parse({ input_reference: { image_url: url } }).media).toHaveLength(1);
  expect(refused({ input_reference: { file_id: "file-1" } })).toEqual(bad("input_reference"));
});

test("V-U1 a ratio on the unified route stands for a size", () => {
  const sizeOf = (size: string) =>
    videoB.unified?.({ model: "videoB-2", prompt: "p", size })["size"];
  expect(sizeOf("16:9")).toBe("1280x720");
  expect(sizeOf("9:16")).toBe("720x1280");
  expect(sizeOf("1:1")).toBe("1:1");
  expect(refusalOf(() => videoB.parse({ model: "videoB-2", prompt: "p", size: "1:1" }))?.[1]).toBe(
    "invalid_size",
  );
});

test("it is charged by the second", () => {
  expect(videoB.units(parse({ size: "1792x1024", model: "sora-2-pro", seconds: 12 }))).toEqual({
    seconds: 12,
    resolution: "1080p",
    size: "1792x1024",
    tier: null,
  });
});
