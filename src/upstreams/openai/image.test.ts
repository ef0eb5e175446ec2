// Images on OpenAI's wire: against a scripted vendor, and against the sandbox's.
import { describe, expect, test } from "bun:test";
import { maskPng } from "../../../test/harness/images/mask.ts";
import {
  fileImage,
  imageJob,
  ImageVendor,
  ScriptedVendor,
  urlImage,
} from "../../../test/harness/images/vendor.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { drawPicture } from "../../../sandbox/picture/index.ts";
import { cat, expectNoRefusal, expectPictures, expectRefusal } from "../kit/fixtures/vendors.ts";
import { image } from "./image.ts";
import { qualityOf } from "../kit/gpt-image/request.ts";

const flare = "gpt-image-2.5-flare";
const dog = drawPicture({ width: 32, height: 32, format: "jpeg", seed: "dog" });
const size = { width: 1024, height: 1024 };
const one = { data: [{ b64_json: "AAAA" }] };

describe("a request from a prompt", () => {
  test("says what the vendor knows and nothing else", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const job = imageJob({
      count: 2,
      size: { width: 1920, height: 1080 },
      quality: "standard",
      watermark: true,
      style: "vivid",
      background: "transparent",
      outputFormat: "webp",
      delivery: "url",
      partialImages: 2,
      extras: { output_compression: 80, moderation: "low", input_fidelity: "high", odd: 1 },
    });
    await image.run(job, { response_format: "url" }, vendor.call({ model: flare }));
    const [request] = vendor.requests;
    expect(request).toMatchObject({
      method: "POST",
      address: {
        url: "https://vendor.test/v1/images/generations",
        headers: { authorization: "Bearer sk-sandbox-image" },
      },
    });
    expect(vendor.body()).toEqual({
      model: flare,
      prompt: "A fox in the snow",
      n: 2,
      size: "1920x1080",
      quality: "medium",
      background: "transparent",
      output_format: "webp",
      output_compression: 80,
      moderation: "low",
    });
  });

  test("says as little as the client did", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    await image.run(imageJob({ background: { tone: "red" } }), {}, vendor.call({ model: flare }));
    expect(vendor.body()).toEqual({ model: flare, prompt: "A fox in the snow" });
  });

  test("for more than ten is several calls", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const reply = await image.run(imageJob({ count: 21 }), {}, vendor.call());
    expect(vendor.requests.map((_, index) => vendor.body(index)["n"])).toEqual([10, 10, undefined]);
    expect(reply.images).toHaveLength(3);
  });
});

describe("a request with images", () => {
  test.each(["generate", "edit"] as const)("is an edit, though it is said to %s", async (kind) => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const job = imageJob({
      kind,
      size,
      images: [fileImage(cat)],
      mask: fileImage(maskPng(64, 48), "mask"),
      extras: { input_fidelity: "high", moderation: "low", output_compression: 7 },
    });
    await image.run(job, {}, vendor.call({ model: flare }));
    expect(vendor.requests[0]?.address.url).toBe("https://vendor.test/v1/images/edits");
    const form = vendor.form();
    expect([...form.keys()].toSorted()).toEqual(
      "image input_fidelity mask model output_compression prompt size".split(" "),
    );
    const file = form.get("image");
    if (!(file instanceof Blob)) throw new Error("no file");
    expect([file.name, file.type]).toEqual(["image-1.png", "image/png"]);
    expect(Buffer.from(await file.arrayBuffer()).equals(cat)).toBe(true);
    expect(form.get("output_compression")).toBe("7");
  });

  test("hands in several under a name with brackets", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const images = [fileImage(cat, "image.0"), fileImage(dog, "image.1", "image/jpeg")];
    await image.run(imageJob({ kind: "edit", images }), {}, vendor.call());
    expect(vendor.form().getAll("image[]")).toHaveLength(2);
    expect(vendor.form().get("image")).toBeNull();
  });
});

describe("an answer", () => {
  test("is read with all that the vendor says, and its pictures are not touched", async () => {
    const json = {
      created: 1,
      data: [{ b64_json: "held-text-1", revised_prompt: "A red fox" }, { b64_json: "held-text-2" }],
      size: "2048x1152",
      quality: "high",
      background: "opaque",
      output_format: "png",
      usage: {
        input_tokens: 5,
        input_tokens_details: { text_tokens: 4, image_tokens: 1 },
        output_tokens: 7,
        output_tokens_details: { image_tokens: 7, text_tokens: 0 },
        total_tokens: 12,
      },
    };
    const vendor = new ScriptedVendor(() => ({ json }));
    const job = imageJob({ count: 2, size: { width: 1920, height: 1080 } });
    expect(await image.run(job, {}, vendor.call())).toEqual({
      images: [
        {
          source: { kind: "bytes", base64: "held-text-1" },
          revisedPrompt: "A red fox",
          size: "2048x1152",
        },
        {
          source: { kind: "bytes", base64: "held-text-2" },
          revisedPrompt: null,
          size: "2048x1152",
        },
      ],
      failures: [],
      quality: "high",
      background: "opaque",
      outputFormat: "png",
      usage: {
        inputTokens: 5,
        outputTokens: 7,
        totalTokens: 12,
        inputTextTokens: 4,
        inputImageTokens: 1,
        outputImageTokens: 7,
        outputTextTokens: 0,
      },
    });
  });

  test("of a reseller may have links, no size and no count", async () => {
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const data = [{ url: "https://cdn.test/a.png" }, { error: { code: "odd", message: "no" } }];
    const vendor = new ScriptedVendor(() => ({ json: { data, usage } }));
    const job = imageJob({ size: { width: 1080, height: 1920 } });
    expect(await image.run(job, {}, vendor.call())).toMatchObject({
      images: [
        {
          source: { kind: "url", url: "https://cdn.test/a.png", headers: {} },
          size: "1152x2048",
        },
      ],
      failures: [{ code: "odd", message: "no" }],
      usage: null,
    });
  });

  test.each([
    [{ data: [] }],
    [{ data: [{}] }],
    [{ data: [{ b64_json: "" }] }],
    [{ data: "x" }],
    [{}],
    [null],
    ["text"],
  ])("without an image is no success: %j", async (json) => {
    await expectNoRefusal(image.run(imageJob(), {}, new ScriptedVendor(() => ({ json })).call()));
  });
});

describe("a stream", () => {
  test("is asked for with its unfinished pictures", () => {
    const vendor = new ScriptedVendor(() => ({}));
    const job = imageJob({ stream: true, partialImages: 2, delivery: "b64_json" });
    const request = image.stream?.(job, {}, vendor.call({ model: flare }));
    expect(request).toMatchObject({
      method: "POST",
      body: { model: flare, prompt: job.prompt, stream: true, partial_images: 2 },
    });
    expect(request?.body).not.toHaveProperty("response_format");
    const edit = image.stream?.({ ...job, images: [fileImage(cat)] }, {}, vendor.call());
    const form = edit?.body;
    expect(form instanceof FormData && form.get("stream")).toBe("true");
  });
});

test.each([
  ["standard", flare, "medium"],
  ["hd", flare, "high"],
  ["max", flare, "max"],
  ["xhigh", "gpt-image-2.6-flare", "xhigh"],
  ["xhigh", "gpt-image-2", "high"],
  ["max", "gpt-image-1.5", "high"],
  ["max", "gpt-image-2-pro", "high"],
  ["max", "someone-elses", "max"],
  ["standard", "dall-e-3", "standard"],
  ["hd", "dall-e-3", "hd"],
  ["auto", "gpt-image-2", "auto"],
])("the quality %s is for %s %s", (asked, model, said) => {
  expect(qualityOf(asked, model)).toBe(said);
});

describe("what the wire has no words for", () => {
  const asset = { source: { kind: "asset", id: "a" } as const, param: "image.1" };
  test.each<[string | null, Partial<ImageJob>]>([
    [null, { watermark: true, style: "vivid", background: {}, quality: "odd", count: 30 }],
    [null, { seed: -1 }],
    [null, { images: [fileImage(cat)], mask: fileImage(cat, "mask") }],
    ["seed", { seed: 0 }],
    ["size", { size: { width: 4000, height: 1000 } }],
    ["size", { sizeClass: "huge" }],
    ["aspect_ratio", { ratio: "4:1" }],
    ["aspect_ratio", { ratio: "4:1", sizeClass: "2K" }],
    ["image", { images: [urlImage()] }],
    ["mask", { images: [fileImage(cat)], mask: urlImage("https://a.test/m.png", "mask") }],
    ["mask", { mask: fileImage(cat, "mask") }],
    ["image.1", { images: [fileImage(cat), asset] }],
    ["image", { images: [fileImage(cat, "image", "image/gif")] }],
    ["image", { kind: "edit" }],
    ["image.16", { images: Array.from({ length: 17 }, (_, at) => fileImage(cat, `image.${at}`)) }],
  ])("%p is named for a job", (field, said) => {
    expect(image.lacks(imageJob(said))).toBe(field);
  });
});

describe("the sandbox's vendor", () => {
  test("draws distinct pictures of the size that it says", async () => {
    await using vendor = new ImageVendor("openai");
    const job = imageJob({ count: 3, size: { width: 3840, height: 2880 }, outputFormat: "webp" });
    const reply = await image.run(job, {}, vendor.call({ model: flare }));
    expect(reply).toMatchObject({ failures: [], outputFormat: "webp", quality: "medium" });
    expect(reply.images.map((made) => made.size)).toEqual(Array(3).fill("3840x2880"));
    await expectPictures(reply, {
      by: "bytes",
      count: 3,
      type: "image/webp",
      width: 3840,
      height: 2880,
    });
    expect(reply.usage?.outputTokens).toBeGreaterThan(3000);
  });

  test("edits several pictures with a mask", async () => {
    await using vendor = new ImageVendor("openai");
    const images = [fileImage(cat), fileImage(dog, "image.1", "image/jpeg")];
    const mask = fileImage(maskPng(64, 48), "mask");
    const job = imageJob({ kind: "edit", images, mask, size, quality: "max" });
    const reply = await image.run(job, {}, vendor.call({ model: "gpt-image-2" }));
    expect(reply).toMatchObject({ quality: "high", usage: { inputImageTokens: 646 } });
    const wrong = { ...job, mask: fileImage(maskPng(64, 64), "mask") };
    const refused = image.run(wrong, {}, vendor.call({ model: flare }));
    await expectRefusal(refused, { blame: "request", status: 400, param: "mask" });
  });

  test.each([
    ["status=400", { blame: "request", status: 400 }],
    ["status=401", { blame: "key" }],
    ["status=429", { blame: "load", retryAfterSeconds: 1 }],
    ["status=503", { blame: "channel" }],
    ["fail", { blame: "channel" }],
    ["filter", { blame: "request", status: 400, code: "moderation_blocked" }],
  ])("refuses on sandbox:%s", async (fault, expected) => {
    await using vendor = new ImageVendor("openai");
    const job = imageJob({ prompt: `x sandbox:${fault}` });
    await expectRefusal(image.run(job, {}, vendor.call({ model: flare })), expected);
  });

  test.each(["cut", "garbage", "status=504"])("may have begun on sandbox:%s", async (fault) => {
    await using vendor = new ImageVendor("openai");
    await expectNoRefusal(image.run(imageJob({ prompt: `x sandbox:${fault}` }), {}, vendor.call()));
  });

  test("may leave the tokens uncounted", async () => {
    await using vendor = new ImageVendor("openai");
    const reply = await image.run(imageJob({ prompt: "x sandbox:no-usage" }), {}, vendor.call());
    expect(reply.usage).toBeNull();
  });
});
