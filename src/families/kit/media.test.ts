import { describe, expect, test } from "bun:test";
import type { Json } from "../../core/json.ts";
import { mp4, png } from "./fixtures/files.ts";
import {
  anyForm,
  readMedia,
  urlAlone,
  urlOrAsset,
  urlOrData,
  type MediaFieldRule,
} from "./media.ts";
import { bad, refusalOf } from "./fixtures/refusals.ts";

const image: MediaFieldRule = { kind: "image", role: "reference", forms: anyForm };
const url = "https://example.com/a.png?x=1&y=%20#z";
const pngBytes = { kind: "bytes", type: "image/png", base64: png } as const;

function read(value: Json, rule: MediaFieldRule = image) {
  return readMedia({ image: value }, ["image"], rule).map(({ source }) => source);
}

function refused(value: Json, rule: MediaFieldRule = image) {
  return refusalOf(() => read(value, rule));
}

describe("what is taken", () => {
  test("an address goes on as it was written", () => {
    expect(read(url)).toEqual([{ kind: "url", url }]);
    expect(read("HTTP://Example.com")).toEqual([{ kind: "url", url: "HTTP://Example.com" }]);
  });

  test.each<[string, Json]>([
    ["a data URI", `data:image/png;base64,${png}`],
    ["a data URI that lies about its type", `data:image/jpeg;base64,${png}`],
    ["a data URI in capitals with parameters", `DATA:image/png;name=a.png;BASE64,${png}`],
    ["a data URI without a type", `data:;base64,${png}`],
    ["base64", png],
    ["base64 in lines", `${png.slice(0, 8)}\r\n${png.slice(8)}`],
    ["a file", { filename: "a.png", type: "image/png", base64: png }],
    ["a file without a type", { filename: "a", base64: png }],
    ["an object that wraps it", { image_url: `data:image/png;base64,${png}` }],
  ])("%s has the type that its bytes have", (_name, value) => {
    expect(read(value)).toEqual([pngBytes]);
  });

  test("what the client calls it counts where the bytes do not tell", () => {
    expect(read("data:image/jpg;base64,AAAA")).toEqual([
      { kind: "bytes", type: "image/jpeg", base64: "AAAA" },
    ]);
  });

  test("base64 for addresses, and without its padding, is made whole", () => {
    const bytes = Buffer.concat([Buffer.from(png, "base64"), Buffer.from([251, 255, 1, 2])]);
    expect(read(bytes.toString("base64url"))).toEqual([
      { kind: "bytes", type: "image/png", base64: bytes.toString("base64") },
    ]);
  });

  test("addresses may be wrapped as vendors' own SDKs do", () => {
    const source = { kind: "url", url } as const;
    expect(read({ image_url: url })).toEqual([source]);
    expect(read({ image_url: { url } })).toEqual([source]);
    expect(read({ url })).toEqual([source]);
  });

  test("one or several are read, also by the names that forms give to lists and objects", () => {
    const body = { a: url, "b[]": [url, png], "c[image_url]": url, d: "", e: null, f: [] };
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    expect(readMedia(body, names, image).map(({ param }) => param)).toEqual([
      "a",
      "b.0",
      "b.1",
      "c",
    ]);
  });

  test("an asset is read by its bare id, where assets are allowed", () => {
    const rule: MediaFieldRule = { ...image, forms: urlOrAsset };
    expect(read("asset://asset-2026_A", rule)).toEqual([{ kind: "asset", id: "asset-2026_A" }]);
  });
});

describe("what is refused, naming the field", () => {
  test.each<Json>([
    "http://127.0.0.1/a.png",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://localhost/",
    "http://localhost./",
    "http://127.0.0.1./",
    "http://[::ffff:127.0.0.1]/",
    "http://[::1]/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://foo@127.0.0.1/",
    "http://user:secret@example.com/",
    "http:/\\127.0.0.1",
    "http:127.0.0.1",
    "http://169.254.169.254/latest/meta-data",
    "http://metadata.google.internal/",
    "http://100.100.100.200/",
    "http://10.0.0.1/",
    "http://[fd00:ec2::254]/",
  ])("the address %s is not public", (value) => {
    expect(refused(value)).toEqual(bad("image"));
  });

  test.each(
    [
      "/pictures/cat.png",
      "/pictures/cat",
      "C:\\cat.png",
      "./cat.png",
      "cat.png",
      "file:///etc/hostname",
      "s3://bucket/cat.png",
      "ftp://example.com/cat.png",
      "blob:https://example.com/1",
      "javascript:alert(1)",
      " https://example.com/a.png",
      "https://example.com/a b.png",
      "https://example.com\\@evil.example/",
      "https://",
      `https://example.com/${"a".repeat(8192)}`,
      "asset://asset-1",
      "data:image/png,plain",
      "data:image/png;base64,",
      "data:image/png;base64,A",
      "data:image/png;base64,A$==",
      "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=",
      "data:text/html;base64,PGh0bWw+",
      "data:application/octet-stream;base64,AAAA",
      `data:image/png;base64,${mp4}`,
      "data:",
      7,
      true,
      [null],
      [""],
      [7],
      [[url]],
      {},
      { file_id: "file-1" },
      { image_url: 7 },
      { image_url: { url: 7 } },
      { base64: 7 },
    ].map((value): [Json] => [value]),
  )("%j is no media", (value) => {
    expect(refused(value)).toEqual(bad(Array.isArray(value) ? "image.0" : "image"));
  });

  test.each<[string, MediaFieldRule["forms"], Json]>([
    ["base64 where only data URIs are", urlOrData, png],
    ["a data URI where only addresses are", urlAlone, `data:image/png;base64,${png}`],
    ["a file where only addresses are", urlAlone, { base64: png, type: "image/png" }],
    ["a file where assets are", urlOrAsset, { base64: png, type: "image/png" }],
    ["a data URI where assets are", urlOrAsset, `data:image/png;base64,${png}`],
    ["an asset that climbs", urlOrAsset, "asset://../a"],
    ["an asset that is an address", urlOrAsset, "asset://http://example.com"],
    ["an asset without an id", urlOrAsset, "asset://"],
    ["an asset in another case", urlOrAsset, "ASSET://a"],
  ])("%s is not taken", (_name, forms, value) => {
    expect(refused(value, { ...image, forms })).toEqual(bad("image"));
  });

  test("a type that the rule does not name is not taken", () => {
    const rule: MediaFieldRule = { ...image, kind: "video", types: ["video/mp4"] };
    const quicktime = Buffer.from("\0\0\0\x18ftypqt  ", "latin1").toString("base64");
    expect(refused(`data:video/mp4;base64,${quicktime}`, rule)).toEqual(bad("image"));
    expect(read(`data:video/mp4;base64,${mp4}`, rule)).toHaveLength(1);
  });
});

describe("the size is that of the decoded bytes", () => {
  const rule: MediaFieldRule = { ...image, bytesMax: 100 };

  function pictureOf(bytes: number): string {
    return Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(bytes - 12)]).toString("base64");
  }

  test.each([97, 98, 99, 100])("%d bytes are taken", (bytes) => {
    expect(read(pictureOf(bytes), rule)).toHaveLength(1);
    expect(read(`data:image/png;base64,${pictureOf(bytes)}`, rule)).toHaveLength(1);
    expect(read({ base64: pictureOf(bytes).replaceAll("=", "") }, rule)).toHaveLength(1);
  });

  test.each([101, 102, 103])("%d bytes are too many", (bytes) => {
    const tooLarge: [number, string, string] = [413, "request_body_too_large", "image"];
    expect(refused(pictureOf(bytes), rule)).toEqual(tooLarge);
    expect(refused(`data:image/png;base64,${pictureOf(bytes)}`, rule)).toEqual(tooLarge);
    expect(refused({ base64: pictureOf(bytes) }, rule)).toEqual(tooLarge);
  });

  test("an image has a limit also where the family sets none", () => {
    const bytesMax = 30 * 1024 * 1024;
    expect(refused(pictureOf(bytesMax))).toBeNull();
    expect(refused(pictureOf(bytesMax + 1))?.[0]).toBe(413);
  });
});
