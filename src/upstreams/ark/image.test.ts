// Images by Seedream: against a scripted vendor, and against the sandbox's.
import { describe, expect, test } from "bun:test";
import {
  fileImage,
  imageJob,
  ImageVendor,
  ScriptedVendor,
  urlImage,
} from "../../../test/harness/images/vendor.ts";
import { readImageSize } from "../../core/image-size.ts";
import type { Json } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { cat, expectNoRefusal, expectPictures, expectRefusal } from "../kit/fixtures/vendors.ts";
import { toSize } from "./image-request.ts";
import { image } from "./image.ts";

const model = "doubao-seedream-4-0-250828";
const one = { data: [{ url: "https://ark.test/a.jpeg", size: "2048x2048" }] };
const series = { sequential_image_generation: "auto" };

describe("a request", () => {
  test("says what the vendor knows", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const job = imageJob({
      size: { width: 2560, height: 1440 },
      seed: 7,
      watermark: false,
      quality: "high",
      style: "ink",
      background: "opaque",
      outputFormat: "png",
      delivery: "b64_json",
      images: [urlImage(), fileImage(cat, "image.1")],
      extras: { guidance_scale: 2, optimize_prompt_options: { mode: "fast" }, odd: true },
    });
    await image.run(job, {}, vendor.call({ model }));
    expect(vendor.requests[0]).toMatchObject({
      method: "POST",
      address: {
        url: "https://vendor.test/api/v3/images/generations",
        headers: { authorization: "Bearer sk-sandbox-image" },
      },
    });
    expect(vendor.body()).toEqual({
      model,
      prompt: "A fox in the snow",
      image: [
        "https://images.example/a.png",
        `data:image/png;base64,${Buffer.from(cat).toString("base64")}`,
      ],
      size: "2560x1440",
      seed: 7,
      watermark: false,
      output_format: "png",
      response_format: "b64_json",
      guidance_scale: 2,
      optimize_prompt_options: { mode: "fast" },
      sequential_image_generation: "disabled",
    });
  });

  test.each([
    [null, undefined],
    [true, true],
    [false, false],
  ])("I1 that says %p about the mark says %p", async (watermark, said) => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    await image.run(imageJob({ watermark }), {}, vendor.call({ model }));
    expect(vendor.body()["watermark"]).toBe(said);
    expect(Object.hasOwn(vendor.body(), "watermark")).toBe(watermark !== null);
  });

  test.each([
    [null, "url"],
    ["url", "url"],
    ["b64_json", "b64_json"],
  ] as const)("for %p wants a %s", async (delivery, said) => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const job = imageJob({ delivery, images: [urlImage()] });
    await image.run(job, {}, vendor.call({ model }));
    expect(vendor.body()).toMatchObject({ response_format: said, image: expect.any(String) });
  });

  test("for several is as many calls, each with a seed of its own", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const reply = await image.run(imageJob({ count: 6, seed: 40 }), {}, vendor.call({ model }));
    const seeds = vendor.requests.map((_, index) => vendor.body(index)["seed"]);
    expect(seeds).toEqual([40, 41, 42, 43, 44, 45]);
    expect(reply.images).toHaveLength(6);
  });

  test("for a series is one call", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    await image.run(imageJob({ count: 6, extras: series }), {}, vendor.call({ model }));
    expect(vendor.requests).toHaveLength(1);
    expect(vendor.body()).toMatchObject({
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 6 },
    });
  });
});

test.each<[Partial<ImageJob>, string | null | undefined]>([
  [{}, null],
  [{ sizeClass: "4k" }, "4K"],
  [{ sizeClass: "3K" }, undefined],
  [{ size: { width: 1280, height: 720 } }, "1280x720"],
  [{ size: { width: 1279, height: 720 } }, undefined],
  [{ size: { width: 4096, height: 4096 } }, "4096x4096"],
  [{ size: { width: 4096, height: 4097 } }, undefined],
  [{ size: { width: 8192, height: 500 } }, undefined],
  [{ ratio: "16:9" }, "2720x1536"],
  [{ ratio: "16:9", sizeClass: "1K" }, "1360x768"],
  [{ ratio: "1:1", sizeClass: "4K" }, "4096x4096"],
  [{ ratio: "17:1" }, undefined],
  [{ ratio: "wide" }, undefined],
])("the size of %j is %p", (said, size) => {
  expect(toSize(imageJob(said))).toBe(size);
});

describe("an answer", () => {
  test("has links or bytes, errors among them, and a count", async () => {
    const json: Json = {
      model,
      data: [
        { url: "https://ark.test/a.jpeg", size: "2048x2048" },
        { b64_json: "held-text-1" },
        { error: { code: "OutputImageSensitiveContentDetected", message: "no" } },
        { error: { code: "InternalServiceError", message: "odd" } },
        {},
      ],
      usage: { generated_images: 2, output_tokens: 16_384, total_tokens: 16_384 },
    };
    const vendor = new ScriptedVendor(() => ({ json }));
    const size = { width: 2048, height: 1024 };
    const job = imageJob({ count: 5, size, extras: series });
    expect(await image.run(job, {}, vendor.call({ model }))).toEqual({
      images: [
        {
          source: { kind: "url", url: "https://ark.test/a.jpeg", headers: {} },
          revisedPrompt: null,
          size: "2048x2048",
        },
        {
          source: { kind: "bytes", base64: "held-text-1" },
          revisedPrompt: null,
          size: "2048x1024",
        },
      ],
      failures: [
        { code: "content_policy_violation", message: "no" },
        { code: "InternalServiceError", message: "odd" },
        { code: "no_image", message: expect.any(String) },
      ],
      quality: null,
      background: null,
      outputFormat: null,
      usage: {
        inputTokens: 0,
        outputTokens: 16_384,
        totalTokens: 16_384,
        inputTextTokens: null,
        inputImageTokens: null,
        outputImageTokens: 16_384,
        outputTextTokens: null,
      },
    });
  });

  test("of a class does not say a class for a size", async () => {
    const vendor = new ScriptedVendor(() => ({ json: { data: [{ url: "https://ark.test/a" }] } }));
    const reply = await image.run(imageJob({ sizeClass: "2K" }), {}, vendor.call({ model }));
    expect(reply).toMatchObject({ images: [{ size: null }], usage: null });
  });

  test.each<[Json, object]>([
    [
      { data: [{ error: { code: "OutputImageSensitiveContentDetected.PolicyViolation" } }] },
      { blame: "request", status: 400, code: "content_policy_violation" },
    ],
    [{ data: [{ error: { code: "InternalServiceError" } }] }, { blame: "channel" }],
  ])("of errors alone is a refusal: %j", async (json, fault) => {
    const made = image.run(imageJob(), {}, new ScriptedVendor(() => ({ json })).call({ model }));
    await expectRefusal(made, fault);
  });

  test.each<Json>([{}, { data: [] }, { data: null }, null])(
    "without anything is no success: %j",
    async (json) => {
      const made = image.run(imageJob(), {}, new ScriptedVendor(() => ({ json })).call({ model }));
      await expectNoRefusal(made);
    },
  );

  test("of several calls may be there in part", async () => {
    const refused = { error: { code: "OutputImageSensitiveContentDetected", message: "no" } };
    const vendor = new ScriptedVendor((index) =>
      index === 1 ? { status: 400, json: refused } : { json: one },
    );
    const reply = await image.run(imageJob({ count: 3 }), {}, vendor.call({ model }));
    expect(reply.images).toHaveLength(2);
    expect(reply.failures).toEqual([{ code: "content_policy_violation", message: "no" }]);
  });
});

describe("what Seedream has no words for", () => {
  const asset = { source: { kind: "asset", id: "a" } as const, param: "image.1" };
  test.each<[string | null, Partial<ImageJob>]>([
    [null, { quality: "max", style: {}, background: "transparent", seed: 1, watermark: true }],
    [null, { kind: "edit", images: [urlImage()] }],
    ["mask", { kind: "edit", images: [urlImage()], mask: fileImage(cat, "mask") }],
    ["size", { size: { width: 512, height: 512 } }],
    ["size", { sizeClass: "3K", ratio: "16:9" }],
    ["aspect_ratio", { sizeClass: "2K", ratio: "20:1" }],
    ["output_format", { outputFormat: "webp" }],
    [null, { seed: -1, count: 4 }],
    [null, { seed: 2 ** 31 - 4, count: 4 }],
    ["seed", { seed: 2 ** 31 - 3, count: 4 }],
    ["n", { count: 16, extras: series }],
    ["image.1", { images: [urlImage(), asset] }],
    ["image", { kind: "edit" }],
    ["last", { images: [...Array.from({ length: 14 }, () => urlImage()), urlImage("x", "last")] }],
  ])("%p is named for a job", (field, said) => {
    expect(image.lacks(imageJob(said))).toBe(field);
  });
});

describe("the sandbox's vendor", () => {
  test("draws distinct pictures behind links, or sends them", async () => {
    await using vendor = new ImageVendor("ark");
    const call = vendor.call({ model });
    const job = imageJob({ count: 3, size: { width: 5504, height: 3040 }, watermark: false });
    const linked = await image.run(job, {}, call);
    await expectPictures(linked, {
      by: "url",
      count: 3,
      type: "image/jpeg",
      width: 5504,
      height: 3040,
    });
    const reply = await image.run({ ...job, delivery: "b64_json", outputFormat: "png" }, {}, call);
    const [first] = reply.images;
    const bytes = Buffer.from(first?.source.kind === "bytes" ? first.source.base64 : "", "base64");
    expect(readImageSize("image/png", bytes)).toEqual({ width: 5504, height: 3040 });
    expect(reply.usage?.outputTokens).toBe(3 * Math.floor((5504 * 3040) / 256));
  });

  test("makes a series, whose last may fail", async () => {
    await using vendor = new ImageVendor("ark");
    const job = imageJob({ count: 3, extras: series, images: [fileImage(cat)] });
    const whole = await image.run(job, {}, vendor.call({ model }));
    expect(whole).toMatchObject({ failures: [], images: [{}, {}, {}] });
    const failing = { ...job, prompt: "x sandbox:fail" };
    const reply = await image.run(failing, {}, vendor.call({ model }));
    expect(reply.images).toHaveLength(2);
    expect(reply.failures).toMatchObject([{ code: "InternalServiceError" }]);
  });

  test.each([
    ["status=400", { blame: "request", status: 400, code: "InvalidParameter" }],
    ["status=401", { blame: "key" }],
    ["status=429", { blame: "load", retryAfterSeconds: 1 }],
    ["status=500", { blame: "channel" }],
    ["fail", { blame: "channel" }],
    ["filter", { blame: "request", status: 400, code: "content_policy_violation" }],
  ])("refuses on sandbox:%s", async (fault, expected) => {
    await using vendor = new ImageVendor("ark");
    const made = image.run(imageJob({ prompt: `x sandbox:${fault}` }), {}, vendor.call({ model }));
    await expectRefusal(made, expected);
  });

  test.each(["cut", "garbage"])("may have begun on sandbox:%s", async (fault) => {
    await using vendor = new ImageVendor("ark");
    const made = image.run(imageJob({ prompt: `x sandbox:${fault}` }), {}, vendor.call({ model }));
    await expectNoRefusal(made);
  });
});
