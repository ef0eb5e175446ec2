import { describe, expect, test } from "bun:test";
import type { Json } from "../../../core/json.ts";
import { png } from "../fixtures/files.ts";
import { bad, refusalOf } from "../fixtures/refusals.ts";
import { readImages, readMask, type ReferenceLimits } from "./references.ts";

const jpeg = base64("\xff\xd8\xff\xe0\0\0");
const gif = base64("GIF89a\0\0");
const url = "https://example.com/a.png";
const limits: ReferenceLimits = {
  countMax: 3,
  types: ["image/png", "image/jpeg"],
  bytesMax: 60,
};
const pngBytes = { kind: "bytes", type: "image/png", base64: png } as const;

function base64(text: string): string {
  return Buffer.from(text, "latin1").toString("base64");
}

function read(image: Json) {
  return readImages({ image }, limits).map(({ source }) => source);
}

function refused(image: Json) {
  return refusalOf(() => read(image));
}

describe("I3 a reference", () => {
  test.each<[string, Json]>([
    ["a data URI", `data:image/png;base64,${png}`],
    ["a data URI that lies", `data:image/jpeg;base64,${png}`],
    ["bare base64", png],
    ["a file of a form", { filename: "a.png", type: "application/octet-stream", base64: png }],
    ["an object with b64_json", { b64_json: png }],
    ["an object with base64", { base64: png }],
    ["an object with a data URI as base64", { base64: `data:image/png;base64,${png}` }],
    ["an object with a data URI as b64_json", { b64_json: `data:image/png;base64,${png}` }],
    ["an object around a data URI", { image_url: { url: `data:image/png;base64,${png}` } }],
    ["JSON in a text, as forms have it", JSON.stringify({ b64_json: png })],
  ])("may be %s, and has the type of its bytes", (_name, image) => {
    expect(read(image)).toEqual([pngBytes]);
  });

  test.each<[string, Json]>([
    ["a text", url],
    ["an object with url", { url }],
    ["an object with image_url", { image_url: url }],
    ["an object in an object", { type: "input_image", image_url: { url } }],
  ])("may be an address: %s", (_name, image) => {
    expect(read(image)).toEqual([{ kind: "url", url }]);
  });

  test.each<[string, Json]>([
    ["none", "a cat"],
    ["a number", 7],
    ["nothing that is known", {}],
    ["null in an object", { url: null }],
    ["a file id", { file_id: "file-1" }],
    ["a file id in a text", '{"file_id":"file-1"}'],
    ["an asset", "asset://a"],
    ["a type that the model does not take", gif],
    ["bytes of no type, whatever they are called", "data:image/png;base64,AAAAAAAA"],
    ["a drawing with scripts", `data:image/svg+xml;base64,${base64("<svg/>")}`],
    ["base64 that is none", { b64_json: "***" }],
    ["JSON that is none", "{"],
    ["a private address", "http://127.0.0.1/a.png"],
    ["a private name", "https://metadata.google.internal/a.png"],
    ["a private address in an object", { image_url: { url: "http://[::1]/a.png" } }],
    ["another scheme", "file:///etc/passwd"],
  ])("that is %s is refused by its name", (_name, image) => {
    expect(refused(image)).toEqual(bad("image"));
    if (typeof image !== "string" || !image.startsWith("{")) {
      expect(refused([url, image])).toEqual(bad("image.1"));
    }
  });

  test("is large by its decoded bytes", () => {
    const bytes = (count: number) =>
      Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(count - 12)]).toString("base64");
    expect(read(bytes(60))).toHaveLength(1);
    expect(refused(bytes(61))).toEqual([413, "request_body_too_large", "image"]);
  });
});

describe("several references", () => {
  test("stand in lists, also as forms write them", () => {
    expect(read([png, url, { b64_json: png }])).toHaveLength(3);
    expect(read(JSON.stringify([png, url]))).toHaveLength(2);
    const body = { "image[]": [jpeg, png], images: { image_url: url } };
    expect(readImages(body, limits).map(({ param }) => param)).toEqual([
      "image.0",
      "image.1",
      "images",
    ]);
    for (const image of ["", null, []]) expect(read(image)).toEqual([]);
  });

  test("are at most as many as the model takes", () => {
    expect(read([url, url, url])).toHaveLength(3);
    expect(refused([url, url, url, url])).toEqual(bad("image"));
    const shared = { image: [url, url], images: [url, url] };
    expect(refusalOf(() => readImages(shared, limits))).toEqual(bad("image"));
  });
});

describe("I5 a mask", () => {
  const mask = (value: Json) => readMask({ mask: value });

  test("is one PNG or an address", () => {
    expect(mask(png)?.source).toEqual(pngBytes);
    expect(mask([{ filename: "m.png", base64: png }])?.source).toEqual(pngBytes);
    expect(mask({ image_url: url })?.source).toEqual({ kind: "url", url });
    expect(mask("")).toBeNull();
  });

  test("is nothing else", () => {
    expect(refusalOf(() => mask(jpeg))).toEqual(bad("mask"));
    expect(refusalOf(() => mask([png, png]))).toEqual(bad("mask"));
    expect(refusalOf(() => mask({ file_id: "file-1" }))).toEqual(bad("mask"));
    const large = Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(4 * 1024 * 1024 - 11)]);
    expect(refusalOf(() => mask(large.toString("base64")))?.[0]).toBe(413);
    expect(
      mask(
        large
          .subarray(1)
          .toString("base64")
          .replace(/^.{16}/, png),
      ),
    ).not.toBeNull();
  });
});
