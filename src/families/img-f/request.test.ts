import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GatewayError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { imgFActions, type ImgFAction, type ImgFJob } from "../img-f-job.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { parse, parseSimpleChange } from "./request.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\0", "latin1").toString("base64");
const uri = `data:image/png;base64,${png}`;

const open: ImgFJob = {
  action: "imagine",
  model: "imgF-imagine",
  prompt: null,
  bot: null,
  images: [],
  mask: null,
  dimensions: null,
  parentTaskId: null,
  customId: null,
  change: null,
  index: null,
  state: null,
};

function refused(action: ImgFAction, body: JsonObject) {
  return refusalOf(() => parse(action, body));
}

describe("N8 imagine", () => {
  test("needs a prompt alone", () => {
    expect(parse("imagine", { prompt: "a cat" })).toEqual({ ...open, prompt: "a cat" });
    for (const prompt of [undefined, null, "", " "]) {
      expect(refused("imagine", { prompt })).toEqual(bad("prompt"));
    }
    expect(refused("imagine", { prompt: 7 })).toEqual(bad("prompt"));
  });

  test("takes a bot, pictures and a note", () => {
    const body = { prompt: "p", botType: "niji_journey", state: "s", base64Array: [uri, png] };
    expect(parse("imagine", body)).toEqual({
      ...open,
      prompt: "p",
      bot: "NIJI_JOURNEY",
      images: [uri, uri],
      state: "s",
    });
    expect(parse("imagine", { prompt: "p", base64: uri }).images).toEqual([uri]);
    expect(parse("imagine", { prompt: "p", base64Array: [] }).images).toEqual([]);
  });

  test("is bounded", () => {
    const many = (count: number) => Array.from({ length: count }, () => uri);
    expect(parse("imagine", { prompt: "p", base64Array: many(5) }).images).toHaveLength(5);
    expect(refused("imagine", { prompt: "p", base64Array: many(6) })).toEqual(bad("base64Array"));
    expect(parse("imagine", { prompt: "p".repeat(8000) }).prompt).toHaveLength(8000);
    expect(refused("imagine", { prompt: "p".repeat(8001) })).toEqual(bad("prompt"));
    expect(parse("imagine", { prompt: "p", state: "s".repeat(2000) }).state).toHaveLength(2000);
    expect(refused("imagine", { prompt: "p", state: "s".repeat(2001) })).toEqual(bad("state"));
    expect(refused("imagine", { prompt: "p", botType: "DALL_E" })).toEqual(bad("botType"));
  });

  test.each<Json>([
    "https://example.com/a.png",
    "a cat",
    "data:image/png;base64,AAAAAAAA",
    "data:text/html;base64,PGI+",
    7,
    null,
  ])("takes no %j as a picture", (picture) => {
    expect(refused("imagine", { prompt: "p", base64Array: [uri, picture] })).toEqual(
      bad("base64Array.1"),
    );
  });
});

describe("N8 change", () => {
  test.each([
    ["UPSCALE", 1],
    ["VARIATION", 4],
  ])("%s needs an index", (action, index) => {
    const body = { taskId: "task_1", action, index };
    expect(parse("change", body)).toMatchObject({
      model: "imgF-change",
      parentTaskId: "task_1",
      change: action,
      index,
    });
    expect(refused("change", { ...body, index: null })).toEqual(bad("index"));
    for (const wrong of [0, 5, "x"]) {
      expect(refused("change", { ...body, index: wrong })).toEqual(bad("index"));
    }
  });

  test("REROLL needs none", () => {
    const job = parse("change", { taskId: "task_1", action: "reroll", index: 9 });
    expect(job).toMatchObject({ change: "REROLL", index: null });
  });

  test("needs a task and an action", () => {
    const body = { taskId: "task_1", action: "UPSCALE", index: 1 };
    for (const taskId of [undefined, "", "a b", "../x", {}, 7, "t".repeat(101)]) {
      expect(refused("change", { ...body, taskId })).toEqual(bad("taskId"));
    }
    for (const action of [undefined, "ZOOM", 7]) {
      expect(refused("change", { ...body, action })).toEqual(bad("action"));
    }
  });

  test("may be one text", () => {
    const read = (content: Json) => parseSimpleChange({ content, state: "s" });
    expect(read("task_1 U2")).toMatchObject({
      action: "change",
      parentTaskId: "task_1",
      change: "UPSCALE",
      index: 2,
      state: "s",
    });
    expect(read(" task_1  v4 ")).toMatchObject({ change: "VARIATION", index: 4 });
    expect(read("task_1 R")).toMatchObject({ change: "REROLL", index: null });
    for (const content of ["", "task_1", "task_1 U5", "task_1 U", "task_1 R1", "U1", 7, null]) {
      expect(refusalOf(() => read(content))).toEqual(bad("content"));
    }
  });
});

test("N8 action presses a button", () => {
  const customId = "MJ::JOB::upsample::2::3dbbd469-36af-4a0f-8f02-df6c579e7011";
  expect(parse("action", { taskId: "task_1", customId })).toMatchObject({
    model: "imgF-action",
    parentTaskId: "task_1",
    customId,
  });
  expect(refused("action", { taskId: "task_1" })).toEqual(bad("customId"));
  expect(refused("action", { customId })).toEqual(bad("taskId"));
  const long = (length: number) => ({ taskId: "t", customId: "c".repeat(length) });
  expect(parse("action", long(500)).customId).toHaveLength(500);
  expect(refused("action", long(501))).toEqual(bad("customId"));
});

test("N8 blend takes from two to five pictures", () => {
  const blend = (count: number, fields: JsonObject = {}) =>
    parse("blend", { base64Array: Array.from({ length: count }, () => uri), ...fields });
  expect(blend(2, { dimensions: "portrait" })).toMatchObject({
    model: "imgF-blend",
    images: [uri, uri],
    dimensions: "PORTRAIT",
  });
  expect(blend(5).dimensions).toBeNull();
  for (const count of [0, 1, 6]) expect(refusalOf(() => blend(count))).toEqual(bad("base64Array"));
  expect(refusalOf(() => blend(2, { dimensions: "ROUND" }))).toEqual(bad("dimensions"));
});

test("N8 describe takes one picture", () => {
  expect(parse("describe", { base64: uri })).toMatchObject({
    model: "imgF-describe",
    images: [uri],
  });
  expect(refused("describe", {})).toEqual(bad("base64"));
  expect(refused("describe", { base64: [uri, uri] })).toEqual(bad("base64"));
});

test("N8 modal says more about a task that waits", () => {
  expect(parse("modal", { taskId: "task_1", prompt: "a hat", maskBase64: uri })).toMatchObject({
    model: "imgF-modal",
    parentTaskId: "task_1",
    prompt: "a hat",
    mask: uri,
  });
  expect(parse("modal", { taskId: "task_1" })).toMatchObject({ prompt: null, mask: null });
  expect(refused("modal", { prompt: "a hat" })).toEqual(bad("taskId"));
  expect(refused("modal", { taskId: "task_1", maskBase64: "x" })).toEqual(bad("maskBase64"));
});

test("a picture has at most ten mebibytes", () => {
  const bytes = (count: number) =>
    Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(count - 12)]).toString("base64");
  const most = 10 * 1024 * 1024;
  expect(parse("describe", { base64: bytes(most) }).images).toHaveLength(1);
  expect(refused("describe", { base64: bytes(most + 1) })?.[0]).toBe(413);
});

test("whatever a client sends is a job or a refusal that names a field", () => {
  const leaf = fc.oneof(
    fc.constantFrom<Json>(uri, png, "task_1", "UPSCALE", "task_1 U1", "", null, true, 3),
    fc.string(),
    fc.double(),
  );
  const value = fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), leaf));
  const names = "prompt base64 base64Array botType state taskId action index customId dimensions";
  const body = fc.dictionary(fc.constantFrom(...`${names} maskBase64 content`.split(" ")), value);
  fc.assert(
    fc.property(fc.constantFrom(...imgFActions), body, (action, sent) => {
      for (const read of [() => parse(action, sent), () => parseSimpleChange(sent)]) {
        try {
          read();
        } catch (error) {
          if (!(error instanceof GatewayError) || error.param === null) throw error;
        }
      }
    }),
    { numRuns: 1000 },
  );
});
