import { expect, test } from "bun:test";
import { sniffBase64 } from "./sniff.ts";

test.each([
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF89a", "image/gif"],
  ["BM____", "image/bmp"],
  ["RIFF\0\0\0\0WEBP", "image/webp"],
  ["RIFF\0\0\0\0WAVE", "audio/wav"],
  ["RIFF\0\0\0\0AVI ", null],
  ["\0\0\0\x18ftypmp42", "video/mp4"],
  ["\0\0\0\x18ftypisom", "video/mp4"],
  ["\0\0\0\x18ftypqt  ", "video/quicktime"],
  ["\0\0\0\x18ftypM4A ", "audio/mp4"],
  ["\0\0\0\x18ftypavif", "image/avif"],
  ["\0\0\0\x18ftypheic", "image/heic"],
  ["\x1aE\xdf\xa3", "video/webm"],
  ["ID3\x04", "audio/mpeg"],
  ["\xff\xfb\x90", "audio/mpeg"],
  ["OggS", "audio/ogg"],
  ["fLaC", "audio/flac"],
  ["<svg xmlns=", null],
  ["", null],
])("the bytes %j are %p", (bytes, type) => {
  expect(sniffBase64(Buffer.from(bytes, "latin1").toString("base64"))).toBe(type);
});
