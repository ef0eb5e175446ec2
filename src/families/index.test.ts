import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { catalogueModels } from "../catalogue/models.ts";
import { GatewayError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { FamilyField } from "./field.ts";
import {
  formFields,
  findImageFamily,
  findVideoFamily,
  imageFamilies,
  imageModel,
  parseNative,
  videoFamilies,
} from "./index.ts";
import { statusOf } from "../http/envelopes/status.ts";

const names = videoFamilies.flatMap(({ models }) => models);

describe("the registry", () => {
  test("there are eight families, and every model is of one", () => {
    expect(videoFamilies.map(({ name }) => name)).toEqual([
      "video-a",
      "video-b",
      "omni-fast",
      "manxue",
      "video-c2",
      "video-c1",
      "video-d",
      "video-e",
    ]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(findVideoFamily(name)?.models).toContain(name);
    expect(findVideoFamily("__proto__")).toBeUndefined();
    expect(findVideoFamily("gpt-5")).toBeUndefined();
  });

  test("every video of the catalogue has its family", () => {
    const videos = [...catalogueModels.values()].filter(({ kind }) => kind === "video");
    expect(videos.filter(({ id }) => !findVideoFamily(id)).map(({ id }) => id)).toEqual([]);
  });

  test("every name resolves to a model with a price, save the vendor's that go by themselves", () => {
    const video = "https://example.com/a.mp4";
    const unpriced = names.filter((model) => {
      const extra = model === "omni-fast-v2v" ? { video } : {};
      const job = findVideoFamily(model)?.parse({ model, prompt: "p", duration: 5, ...extra });
      return !catalogueModels.has(job?.model ?? "");
    });
    expect(unpriced.every((name) => name.startsWith("kling-v"))).toBe(true);
  });
});

describe("the registry of images", () => {
  const imageNames = imageFamilies.flatMap(({ models }) => models);

  test("I7 there are three families, and every model is of one", () => {
    expect(imageFamilies.map(({ name }) => name)).toEqual(["image-a", "image-g", "image-h"]);
    expect(new Set([...imageNames, ...names]).size).toBe(imageNames.length + names.length);
    for (const name of imageNames) expect(findImageFamily(name)?.models).toContain(name);
    expect(findImageFamily("__proto__")).toBeUndefined();
    expect(findImageFamily("videoB-2")).toBeUndefined();
  });

  test("every image of the catalogue that is charged by the image has its family", () => {
    const images = [...catalogueModels.values()].filter(
      ({ kind, price }) => kind === "image" && price.imageMicros !== null,
    );
    expect(images).toHaveLength(9);
    expect(images.filter(({ id }) => !findImageFamily(id)).map(({ id }) => id)).toEqual([]);
  });

  test("every name resolves to a model with a price", () => {
    const ask = { kind: "generate", isForm: false } as const;
    for (const model of imageNames) {
      const job = findImageFamily(model)?.parse({ model, prompt: "p" }, ask);
      expect(catalogueModels.get(job?.model ?? "")?.kind).toBe("image");
    }
  });

  test("I5 an edit may leave the model out", () => {
    expect(imageModel({ model: "imageA-1" }, "edit")).toBe("imageA-1");
    expect(imageModel({}, "edit")).toBe("imageA-2");
    expect(imageModel({ model: "" }, "generate")).toBe("");
    expect(imageModel({ model: 7 }, "edit")).toBe("");
  });
});

const words = [
  "https://example.com/a.png",
  "data:image/png;base64,iVBORw0KGgo=",
  "asset://a",
  "16:9",
  "1280x720",
  "720p",
  "2K",
  "auto",
  "5",
  "",
];

const leaf = fc.oneof(
  fc.constantFrom<Json>(...words, null, true, 5, -1, Infinity),
  fc.string(),
  fc.double(),
  fc.integer(),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 6 }),
  fc.dictionary(
    fc.constantFrom("url", "image_url", "base64", "b64_json", "file_id", "type", "role", "seconds"),
    leaf,
  ),
  fc.array(
    fc.record({
      type: fc.constantFrom<Json>("text", "image_url", "audio_url", 7),
      text: leaf,
      role: fc.constantFrom<Json>("first_frame", "last_frame", "reference_audio", 7),
      image_url: fc.record({ url: leaf }),
      audio_url: leaf,
    }),
    { maxLength: 3 },
  ),
);
const fields = (
  "prompt size seconds duration input_reference metadata aspect_ratio ratio resolution images " +
  "image first_image_url last_image_url video video_url content generate_audio first_image " +
  "last_image reference_image_urls reference_audios audio_url watermark first_frame_image " +
  "referenceImages referenceAudios referenceVideos video_resolution image_tail mode sound seed " +
  "negative_prompt cfg_scale model_name"
).split(" ");

const imageFields = (
  "prompt n size quality style background watermark response_format output_format image images " +
  "image[] mask seed stream partial_images output_compression moderation input_fidelity user " +
  "aspect_ratio aspectRatio image_size imageSize sequential_image_generation guidance_scale " +
  "sequential_image_generation_options optimize_prompt_options model_name"
).split(" ");

/** Anything but a refusal is a fault of ours. */
function isSound(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    return error instanceof GatewayError && statusOf(error) < 500 && error.param !== null;
  }
}

describe("whatever a client sends", () => {
  const body = fc.record({
    model: fc.constantFrom(...names),
    fields: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 }),
    hasPrompt: fc.boolean(),
  });

  test("the answer is a job or a refusal that names a field", () => {
    fc.assert(
      fc.property(body, ({ model, fields: given, hasPrompt }) => {
        const family = findVideoFamily(model);
        const sent: JsonObject = { ...given, model, ...(hasPrompt ? { prompt: "a cat" } : {}) };
        return (
          isSound(() => family?.parse(sent)) &&
          isSound(() => family?.parse(family.unified?.(sent) ?? sent)) &&
          isSound(() => parseNative("image2video", given))
        );
      }),
      { numRuns: 1500 },
    );
  });

  const imageBody = fc.record({
    model: fc.constantFrom(...imageFamilies.flatMap(({ models }) => models)),
    fields: fc.dictionary(fc.constantFrom(...imageFields), value, { maxKeys: 8 }),
    kind: fc.constantFrom("generate", "edit"),
    isForm: fc.boolean(),
    hasPrompt: fc.boolean(),
  });

  test("a request for images is a job that can be held for, or refused by its field", () => {
    fc.assert(
      fc.property(imageBody, ({ model, fields: given, kind, isForm, hasPrompt }) => {
        const family = findImageFamily(model);
        const sent: JsonObject = { ...given, model, ...(hasPrompt ? { prompt: "a cat" } : {}) };
        return isSound(() => {
          const job = family?.parse(sent, { kind, isForm });
          if (!family || !job) return;
          const { images, resolution } = family.units(job);
          expect(images).toBeWithin(1, 16);
          expect(["1k", "2k", "4k"]).toContain(resolution ?? "");
        });
      }),
      { numRuns: 1500 },
    );
  });

  test("a job can be held for, and what is charged is never more than the hold", () => {
    fc.assert(
      fc.property(body, fc.double(), ({ model, fields: given }, seconds) => {
        const family = findVideoFamily(model);
        const video = "https://example.com/a.mp4";
        const extra = model === "omni-fast-v2v" ? { video } : {};
        const { duration, mode } = given;
        const sent = { model, prompt: "p", duration, mode, ...extra };
        if (!family || !isJob(() => family.parse(sent))) return true;
        const job = family.parse(sent);
        const held = family.units(job);
        const actual = family.actual?.(job, { seconds, tokens: null }) ?? held;
        return held.seconds > 0 && actual.seconds > 0 && actual.seconds <= held.seconds;
      }),
      { numRuns: 500 },
    );
  });
});

function isJob(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

describe("what a form offers", () => {
  const imageNames = imageFamilies.flatMap(({ models }) => models);
  const all = [...names, ...imageNames];
  const cases = all.flatMap((model) => formFields(model).map((field) => ({ model, field })));
  const generating = { kind: "generate", isForm: false } as const;

  /** The job of a body with all that is required, or null where it is refused. */
  function read(model: string, more: JsonObject): object | null {
    const required = formFields(model).filter(({ isRequired }) => isRequired);
    const body: JsonObject = { model, prompt: "p", ...fromFields(required), ...more };
    try {
      return (
        findVideoFamily(model)?.parse(body) ??
        findImageFamily(model)?.parse(body, generating) ??
        null
      );
    } catch {
      return null;
    }
  }

  function fromFields(fields: readonly FamilyField[]): JsonObject {
    return Object.fromEntries(
      fields.map(({ name, range }) => [name, range?.min ?? "https://example.com/a.mp4"]),
    );
  }

  test("every model has fields, each once", () => {
    for (const model of all) {
      const fieldNames = formFields(model).map(({ name }) => name);
      expect(fieldNames.length).toBeGreaterThan(1);
      expect(new Set(fieldNames).size).toBe(fieldNames.length);
    }
    expect(formFields("gpt-5")).toEqual([]);
  });

  test("each value, and both ends of each range, are taken", () => {
    const refused = cases.flatMap(({ model, field: { name, values, range } }) =>
      [...values, ...(range ? [range.min, range.max] : [])]
        .filter((value) => read(model, { [name]: value }) === null)
        .map((value) => `${model} ${name}=${value}`),
    );
    expect(refused).toEqual([]);
  });

  test("what is beyond a range, or not among closed values, is refused or counts as left out", () => {
    const taken = cases.flatMap(({ model, field: { name, isOpen, range, isRequired } }) => {
      if (isOpen) return [];
      const usual = JSON.stringify(isRequired ? null : read(model, {}));
      const beyond = range ? [range.max + 1] : ["no such value", "999"];
      return beyond
        .map((value) => read(model, { [name]: value }))
        .filter((job) => job !== null && JSON.stringify(job) !== usual)
        .map(() => `${model} ${name}`);
    });
    expect(taken).toEqual([]);
  });

  test("what is usual is what counts where nothing is said, and what is required is missed", () => {
    for (const { model, field } of cases) {
      const { name, usual, isRequired } = field;
      const where = `${model} ${name}`;
      if (usual !== null) {
        expect([where, read(model, { [name]: usual })]).toEqual([where, read(model, {})]);
      }
      expect([where, read(model, { [name]: null }) === null]).toEqual([where, isRequired]);
    }
  });
});
