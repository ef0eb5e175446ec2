// Imagen and Veo against the sandbox's vendor, by a key of express mode.
import { describe, expect, test } from "bun:test";
import { imageJob, ImageVendor } from "../../../test/harness/images/vendor.ts";
import { videoJob, VideoVendor } from "../../../test/harness/video-vendor.ts";
import type { JobMedia } from "../../families/video-job.ts";
import {
  expectPictures,
  expectRefusal,
  imageFacet,
  pngMedia,
  videoFacet,
} from "../kit/fixtures/vendors.ts";
import { toRequest } from "../kit/google/video-request.ts";
import { toImagen } from "./imagen.ts";
import { vertex } from "./index.ts";

const images = imageFacet(vertex);
const videos = videoFacet(vertex);
const imagen = "imagen-4.0-generate-001";

describe("Imagen", () => {
  test("draws each picture by a call of its own", async () => {
    await using vendor = new ImageVendor("vertex");
    const job = imageJob({ model: imagen, count: 2, ratio: "16:9", seed: 7 });
    const reply = await images.run(job, {}, vendor.call({ model: imagen }));
    const shape = { width: 1024, height: 576 };
    await expectPictures(reply, { by: "bytes", count: 2, type: "image/png", ...shape });
    expect(reply.usage).toBeNull();
  });

  test("that is filtered is the request's fault", async () => {
    await using vendor = new ImageVendor("vertex");
    const job = imageJob({ model: imagen, prompt: "x sandbox:filter" });
    await expectRefusal(images.run(job, {}, vendor.call({ model: imagen })), {
      blame: "request",
      code: "content_policy_violation",
    });
  });

  test("has no mark where a seed is named, and says what it lacks", () => {
    expect(toImagen(imageJob({ seed: 7, outputFormat: "jpeg" }), 1)).toEqual({
      instances: [{ prompt: "A fox in the snow" }],
      parameters: {
        sampleCount: 1,
        seed: 8,
        addWatermark: false,
        outputOptions: { mimeType: "image/jpeg" },
      },
    });
    const job = { model: imagen } as const;
    expect(images.lacks(imageJob(job))).toBeNull();
    expect(images.lacks(imageJob({ ...job, ratio: "21:9" }))).toBe("aspect_ratio");
    expect(images.lacks(imageJob({ ...job, sizeClass: "4K" }))).toBe("size");
    expect(images.lacks(imageJob({ ...job, outputFormat: "webp" }))).toBe("output_format");
    expect(images.lacks(imageJob({ ...job, seed: 1, watermark: true }))).toBe("seed");
    expect(images.lacks(imageJob({ ...job, kind: "edit" }))).toBe("image");
  });

  test("is not what draws where the model is Gemini's", async () => {
    await using vendor = new ImageVendor("vertex");
    const model = "gemini-3-pro-image";
    const reply = await images.run(imageJob({ model }), {}, vendor.call({ model }));
    const shape = { width: 1024, height: 1024 };
    await expectPictures(reply, { by: "bytes", count: 1, type: "image/png", ...shape });
    expect(reply.usage?.outputImageTokens).toBeGreaterThan(0);
  });
});

describe("Veo", () => {
  const film: JobMedia = {
    kind: "video",
    role: "source",
    source: { kind: "bytes", type: "video/mp4", base64: "AAAA" },
    param: "video",
  };

  test("is asked about at the model, and ends with the film itself", async () => {
    await using vendor = new VideoVendor("vertex");
    const call = vendor.call({ model: "veo-3.1" });
    const operation = await videos.start(videoJob({ seconds: 8, seed: 5 }), {}, call);
    expect(operation).toMatch(/^projects\/.+\/models\/veo-3\.1\/operations\//);
    vendor.pass(1);
    expect(await videos.status(operation, call)).toMatchObject({ kind: "pending" });
    vendor.pass(2);
    const progress = await videos.status(operation, call);
    expect(progress).toMatchObject({ kind: "completed", result: { kind: "bytes" } });
    expect(JSON.stringify(progress).includes("AAAAIGZ0eXB")).toBe(true);
  });

  test("that fails says so, and one without a film was filtered", async () => {
    await using vendor = new VideoVendor("vertex");
    const call = vendor.call({ model: "veo-3.1" });
    const failing = await videos.start(videoJob({ prompt: "x sandbox:fail" }), {}, call);
    const filtered = await videos.start(videoJob({ prompt: "x sandbox:filter" }), {}, call);
    vendor.pass(3);
    expect(await videos.status(failing, call)).toMatchObject({ kind: "failed" });
    expect(await videos.status(filtered, call)).toMatchObject({
      kind: "failed",
      code: "content_policy_violation",
    });
  });

  test("takes a seed and silence, and a film in the words of a picture", () => {
    const place = { isVertex: true };
    expect(videos.lacks(videoJob({ audio: false, seed: 5 }))).toBeNull();
    const job = videoJob({ audio: false, seed: 5, media: [film] });
    expect(toRequest(job, "veo-3.1", place)).toMatchObject({
      instances: [{ video: { bytesBase64Encoded: "AAAA", mimeType: "video/mp4" } }],
      parameters: { seed: 5, generateAudio: false },
    });
    const plain = videoJob({ media: [pngMedia("first-frame", "image")] });
    expect(toRequest(plain, "veo-3.1", place)["parameters"]).toMatchObject({ generateAudio: true });
    expect(toRequest(plain, "veo-2.0-generate-001", place)["parameters"]).not.toHaveProperty(
      "generateAudio",
    );
  });
});
