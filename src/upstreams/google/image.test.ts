// Images by Gemini: against a scripted vendor, and against the sandbox's.
import { describe, expect, test } from "bun:test";
import {
  fileImage,
  imageJob,
  ImageVendor,
  ScriptedVendor,
  urlImage,
} from "../../../test/harness/images/vendor.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import {
  cat,
  expectNoRefusal,
  expectPictures,
  expectRefusal,
  imageFacet,
} from "../kit/fixtures/vendors.ts";
import { shapeOf } from "../kit/google/image-request.ts";
import { google } from "./index.ts";

const image = imageFacet(google);

const model = "gemini-3-pro-image";
const lite = "gemini-3.1-flash-lite-image";

function saying(parts: Json[], more: JsonObject = {}): JsonObject {
  return { candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }], ...more };
}

const picture = { inlineData: { mimeType: "image/png", data: "held-text-1" } };
const draft = { inlineData: { mimeType: "image/png", data: "draft" }, thought: true };

describe("a request", () => {
  test("is for content, with the pictures beside the words", async () => {
    const vendor = new ScriptedVendor(() => ({ json: saying([picture]) }));
    const job = imageJob({
      size: { width: 1920, height: 1080 },
      seed: 7,
      quality: "high",
      watermark: false,
      style: "ink",
      images: [fileImage(cat)],
      extras: { temperature: 0.5, top_p: 1, safetySettings: [{ category: "A" }], odd: 1 },
    });
    await image.run(job, {}, vendor.call({ model: `models/${model}` }));
    expect(vendor.requests[0]).toMatchObject({
      method: "POST",
      address: {
        url: `https://vendor.test/v1beta/models/${model}:generateContent`,
        headers: { "x-goog-api-key": "sk-sandbox-image" },
      },
    });
    const data = Buffer.from(cat).toString("base64");
    expect(vendor.body()).toEqual({
      contents: [
        {
          role: "user",
          parts: [{ text: job.prompt }, { inlineData: { mimeType: "image/png", data } }],
        },
      ],
      safetySettings: [{ category: "A" }],
      generationConfig: {
        temperature: 0.5,
        topP: 1,
        responseModalities: ["TEXT", "IMAGE"],
        imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
        seed: 7,
      },
    });
  });

  test("says nothing of a shape when the client did not", async () => {
    const vendor = new ScriptedVendor(() => ({ json: saying([picture]) }));
    await image.run(imageJob(), {}, vendor.call({ model }));
    expect(vendor.body()["generationConfig"]).toEqual({ responseModalities: ["TEXT", "IMAGE"] });
  });

  test("says no class to a model that has one only", async () => {
    const vendor = new ScriptedVendor(() => ({ json: saying([picture]) }));
    const job = imageJob({ ratio: "4:3", sizeClass: "1K" });
    await image.run(job, {}, vendor.call({ model: lite }));
    expect(vendor.body()["generationConfig"]).toMatchObject({
      imageConfig: { aspectRatio: "4:3" },
    });
    expect(JSON.stringify(vendor.body())).not.toContain("imageSize");
  });

  test("for several is as many calls, each with a seed of its own", async () => {
    const vendor = new ScriptedVendor(() => ({ json: saying([picture]) }));
    const reply = await image.run(imageJob({ count: 5, seed: 1 }), {}, vendor.call({ model }));
    expect(vendor.requests.map((_, index) => vendor.body(index)["generationConfig"])).toMatchObject(
      [1, 2, 3, 4, 5].map((seed) => ({ seed })),
    );
    expect(reply.images).toHaveLength(5);
  });

  test("under a name that leads elsewhere is not sent", async () => {
    const vendor = new ScriptedVendor(() => ({ json: saying([picture]) }));
    const made = image.run(imageJob(), {}, vendor.call({ model: ".." }));
    await expectRefusal(made, { blame: "channel" });
    expect(vendor.requests).toEqual([]);
  });
});

test.each([
  ["1024x1024", "1:1", "1K"],
  ["256x256", "1:1", "1K"],
  ["1024x1040", "1:1", "2K"],
  ["1536x1024", "3:2", "2K"],
  ["2560x1712", "3:2", "4K"],
  ["1792x1024", "16:9", "2K"],
  ["2160x3840", "9:16", "4K"],
  ["4096x4096", "1:1", "4K"],
  ["6000x6000", "1:1", "4K"],
  ["3024x1296", "21:9", "2K"],
])("the size %s is %s in %s", (text, ratio, sizeClass) => {
  const [width = 0, height = 0] = text.split("x").map(Number);
  expect(shapeOf(imageJob({ size: { width, height } }))).toEqual({ ratio, sizeClass });
});

describe("an answer", () => {
  test("has its picture among words and drafts, and a count", async () => {
    const usageMetadata = {
      promptTokenCount: 268,
      candidatesTokenCount: 1130,
      thoughtsTokenCount: 100,
      totalTokenCount: 1498,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 10 },
        { modality: "IMAGE", tokenCount: 258 },
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1120 }],
    };
    const json = saying([draft, { text: "Here." }, picture, picture], { usageMetadata });
    const vendor = new ScriptedVendor(() => ({ json }));
    expect(await image.run(imageJob(), {}, vendor.call({ model }))).toEqual({
      images: [
        { source: { kind: "bytes", base64: "held-text-1" }, revisedPrompt: null, size: null },
      ],
      failures: [],
      quality: null,
      background: null,
      outputFormat: "png",
      usage: {
        inputTokens: 268,
        outputTokens: 1230,
        totalTokens: 1498,
        inputTextTokens: 10,
        inputImageTokens: 258,
        outputImageTokens: 1120,
        outputTextTokens: 110,
      },
    });
  });

  test.each([
    [{}],
    [{ promptTokenCount: 3, candidatesTokenCount: 0 }],
    [{ promptTokenCount: 3, totalTokenCount: 3 }],
  ])("may be uncounted: %j", async (usageMetadata) => {
    const vendor = new ScriptedVendor(() => ({ json: saying([picture], { usageMetadata }) }));
    expect((await image.run(imageJob(), {}, vendor.call({ model }))).usage).toBeNull();
  });

  test.each<[string, JsonObject]>([
    ["content_policy_violation", { candidates: [{ finishReason: "IMAGE_SAFETY" }] }],
    ["content_policy_violation", { candidates: [{ finishReason: "IMAGE_PROHIBITED_CONTENT" }] }],
    ["content_policy_violation", { candidates: [{ finishReason: "IMAGE_RECITATION" }] }],
    ["content_policy_violation", { candidates: [{ finishReason: "SAFETY" }] }],
    ["content_policy_violation", { promptFeedback: { blockReason: "OTHER" } }],
    ["no_image", { candidates: [{ finishReason: "NO_IMAGE" }] }],
    ["no_image", { candidates: [{ finishReason: "IMAGE_OTHER" }] }],
    ["no_image", saying([{ text: "I would rather not." }])],
    ["no_image", saying([draft])],
  ])("that brought nothing is a refusal with %s", async (code, json) => {
    const made = image.run(imageJob(), {}, new ScriptedVendor(() => ({ json })).call({ model }));
    await expectRefusal(made, { blame: "request", status: 400, code });
  });

  test.each<Json>([{}, { candidates: [] }, { candidates: [{ finishReason: "MAX_TOKENS" }] }, null])(
    "that says nothing is no success: %j",
    async (json) => {
      const made = image.run(imageJob(), {}, new ScriptedVendor(() => ({ json })).call({ model }));
      await expectNoRefusal(made);
    },
  );

  test("of several calls may be there in part", async () => {
    const vendor = new ScriptedVendor((index) => ({
      json: index === 0 ? { candidates: [{ finishReason: "NO_IMAGE" }] } : saying([picture]),
    }));
    const reply = await image.run(imageJob({ count: 3 }), {}, vendor.call({ model }));
    expect(reply.images).toHaveLength(2);
    expect(reply.failures).toMatchObject([{ code: "no_image" }]);
  });
});

describe("what Gemini has no words for", () => {
  test.each<[string | null, Partial<ImageJob>]>([
    [null, { quality: "max", style: {}, background: "transparent", seed: 1, watermark: true }],
    [null, { ratio: "21:9", sizeClass: "512" }],
    [null, { kind: "edit", images: [fileImage(cat)] }],
    ["size", { size: { width: 2000, height: 1000 } }],
    ["size", { sizeClass: "3K" }],
    ["size", { model: `our-${lite}`, sizeClass: "2K" }],
    ["size", { model: `our-${lite}`, size: { width: 1536, height: 1024 } }],
    ["aspect_ratio", { ratio: "2:1" }],
    ["output_format", { outputFormat: "png" }],
    [null, { seed: -1, count: 4 }],
    [null, { seed: 2 ** 31 - 4, count: 4 }],
    ["seed", { seed: 2 ** 31 - 3, count: 4 }],
    ["mask", { images: [fileImage(cat)], mask: fileImage(cat, "mask") }],
    ["image", { images: [urlImage()] }],
    ["image", { images: [fileImage(cat, "image", "image/gif")] }],
    ["image", { kind: "edit" }],
    ["image.14", { images: Array.from({ length: 15 }, (_, at) => fileImage(cat, `image.${at}`)) }],
  ])("%p is named for a job", (field, said) => {
    expect(image.lacks(imageJob(said))).toBe(field);
  });
});

describe("the sandbox's vendor", () => {
  test("draws distinct pictures in their class", async () => {
    await using vendor = new ImageVendor("google");
    const job = imageJob({ count: 3, ratio: "16:9", sizeClass: "2K", images: [fileImage(cat)] });
    const reply = await image.run(job, {}, vendor.call({ model }));
    await expectPictures(reply, {
      by: "bytes",
      count: 3,
      type: "image/png",
      width: 2752,
      height: 1536,
    });
    expect(reply.usage).toMatchObject({ inputImageTokens: 774, outputImageTokens: 12_384 });
  });

  test.each([
    ["status=400", { blame: "request", status: 400 }],
    ["status=403", { blame: "suspect" }],
    ["status=429", { blame: "load", retryAfterSeconds: 1 }],
    ["status=500", { blame: "channel" }],
    ["fail", { blame: "request", status: 400, code: "no_image" }],
    ["filter", { blame: "request", status: 400, code: "content_policy_violation" }],
    ["filter block", { blame: "request", status: 400, code: "content_policy_violation" }],
  ])("refuses on sandbox:%s", async (fault, expected) => {
    await using vendor = new ImageVendor("google");
    const made = image.run(imageJob({ prompt: `x sandbox:${fault}` }), {}, vendor.call({ model }));
    await expectRefusal(made, expected);
  });

  test.each(["cut", "garbage"])("may have begun on sandbox:%s", async (fault) => {
    await using vendor = new ImageVendor("google");
    const made = image.run(imageJob({ prompt: `x sandbox:${fault}` }), {}, vendor.call({ model }));
    await expectNoRefusal(made);
  });
});
