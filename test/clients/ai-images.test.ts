// The AI SDK makes and edits images: it reads base64 alone, and asks for it only where it thinks
// that it must.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateImage } from "ai";
import { drawPicture } from "../../sandbox/picture/index.ts";
import { rootKey } from "../harness/gateway.ts";
import { decodeBase64Picture } from "../harness/images/decode.ts";
import { maskPng } from "../harness/images/mask.ts";
import { sizeOf, spoolIsEmpty, startImages, type ImageStand } from "../harness/images/stand.ts";

setDefaultTimeout(60_000);

let stand: ImageStand;
const prompt = "A fox in the snow";
const drawn = drawPicture({ width: 64, height: 64, format: "png", seed: "fox" });

beforeAll(async () => {
  stand = await startImages();
});

afterAll(async () => {
  await spoolIsEmpty(stand.gateway);
  await stand[Symbol.asyncDispose]();
});

function modelOf(name: string) {
  return createOpenAI({ apiKey: rootKey, baseURL: `${stand.gateway.url}/v1` }).image(name);
}

describe("the AI SDK", () => {
  test("I1 generates with every family and by the vendor's own names", async () => {
    const names = [
      "gpt-image-2",
      "imageA-2.5-flare",
      "imageG-4-0-250828",
      "imageH-3-pro-image-preview",
    ];
    for (const name of names) {
      const { image, usage } = await generateImage({ model: modelOf(name), prompt, maxRetries: 0 });
      expect(decodeBase64Picture(image.base64).width).toBeGreaterThanOrEqual(1024);
      expect(image.mediaType).toMatch(/^image\/(?:png|jpeg|webp)$/);
      expect(usage.totalTokens).toBeGreaterThan(0);
    }
  });

  test("I1 I2 generates several of a size", async () => {
    const model = modelOf("gpt-image-2");
    const { images } = await generateImage({
      model,
      prompt,
      n: 3,
      size: "1536x1024",
      maxRetries: 0,
    });
    expect(images.map(({ base64 }) => sizeOf(decodeBase64Picture(base64)))).toEqual([
      "1536x1024",
      "1536x1024",
      "1536x1024",
    ]);
  });

  test("I5 edits with one file, several and a mask, though it never says that it wants base64", async () => {
    for (const name of ["gpt-image-2", "imageA-2", "imageA-1"]) {
      const model = modelOf(name);
      const one = await generateImage({
        model,
        prompt: { text: prompt, images: [drawn] },
        maxRetries: 0,
      });
      expect(decodeBase64Picture(one.image.base64).width).toBeGreaterThan(0);
      expect(stand.calls.at(-1)?.form?.get("image")).toBeInstanceOf(Blob);
      const several = { text: prompt, images: [drawn, drawn], mask: maskPng(64, 64) };
      const masked = await generateImage({ model, prompt: several, maxRetries: 0 });
      expect(decodeBase64Picture(masked.image.base64).width).toBeGreaterThan(0);
      expect(stand.calls.at(-1)?.form?.getAll("image[]")).toHaveLength(2);
      expect(stand.calls.at(-1)?.form?.get("mask")).toBeInstanceOf(Blob);
    }
  });

  test("Q6 reads an error as one", async () => {
    const call = generateImage({
      model: modelOf("imageA-2.5-flare"),
      prompt,
      size: "1000x1000",
      maxRetries: 0,
    });
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 400 });
    expect(String((error as Error).message)).toContain("1024x1024");
  });
});
