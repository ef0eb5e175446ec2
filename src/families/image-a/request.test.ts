import { describe, expect, test } from "bun:test";
import { GatewayError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { imageA } from "./index.ts";

const making = { kind: "generate", isForm: false } as const;
const editing = { kind: "edit", isForm: false } as const;
const form = { kind: "edit", isForm: true } as const;
const url = "https://example.com/a.png";

function parse(fields: JsonObject = {}) {
  return imageA.parse({ model: "imageA-2", prompt: "a cat", ...fields }, making);
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

const newest = ["imageA-2.5-flare", "imageA-2.5-sunburst"];
const eighteen =
  "1024x1024 1536x1152 1536x1024 1024x1536 1920x1080 1080x1920 " +
  "2048x2048 2048x1536 2560x1712 1712x2560 2048x1152 1152x2048 " +
  "2880x2880 3840x2880 3840x2560 2560x3840 3840x2160 2160x3840";
const sizes = eighteen.split(" ");

describe("I2 the eighteen sizes of the 2.5 models", () => {
  test.each(newest.flatMap((model) => sizes.map((size) => [model, size] as const)))(
    "%s makes %s",
    (model, size) => {
      const [width = 0, height = 0] = size.split("x").map(Number);
      expect(parse({ model, size }).size).toEqual({ width, height });
    },
  );

  test.each(newest)("%s makes no near misses", (model) => {
    const oneOff = sizes.flatMap((size) => {
      const [width = 0, height = 0] = size.split("x").map(Number);
      return [`${width + 1}x${height}`, `${width}x${height - 1}`, `${width + 16}x${height}`];
    });
    const turned = ["1152x1536", "1536x2048", "2880x3840"];
    const others = [
      "auto",
      "1024X1024",
      " 1024x1024",
      "1024x1024 ",
      "2K",
      "1:1",
      "1024",
      "1792x1024",
    ];
    for (const size of [...oneOff, ...turned, ...others, 1024, { width: 1024 }, ["1024x1024"]]) {
      expect(refused({ model, size })).toEqual([400, "invalid_size", "size"]);
    }
  });

  test.each(newest)("%s chooses by itself where none is given", (model) => {
    for (const size of [undefined, null, ""]) expect(parse({ model, size }).size).toBeNull();
  });

  test("are listed to who asks for another", () => {
    try {
      parse({ model: "imageA-2.5-flare", size: "1x1" });
      expect.unreachable();
    } catch (error) {
      const { message, type } = error instanceof GatewayError ? error : { message: "", type: "" };
      for (const size of sizes) expect(message).toContain(size);
      expect(type).toBe("gateway_api_error");
    }
  });
});

describe("the sizes of the others", () => {
  test.each(["imageA-1", "imageA-2", "imageA-2-pro", "imageA-2-vip"])("of %s are free", (model) => {
    for (const size of ["256x256", "4096x4096", "1920x1080", "256x768", "768x256", "300x301"]) {
      expect(parse({ model, size }).size).not.toBeNull();
    }
    expect(parse({ model, size: "auto" }).size).toBeNull();
  });

  test.each<Json>(["255x256", "4097x4096", "256x769", "769x256", "2K", "16:9", 1024, "x"])(
    "%j is refused",
    (size) => {
      expect(refused({ size })).toEqual([400, "invalid_size", "size"]);
    },
  );
});

describe("models", () => {
  test.each([
    ["gpt-image-1", "imageA-1"],
    ["dall-e-3", "imageA-1"],
    ["gpt-image-2", "imageA-2"],
    ["gpt-image-2-pro", "imageA-2-pro"],
    ["gpt-image-2.5-flare", "imageA-2.5-flare"],
    ["gpt-image-2.5-sunburst-2026-09-08", "imageA-2.5-sunburst"],
  ])("%s is %s", (name, model) => {
    expect(parse({ model: name }).model).toBe(model);
  });

  test("I1 I5 one must be named, but not for edits", () => {
    expect(refusalOf(() => imageA.parse({ prompt: "p" }, making))).toEqual(bad("model"));
    expect(refused({ model: "imageA-3" })).toEqual(bad("model"));
    expect(imageA.parse({ prompt: "p", image: url }, editing).model).toBe("imageA-2");
    expect(refusalOf(() => imageA.parse({ model: "x", prompt: "p", image: url }, form))).toEqual(
      bad("model"),
    );
  });
});

describe("quality", () => {
  test("I5 of form edits with imageA-1 is standard unless it is said", () => {
    const edit = { model: "imageA-1", prompt: "a hat", image: png };
    expect(imageA.parse(edit, form).quality).toBe("standard");
    expect(imageA.parse({ ...edit, model: "gpt-image-1" }, form).quality).toBe("standard");
    expect(imageA.parse({ ...edit, quality: "low" }, form).quality).toBe("low");
    expect(imageA.parse(edit, editing).quality).toBeNull();
    expect(imageA.parse({ ...edit, model: "imageA-2" }, form).quality).toBeNull();
    expect(parse({ model: "imageA-1" }).quality).toBeNull();
  });

  test("has older words with the older model", () => {
    expect(parse({ model: "imageA-1", quality: "hd" }).quality).toBe("hd");
    expect(parse({ model: "dall-e-3", quality: "standard" }).quality).toBe("standard");
    expect(refused({ model: "imageA-2", quality: "hd" })).toEqual(bad("quality"));
    expect(parse({ model: "imageA-2.5-flare", quality: "max" }).quality).toBe("max");
  });
});

test("there are at most sixteen references", () => {
  const images = (count: number) => Array.from({ length: count }, () => url);
  expect(parse({ image: images(16) }).images).toHaveLength(16);
  expect(refused({ image: images(17) })).toEqual(bad("image"));
});

test("n is at most ten", () => {
  expect(parse({ n: 10 }).count).toBe(10);
  expect(refused({ n: 11 })).toEqual(bad("n"));
});

test("the vendor's own parameters go along, numbers as numbers", () => {
  const extras = {
    output_compression: 80,
    moderation: "low",
    input_fidelity: "high",
    user: "u-1",
    safety_identifier: "s-1",
  };
  expect(parse(extras).extras).toEqual(extras);
  expect(parse({ output_compression: "0", moderation: "" }).extras).toEqual({
    output_compression: 0,
  });
  for (const [name, value] of Object.entries({ ...extras, output_compression: 101 })) {
    const wrong = name === "output_compression" ? value : { value };
    expect(refused({ [name]: wrong })).toEqual(bad(name));
  }
});

test("it is charged by count, size and quality", () => {
  const job = parse({ n: 4, size: "3840x2160", quality: "high" });
  expect(imageA.units(job)).toEqual({
    images: 4,
    size: "3840x2160",
    resolution: "4k",
    quality: "high",
  });
  expect(imageA.units(parse())).toEqual({ images: 1, size: null, resolution: "1k", quality: null });
});
