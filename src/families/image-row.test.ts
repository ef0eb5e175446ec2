import { expect, test } from "bun:test";
import { findImageFamily, parseImgF } from "./index.ts";
import { readImageRow, toImageRow } from "./image-row.ts";
import { readImgFRow, toImgFRow } from "./img-f-row.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\0", "latin1").toString("base64");
const uri = `data:image/png;base64,${png}`;

test("I6 a job of images is kept without the bytes of its references", () => {
  const body = { model: "imageA-2", prompt: "a fox", image: [uri, "https://images.example/a.png"] };
  const family = findImageFamily("imageA-2");
  const job = family?.parse(
    { ...body, size: "1024x1536", quality: "high" },
    {
      kind: "generate",
      isForm: false,
    },
  );
  if (!job) throw new Error("the family is gone");
  const row = toImageRow(job);
  expect(JSON.stringify(row)).not.toContain(png);
  expect(JSON.stringify(row)).toContain("https://images.example/a.png");
  expect(row).toMatchObject({ prompt: "a fox", count: 1 });
  expect(readImageRow(row)).toEqual({ size: "1024x1536", quality: "high", delivery: "url" });
});

test("I6 what is shown of a row that says nothing is nothing", () => {
  expect(readImageRow({})).toEqual({ size: null, quality: null, delivery: "url" });
  expect(readImageRow({ sizeClass: "2K", delivery: "b64_json" })).toEqual({
    size: "2K",
    quality: null,
    delivery: "b64_json",
  });
});

test("N8 a job of imgF is kept without its pictures, and read again", () => {
  const job = parseImgF("blend", {
    base64Array: [uri, uri],
    dimensions: "PORTRAIT",
    state: "mine",
  });
  const row = toImgFRow(job);
  expect(JSON.stringify(row)).not.toContain(png);
  expect(readImgFRow(row)).toEqual({ ...job, images: ["", ""] });
  expect(() => readImgFRow({ action: "nothing" })).toThrow(TypeError);
});
