// What the tests of every vendor of videos and images set up and expect alike.
import { expect } from "bun:test";
import { tinyPng, videoCall, type VideoVendor } from "../../../test/harness/video-vendor.ts";
import { readImageSize } from "../../core/image-size.ts";
import type { Json } from "../../core/json.ts";
import type { JobMedia } from "../../families/video-job.ts";
import { drawPicture } from "../../../sandbox/picture/index.ts";
import {
  VendorRefusal,
  type Address,
  type ImageReply,
  type Upstream,
  type VideoCall,
  type VideoFacet,
  type VideoProgress,
} from "../upstream.ts";

export const cat = drawPicture({ width: 64, height: 48, format: "png", seed: "cat" });

export function pngMedia(role: JobMedia["role"], param: string): JobMedia {
  const source = { kind: "bytes", type: "image/png", base64: tinyPng } as const;
  return { kind: "image", role, source, param };
}

export function videoFacet({ video }: Upstream): VideoFacet {
  if (!video) throw new Error("no videos");
  return video;
}

/** A call that is always answered so. */
export function replying(status: number, json: Json): VideoCall {
  const reply = { status, headers: new Headers(), json };
  return { ...videoCall("https://vendor.test"), send: async () => reply };
}

/** The vendor surely did not take the job. */
export async function expectRefusal(work: Promise<unknown>, fault: object): Promise<void> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(VendorRefusal);
  expect(error).toMatchObject({ fault });
}

/** It failed, and the vendor may have taken the job all the same. */
export async function expectNoRefusal(work: Promise<unknown>): Promise<void> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(VendorRefusal);
}

/** From its place in line to its end, a second each. */
export async function followVideo(
  vendor: VideoVendor,
  ask: () => Promise<VideoProgress>,
): Promise<VideoProgress> {
  expect(await ask()).toMatchObject({ kind: "pending", status: "queued" });
  vendor.pass(1);
  expect(await ask()).toEqual({ kind: "pending", status: "in_progress", progress: null });
  vendor.pass(1);
  return await ask();
}

/** Where it is to be had: a video, for those who send the headers. */
export async function expectVideo(progress: VideoProgress): Promise<Address> {
  if (progress.kind !== "completed" || progress.result.kind !== "url") throw new Error("no url");
  const { url, headers } = progress.result;
  const content = await fetch(url, { headers });
  expect(content.headers.get("content-type")).toBe("video/mp4");
  expect((await content.bytes()).length).toBeGreaterThan(1000);
  return { url, headers };
}

interface ExpectedPictures {
  /** How every one of them came. */
  by: "url" | "bytes";
  count: number;
  type: string;
  width: number;
  height: number;
}

/** So many, of that size and no two alike. */
export async function expectPictures(
  { images }: ImageReply,
  { by, count, type, ...size }: ExpectedPictures,
): Promise<void> {
  const pictures = await Promise.all(
    images.map(async ({ source }) => {
      expect(source.kind).toBe(by);
      if (source.kind === "bytes") return Buffer.from(source.base64, "base64");
      return await (await fetch(source.url)).bytes();
    }),
  );
  for (const bytes of pictures) expect(readImageSize(type, bytes)).toEqual(size);
  expect(new Set(pictures.map((bytes) => Bun.hash(bytes))).size).toBe(count);
}
