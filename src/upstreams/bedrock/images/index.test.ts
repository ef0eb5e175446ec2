// Pictures of Amazon's and Stability's models, against the sandbox's cloud.
import { describe, expect, test } from "bun:test";
import {
  fileImage,
  imageJob,
  ImageVendor,
  ScriptedVendor,
} from "../../../../test/harness/images/vendor.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ImageJob } from "../../../families/image-job.ts";
import {
  cat,
  expectNoRefusal,
  expectPictures,
  expectRefusal,
  imageFacet,
} from "../../kit/fixtures/vendors.ts";
import { bedrock } from "../index.ts";

const images = imageFacet(bedrock);
const canvas = "amazon.nova-canvas-v1:0";
const titan = "amazon.titan-image-generator-v2:0";
const diffusion = "stability.sd3-5-large-v1:0";
const core = "us.stability.stable-image-core-v1:1";

async function bodyOf(model: string, said: Partial<ImageJob>) {
  const vendor = new ScriptedVendor(() => ({ json: { images: ["AAAA"] } }));
  await images.run(imageJob({ model, ...said }), {}, vendor.call({ model }));
  return vendor.body();
}

describe.each([
  [canvas, { width: 1360, height: 768 }],
  [diffusion, { width: 1344, height: 768 }],
])("%s", (model, shape) => {
  test("draws each picture by a call of its own, and no two alike", async () => {
    await using vendor = new ImageVendor("bedrock");
    const job = imageJob({ model, count: 3, ratio: "16:9" });
    const reply = await images.run(job, {}, vendor.call({ model }));
    await expectPictures(reply, { by: "bytes", count: 3, type: "image/png", ...shape });
    expect(reply.usage).toBeNull();
  });

  test("makes a picture of another", async () => {
    await using vendor = new ImageVendor("bedrock");
    const job = imageJob({ model, kind: "edit", images: [fileImage(cat)] });
    const reply = await images.run(job, {}, vendor.call({ model }));
    const square = { width: 1024, height: 1024 };
    await expectPictures(reply, { by: "bytes", count: 1, type: "image/png", ...square });
  });

  test("that is filtered is the request's fault", async () => {
    await using vendor = new ImageVendor("bedrock");
    const job = imageJob({ model, prompt: "x sandbox:filter" });
    await expectRefusal(images.run(job, {}, vendor.call({ model })), {
      blame: "request",
      code: "content_policy_violation",
    });
  });
});

test("an answer without a picture and without a reason is no refusal", async () => {
  const answers: [string, JsonObject][] = [
    [canvas, { images: [], error: null }],
    [diffusion, { finish_reasons: ["Inference error"] }],
  ];
  for (const [model, json] of answers) {
    const call = new ScriptedVendor(() => ({ json })).call({ model });
    await expectNoRefusal(images.run(imageJob({ model }), {}, call));
  }
});

test("a channel of Mantle draws nothing, and the next one is asked", async () => {
  const vendor = new ScriptedVendor(() => ({ json: { images: ["AAAA"] } }));
  const { target, ...call } = vendor.call({ model: canvas });
  const mantle = { ...target, baseUrl: "https://bedrock-mantle.us-east-1.api.aws/v1" };
  const run = images.run(imageJob({ model: canvas }), {}, { ...call, target: mantle });
  await expectRefusal(run, { blame: "channel" });
  expect(vendor.requests).toEqual([]);
});

describe("a body", () => {
  test("of Amazon's has sides in steps, its own words for quality, and a seed", async () => {
    const size = { width: 1920, height: 1080 };
    expect(await bodyOf(canvas, { size, quality: "high", seed: 7 })).toEqual({
      taskType: "TEXT_IMAGE",
      textToImageParams: { text: "A fox in the snow" },
      imageGenerationConfig: {
        numberOfImages: 1,
        width: 1920,
        height: 1088,
        quality: "premium",
        seed: 7,
      },
    });
  });

  test("of Amazon's has another seed for each request that names none", async () => {
    const seeds = new Set<unknown>();
    for (const reference of ["req_1", "req_2", "req_3"]) {
      const vendor = new ScriptedVendor(() => ({ json: { images: ["AAAA"] } }));
      const job = imageJob({ model: canvas });
      await images.run(job, {}, vendor.call({ model: canvas, reference }));
      seeds.add(JSON.stringify(vendor.body()["imageGenerationConfig"]));
    }
    expect(seeds.size).toBe(3);
  });

  test("of Stability's has a shape only where no picture gives one", async () => {
    const prompt = "A fox in the snow";
    expect(await bodyOf(core, { ratio: "21:9", outputFormat: "jpeg" })).toEqual({
      prompt,
      output_format: "jpeg",
      aspect_ratio: "21:9",
    });
    const picture = fileImage(new Uint8Array([0, 0, 0]));
    const edit = { kind: "edit", images: [picture], ratio: "21:9", seed: 3 } as const;
    expect(await bodyOf(diffusion, { ...edit, images: [picture] })).toEqual({
      prompt,
      output_format: "png",
      seed: 3,
      mode: "image-to-image",
      image: "AAAA",
      strength: 0.7,
    });
  });
});

test.each<[string, string | null, Partial<ImageJob>]>([
  [canvas, null, { size: { width: 2048, height: 2048 } }],
  [canvas, "size", { size: { width: 4096, height: 2048 } }],
  [canvas, "size", { size: { width: 256, height: 256 } }],
  [canvas, "size", { sizeClass: "4K" }],
  [canvas, "output_format", { outputFormat: "jpeg" }],
  [canvas, "seed", { seed: 2 ** 31 - 1, count: 2 }],
  [canvas, "image", { kind: "edit" }],
  [canvas, "mask", { images: [fileImage(cat)], mask: fileImage(cat, "mask") }],
  [canvas, "image", { images: [fileImage(cat, "image", "image/webp")] }],
  [
    canvas,
    "last",
    { images: [...Array<string>(5).fill("a"), "last"].map((name) => fileImage(cat, name)) },
  ],
  [titan, null, { size: { width: 768, height: 1152 } }],
  [titan, "size", { size: { width: 1536, height: 1024 } }],
  [diffusion, null, { images: [fileImage(cat)] }],
  [diffusion, "second", { images: [fileImage(cat), fileImage(cat, "second")] }],
  [diffusion, "size", { sizeClass: "2K" }],
  [diffusion, "aspect_ratio", { ratio: "4:3" }],
  [diffusion, "output_format", { outputFormat: "webp" }],
  [core, "image", { images: [fileImage(cat)] }],
])("%s lacks %p", (model, field, said) => {
  expect(images.lacks(imageJob({ model, ...said }))).toBe(field);
});
