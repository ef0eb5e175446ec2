// Pictures made smaller.
import { expect, test } from "bun:test";
import type { OpenMedia } from "./media.ts";
import { Scaler } from "./scale.ts";

/** One white pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

async function picture(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Bun.Image(Buffer.from(pixel, "base64")).resize(width, height).png();
  return new Uint8Array(await image.bytes());
}

function mediaOf(bytes: Uint8Array<ArrayBuffer>, opened: { count: number }): OpenMedia {
  const part = (start: number, end: number) => {
    opened.count++;
    return new Blob([bytes.slice(start, end)]);
  };
  return { id: "media_a.png", type: "image/png", bytes: bytes.length, part };
}

test("a picture is made smaller once, in its own shape, and never larger", async () => {
  const [scaler, opened] = [new Scaler(), { count: 0 }];
  const media = mediaOf(await picture(800, 400), opened);
  const [first, second] = await Promise.all([scaler.scale(media, 320), scaler.scale(media, 320)]);
  expect(first?.type).toBe("image/webp");
  expect(await new Bun.Image(first?.bytes ?? new Uint8Array()).metadata()).toMatchObject({
    width: 320,
    height: 160,
  });
  expect(second).toBe(first);
  expect(opened.count).toBe(1);
  const large = await scaler.scale(mediaOf(await picture(100, 50), opened), 640);
  const { width } = await new Bun.Image(large?.bytes ?? new Uint8Array()).metadata();
  expect(width).toBe(100);
});

test("what is no picture, or breaks off, is not scaled", async () => {
  const scaler = new Scaler();
  const half = (await picture(64, 64)).slice(0, 40);
  expect(await scaler.scale(mediaOf(half, { count: 0 }), 320)).toBeNull();
  const video = { ...mediaOf(half, { count: 0 }), type: "video/mp4" as const };
  expect(await scaler.scale(video, 320)).toBeNull();
});
