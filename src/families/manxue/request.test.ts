import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { png } from "../kit/fixtures/files.ts";
import { bad, refusalOf } from "../kit/fixtures/refusals.ts";
import { manxue } from "./index.ts";

const url = "https://example.com/a.png";
const sound = "https://example.com/a.mp3";

function parse(fields: JsonObject = {}) {
  return manxue.parse({ model: "manxue-2.0", prompt: "@image1 runs", ...fields });
}

function refused(fields: JsonObject) {
  return refusalOf(() => parse(fields));
}

function image(role: Json, address: Json = url): JsonObject {
  return { type: "image_url", role, image_url: { url: address } };
}

function audio(role: Json = "reference_audio", address: Json = sound): JsonObject {
  return { type: "audio_url", role, audio_url: { url: address } };
}

const words = { type: "text", text: "@image1 runs" };

describe("V-M1 scalars", () => {
  test.each(["4", "15", 4, 15])("seconds %j are taken", (seconds) => {
    expect(parse({ seconds }).seconds).toBe(Number(seconds));
  });

  test.each(["3", "16", 3, 16, "4.5"])("seconds %j are refused", (seconds) => {
    expect(refused({ seconds })).toEqual(bad("seconds"));
  });

  test.each(["16:9", "9:16", "1:1", "3:4", "4:3", "21:9"])("ratio %s is taken", (ratio) => {
    expect(parse({ ratio }).ratio).toBe(ratio);
  });

  test.each(["2:3", "adaptive", "16x9"])("ratio %s is refused", (ratio) => {
    expect(refused({ ratio })).toEqual(bad("ratio"));
  });

  test.each(["480P", "480p", "720P", "720p"])("resolution %s is taken", (resolution) => {
    expect(parse({ resolution }).resolution).toBe(resolution.toLowerCase());
  });

  test.each(["1080p", "360p", "720"])("resolution %s is refused", (resolution) => {
    expect(refused({ resolution })).toEqual(bad("resolution"));
  });

  test("sound is asked for, refused or left open", () => {
    expect(parse({ generate_audio: true }).audio).toBe(true);
    expect(parse({ generate_audio: false }).audio).toBe(false);
    expect(parse().audio).toBeNull();
    expect(refused({ generate_audio: "loud" })).toEqual(bad("generate_audio"));
  });
});

describe("V-M1 content", () => {
  test("items of three types play their parts", () => {
    const content = [words, image("first_frame"), image("last_frame"), audio()];
    expect(parse({ content })).toMatchObject({
      prompt: "@image1 runs",
      media: [
        { kind: "image", role: "first-frame", param: "content.1.image_url.url" },
        { kind: "image", role: "last-frame", param: "content.2.image_url.url" },
        { kind: "audio", role: "reference", param: "content.3.audio_url.url" },
      ],
    });
    expect(parse({ content: [image("reference_image")] }).media[0]?.role).toBe("reference");
    expect(parse({ content: JSON.stringify(content) }).media).toHaveLength(3);
  });

  test("markers stay in the prompt, and a text that says more is not lost", () => {
    expect(parse({ content: [words] }).prompt).toBe("@image1 runs");
    expect(parse({ content: [{ type: "text", text: "at night" }] }).prompt).toBe(
      "@image1 runs\nat night",
    );
    expect(parse({ content: [{ type: "text", text: "" }] }).prompt).toBe("@image1 runs");
  });

  test.each<[Json, string]>([
    [{}, "content"],
    [7, "content"],
    ["[", "content"],
    [["text"], "content.0"],
    [[{ text: "untyped" }], "content.0.type"],
    [[{ type: "video_url", role: "reference_video" }], "content.0.type"],
    [[{ type: "text" }], "content.0.text"],
    [[{ type: "image_url", image_url: { url } }], "content.0.role"],
    [[image("hero")], "content.0.role"],
    [[image("reference_audio")], "content.0.role"],
    [[words, audio("reference_image")], "content.1.role"],
    [[{ type: "image_url", role: "first_frame" }], "content.0.image_url.url"],
    [[image("first_frame", "")], "content.0.image_url.url"],
    [[image("first_frame", 7)], "content.0.image_url.url"],
    [[image("first_frame", `data:image/png;base64,${png}`)], "content.0.image_url.url"],
    [[image("first_frame", png)], "content.0.image_url.url"],
    [[image("first_frame", "asset://a")], "content.0.image_url.url"],
    [[image("first_frame", "http://10.0.0.1/a.png")], "content.0.image_url.url"],
    [[audio("reference_audio", "data:audio/mpeg;base64,AAAA")], "content.0.audio_url.url"],
    [[image("last_frame")], "content.0.role"],
    [[image("first_frame"), image("first_frame")], "content.1.role"],
  ])("%j is refused at %s", (content, param) => {
    expect(refused({ content })).toEqual(bad(param));
  });
});

test("N4 a file of a form is a reference", () => {
  const file = { filename: "a.png", type: "image/png", base64: png };
  expect(parse({ input_reference: file }).media).toMatchObject([{ role: "reference" }]);
});

test("V-U1 the unified route's size is a hint", () => {
  const body = manxue.unified?.({ model: "manxue-2.0", prompt: "p", image: url, size: "1280x720" });
  expect(manxue.parse(body ?? {})).toMatchObject({
    ratio: "16:9",
    resolution: "720p",
    media: [{ role: "first-frame" }],
  });
});

test("it is charged by the second and its resolution", () => {
  expect(manxue.units(parse({ seconds: 15, resolution: "480P" }))).toEqual({
    seconds: 15,
    resolution: "480p",
    size: null,
    tier: null,
  });
});
