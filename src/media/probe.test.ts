import { expect, test } from "bun:test";
import { png, wav } from "../../test/harness/media-samples.ts";
import { writeMp4 } from "../../sandbox/mp4/index.ts";
import { probe } from "./probe.ts";
import { extensionOf, sniff, typeOfExtension } from "./sniff.ts";

const file = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);
const latin = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

test("a video tells its size and length", async () => {
  const video = writeMp4({ width: 640, height: 360, seconds: 3 });
  expect(await probe(file(video))).toEqual({
    type: "video/mp4",
    kind: "video",
    width: 640,
    height: 360,
    seconds: 3,
  });
});

test("a sound tells its length, a picture its size", async () => {
  const sound = { type: "audio/wav", kind: "audio", width: null, height: null, seconds: 2.5 };
  expect(await probe(file(wav(2.5)))).toMatchObject(sound);
  const picture = { type: "image/png", kind: "image", width: 7, height: 9, seconds: null };
  expect(await probe(file(png(7, 9)))).toMatchObject(picture);
});

test("pictures of each type tell their size", async () => {
  const gif = latin("GIF89a\x05\x00\x06\x00");
  const jpeg = latin(
    "\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x06\x00\x05\x01\x01\x11\x00",
  );
  const webp = latin(
    `RIFF\x00\x00\x00\x00WEBPVP8X\n\x00\x00\x00${"\x00".repeat(4)}\x04\x00\x00\x05\x00\x00`,
  );
  for (const bytes of [gif, jpeg, webp]) {
    expect(await probe(file(bytes))).toMatchObject({ kind: "image", width: 5, height: 6 });
  }
});

test("a file that is cut or made up is read without harm", async () => {
  const video = writeMp4({ width: 64, height: 64, seconds: 1 });
  for (const end of [12, 40, 100, Math.floor(video.length / 2)]) {
    expect(await probe(file(video.subarray(0, end)))).toMatchObject({ type: "video/mp4" });
  }
  const mad = video.slice();
  for (let at = 40; at < mad.length; at += 3) mad[at] = 255;
  expect(await probe(file(mad))).toMatchObject({ type: "video/mp4" });
  expect(await probe(file(png(1, 1).subarray(0, 12)))).toMatchObject({ width: null });
  expect(await probe(file(latin("")))).toBeNull();
});

test("hazard E9 what is no media is not taken for it", () => {
  const others = [
    "<html>",
    "<svg xmlns=",
    "<?xml",
    "PK\x03\x04",
    "%PDF-1.7",
    "GIF7",
    "RIFF\0\0\0\0AVI ",
  ];
  for (const text of others) expect([text, sniff(latin(text.padEnd(64)))]).toEqual([text, null]);
  expect(sniff(latin("\0\0\0\x18ftypheic"))).toBeNull();
  expect(sniff(latin("\x1aE\xdf\xa3____matroska"))).toBeNull();
});

test("each type is told by its first bytes and has an ending of its own", () => {
  const heads = {
    "video/mp4": "\0\0\0\x18ftypisom",
    "video/quicktime": "\0\0\0\x14ftypqt  ",
    "video/webm": "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm",
    "image/png": "\x89PNG\r\n\x1a\n",
    "image/jpeg": "\xff\xd8\xff\xe0",
    "image/gif": "GIF87a",
    "image/webp": "RIFF\0\0\0\0WEBP",
    "audio/mpeg": "ID3\x04",
    "audio/wav": "RIFF\0\0\0\0WAVE",
    "audio/mp4": "\0\0\0\x18ftypM4A ",
  } as const;
  for (const [type, head] of Object.entries(heads)) {
    const found = sniff(latin(head));
    expect([type, found as string | null]).toEqual([type, type]);
    expect(found && typeOfExtension(extensionOf(found))).toBe(found);
  }
});
