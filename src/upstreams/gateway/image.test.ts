// Images by another gateway: against a scripted one, and against the sandbox's.
import { describe, expect, test } from "bun:test";
import { maskPng } from "../../../test/harness/images/mask.ts";
import {
  imageJob,
  ImageVendor,
  ScriptedVendor,
  urlImage,
} from "../../../test/harness/images/vendor.ts";
import type { JsonObject } from "../../core/json.ts";
import { cat, expectPictures, expectRefusal } from "../kit/fixtures/vendors.ts";
import { VendorRefusal } from "../upstream.ts";
import { image } from "./image.ts";

const one = { data: [{ url: "https://other.test/media/a" }] };
const file = {
  filename: "cat.png",
  type: "image/png",
  base64: Buffer.from(cat).toString("base64"),
};

describe("a body", () => {
  test("goes on as the client wrote it, with the other's name of the model", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const original = {
      model: "here",
      prompt: "x",
      n: 0,
      style: { tone: ["warm", null] },
      watermark: false,
      response_format: "b64_json",
      image: ["https://images.example/a.png", { url: "https://images.example/b.png" }],
      stream: true,
      partial_images: 2,
      webhook_url: "https://hooks.example",
      odd: 1.5,
    };
    const call = vendor.call({ model: "there", reference: "req_9" });
    expect(await image.run(imageJob(), original, call)).toMatchObject({
      images: [{ source: { kind: "url", url: "https://other.test/media/a", headers: {} } }],
    });
    expect(vendor.requests[0]?.address).toEqual({
      url: "https://vendor.test/v1/images/generations",
      headers: { authorization: "Bearer sk-sandbox-image", "idempotency-key": "req_9" },
    });
    const { stream: _, partial_images: __, webhook_url: ___, ...kept } = original;
    expect(vendor.body()).toEqual({ ...kept, model: "there", n: 1 });
  });

  test("is asked for as a stream where one is wanted", () => {
    const vendor = new ScriptedVendor(() => ({}));
    const original = { prompt: "x", stream: true, partial_images: 2 };
    const job = imageJob({ kind: "edit", stream: true });
    expect(image.stream?.(job, original, vendor.call({ model: "there" }))).toMatchObject({
      address: { url: "https://vendor.test/v1/images/edits" },
      body: { ...original, model: "there" },
    });
  });

  test("that came as a form goes on as a form", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    const original = {
      prompt: "x",
      n: "2",
      watermark: "false",
      image: [file, { ...file, filename: "dog.png" }],
      mask: file,
      style: { tone: "warm" },
      nothing: null,
    };
    const job = imageJob({ kind: "edit", count: 2 });
    await image.run(job, original, vendor.call({ model: "there" }));
    const form = vendor.form();
    const texts = [...form.entries()].filter(([, value]) => typeof value === "string");
    expect(Object.fromEntries(texts)).toEqual({
      prompt: "x",
      n: "2",
      watermark: "false",
      "style[tone]": "warm",
      model: "there",
    });
    const files = form.getAll("image[]").flatMap((value) => (value instanceof Blob ? value : []));
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ["cat.png", "image/png"],
      ["dog.png", "image/png"],
    ]);
    const [first] = files;
    if (!first) throw new Error("no file");
    expect(Buffer.from(await first.arrayBuffer()).equals(cat)).toBe(true);
  });

  // The specification of edits: "For `imageA-1` in form edits it defaults to `standard`."
  test("says the quality that the family has by default, unless the client said one", async () => {
    const job = imageJob({ kind: "edit", quality: "standard" });
    for (const [said, sent] of [
      [{}, "standard"],
      [{ quality: "" }, "standard"],
      [{ quality: "high" }, "high"],
    ] as const) {
      const vendor = new ScriptedVendor(() => ({ json: one }));
      await image.run(job, { prompt: "x", image: file, ...said }, vendor.call());
      expect(vendor.form().get("quality")).toBe(sent);
    }
  });

  test("of a form without files is known by its numbers", async () => {
    const vendor = new ScriptedVendor(() => ({ json: one }));
    await image.run(imageJob({ count: 3 }), { prompt: "x", n: "3" }, vendor.call());
    expect(vendor.form().get("n")).toBe("3");
  });
});

test("an answer is read as any on this wire, and one without an image is no success", async () => {
  const json = { data: [{ b64_json: "held-text-1", revised_prompt: "y" }], size: "2048x1152" };
  const vendor = new ScriptedVendor((index) => ({ json: index === 0 ? json : { data: [] } }));
  expect(await image.run(imageJob(), {}, vendor.call())).toMatchObject({
    images: [
      { source: { kind: "bytes", base64: "held-text-1" }, revisedPrompt: "y", size: "2048x1152" },
    ],
  });
  const empty = image.run(imageJob(), {}, vendor.call());
  await expect(empty).rejects.toThrow("no image");
  await expect(empty).rejects.not.toBeInstanceOf(VendorRefusal);
});

test("assets are the one thing that is unknown there", () => {
  const asset = { source: { kind: "asset", id: "a" } as const, param: "mask" };
  const job = imageJob({ seed: 1, images: [urlImage()], size: { width: 1, height: 1 } });
  expect(image.lacks(job)).toBeNull();
  expect(image.lacks({ ...job, mask: asset })).toBe("mask");
});

describe("the sandbox's vendor", () => {
  const run = (vendor: ImageVendor, body: JsonObject, kind: "generate" | "edit" = "generate") =>
    image.run(imageJob({ kind, count: Number(body["n"] ?? 1) }), body, vendor.call());

  test("draws any size, behind links and as bytes", async () => {
    await using vendor = new ImageVendor("gateway");
    const body = { prompt: "x", size: "300x301", n: 2, output_format: "jpeg" };
    await expectPictures(await run(vendor, body), {
      by: "url",
      count: 2,
      type: "image/jpeg",
      width: 300,
      height: 301,
    });
    const sent = await run(vendor, { ...body, response_format: "b64_json" });
    expect(sent.images[0]?.source.kind).toBe("bytes");
    expect(sent.usage?.totalTokens).toBeGreaterThan(0);
  });

  test("edits what comes in a form", async () => {
    await using vendor = new ImageVendor("gateway");
    const mask = { ...file, base64: Buffer.from(maskPng(64, 48)).toString("base64") };
    const { images } = await run(vendor, { prompt: "x", image: file, mask }, "edit");
    expect(images).toHaveLength(1);
    const text = { ...file, base64: Buffer.from("no picture").toString("base64") };
    const refused = run(vendor, { prompt: "x", image: text }, "edit");
    await expectRefusal(refused, { blame: "request", param: "image" });
  });

  test.each([
    ["status=401", { blame: "key" }],
    ["status=429", { blame: "load" }],
    ["fail", { blame: "channel" }],
    ["filter", { blame: "request", status: 400, code: "content_policy_violation" }],
  ])("refuses on sandbox:%s", async (fault, expected) => {
    await using vendor = new ImageVendor("gateway");
    await expectRefusal(run(vendor, { prompt: `x sandbox:${fault}` }), expected);
  });
});
