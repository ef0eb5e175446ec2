// Kinds of media, told from the bytes.
import { describe, expect, test } from "bun:test";
import { describeMedia, readMedia } from "./describe-media.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

const png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";
const gif = "GIF89a\x03\0\x02\0\x80\0\0";
const tables = "\xff\xe0\0\x04JF\xff\xff\xff\xc4\0\x03\0";
const jpeg = `\xff\xd8${tables}\xff\xc2\0\x0b\x08\x01\x2c\x01\x90\x01\x01\x11\0`;
const smallestImages = {
  gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  png:
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5" +
    "ErkJggg==",
  lossyWebp: "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
  losslessWebp: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  extendedWebp:
    "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEA" +
    "AQAAAP4AAA3AAP7mtQAAAA==",
};

describe("an image", () => {
  test.each([
    [png, "an image of type image/png, 3 by 2 pixels"],
    [gif, "an image of type image/gif, 3 by 2 pixels"],
    [jpeg, "an image of type image/jpeg, 400 by 300 pixels"],
  ])("is described by its type and size", (header, words) => {
    expect(describeMedia(bytes(header))).toBe(words);
  });

  test.each(Object.entries(smallestImages))("may come as base64: %s", (name, base64) => {
    const type = `image/${name.toLowerCase().replace(/.*webp/, "webp")}`;
    expect(describeMedia(base64)).toBe(`an image of type ${type}, 1 by 1 pixels`);
  });

  test.each([
    ["VP8 ", "\0\0\0\0\0\0\0\x9d\x01\x2a\x90\x01\x2c\x41"],
    ["VP8L", "\0\0\0\0\x2f\x8f\xc1\x4a\0"],
    ["VP8X", "\0\0\0\0\0\0\0\0\x8f\x01\0\x2b\x01\0"],
  ])("of WebP is measured in each of its kinds: %s", (kind, chunk) => {
    const webp = bytes(`RIFF\0\0\0\0WEBP${kind}${chunk}`);
    expect(describeMedia(webp)).toBe("an image of type image/webp, 400 by 300 pixels");
  });

  test.each([png, gif, jpeg])("that ends within its header is called cut short", (header) => {
    expect(describeMedia(bytes(header.slice(0, 9)))).toEndWith(", cut short");
  });

  test("without a frame is called cut short", () => {
    expect(describeMedia(bytes("\xff\xd8\xff\xe0\0\x02\0\0"))).toEndWith(", cut short");
  });
});

test.each([
  ["%PDF-1.7\n%%EOF", "a document of type application/pdf, 14 bytes"],
  ["RIFF\x24\0\0\0WAVEfmt ", "audio of type audio/wav, 16 bytes"],
  ["ID3\x04\0", "audio of type audio/mpeg, 5 bytes"],
  ["\0\0\0\x18ftypisom\0", "a video of type video/mp4, 13 bytes"],
  ["RIFF\0\0\0\0AVI ", "a file of no known type, 12 bytes"],
  ["hello", "a file of no known type, 5 bytes"],
  ["", "a file of no known type, 0 bytes"],
])("other media is described by its type and length", (content, words) => {
  expect(describeMedia(bytes(content))).toBe(words);
});

test("the type is told without what the sender calls it", () => {
  expect(readMedia(smallestImages.png).type).toBe("image/png");
  expect(readMedia("aGVsbG8=")).toEqual({ type: null, bytes: Buffer.from("hello") });
});
