import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { ImageJob, JobImage } from "../../families/image-job.ts";
import { FetchFailed, type Fetched } from "../../media/fetch.ts";
import { fitOf, withImageBytes } from "./needed-bytes.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n and so on", "latin1");
const url = (name: string): JobImage => ({
  source: { kind: "url", url: `https://images.example/${name}` },
  param: name,
});
const job: ImageJob = {
  kind: "edit",
  model: "imageA-2",
  prompt: "A fox",
  count: 1,
  size: null,
  sizeClass: null,
  ratio: null,
  quality: null,
  watermark: null,
  style: null,
  background: null,
  outputFormat: null,
  seed: null,
  images: [url("a.png"), url("b.png")],
  mask: url("mask.png"),
  delivery: null,
  stream: false,
  partialImages: null,
  extras: {},
};

/** A vendor that takes bytes alone, and one that takes anything. */
const bytesOnly = {
  lacks: ({ images, mask, seed }: ImageJob) => {
    const all = mask ? [...images, mask] : images;
    const found = all.find(({ source }) => source.kind !== "bytes")?.param;
    return found ?? (seed === null ? null : "seed");
  },
};
const anything = { lacks: () => null };

function needs(answers: (address: string) => Uint8Array | null) {
  const asked: string[] = [];
  const open = async (address: string): Promise<Fetched> => {
    asked.push(address);
    const bytes = answers(address);
    if (!bytes) throw new FetchFailed("gone");
    const left = [bytes];
    return { read: async () => left.shift() ?? null, close() {} };
  };
  return { asked, parts: { fetch: { open }, fetchTimeoutMs: 1000 } };
}

describe("references of an image", () => {
  test("are handed on as they are where the vendor takes them", async () => {
    const { asked, parts } = needs(() => png);
    expect(fitOf(anything, job)).toEqual({ kind: "as it is" });
    expect(await withImageBytes(parts, anything, job)).toBe(job);
    expect(asked).toEqual([]);
  });

  test("are fetched where the vendor wants bytes, the mask with them", async () => {
    const { asked, parts } = needs(() => png);
    expect(fitOf(bytesOnly, job)).toEqual({ kind: "with bytes" });
    const ready = await withImageBytes(parts, bytesOnly, job);
    const bytes = { kind: "bytes", type: "image/png", base64: png.toString("base64") } as const;
    expect([...ready.images, ready.mask].map((image) => image?.source)).toEqual([
      bytes,
      bytes,
      bytes,
    ]);
    expect(ready.images.map(({ param }) => param)).toEqual(["a.png", "b.png"]);
    expect(asked).toHaveLength(3);
    expect(bytesOnly.lacks(ready)).toBeNull();
  });

  test("are not fetched for a vendor that lacks something else as well", async () => {
    const { asked, parts } = needs(() => png);
    const seeded = { ...job, seed: 7 };
    expect(fitOf(bytesOnly, seeded)).toEqual({ kind: "none", lacks: "a.png" });
    expect(fitOf(bytesOnly, { ...seeded, images: [], mask: null })).toEqual({
      kind: "none",
      lacks: "seed",
    });
    expect(await withImageBytes(parts, bytesOnly, seeded)).toBe(seeded);
    expect(asked).toEqual([]);
  });

  test("that cannot be had, or are no pictures, are named", async () => {
    for (const bad of [null, Buffer.from("<svg/>"), Buffer.from("GIF")]) {
      const { parts } = needs((address) => (address.endsWith("b.png") ? bad : png));
      const failure = await withImageBytes(parts, bytesOnly, job).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GatewayError);
      expect(failure).toMatchObject({ code: "invalid_request", param: "b.png" });
    }
  });
});
