import { expect, test } from "bun:test";
import { parseJson, isObject } from "../core/json.ts";
import { readResult } from "./result-row.ts";
import type { KeptImage, TaskResult } from "./task.ts";

const image: KeptImage = {
  mediaId: "media_1.png",
  bytes: 9,
  type: "image/png",
  width: 1024,
  height: null,
  revisedPrompt: "a red fox",
};
const results: TaskResult[] = [
  { kind: "vendor" },
  { kind: "kept", mediaId: "media_1.mp4", bytes: 5, type: "video/mp4" },
  { kind: "images", items: [image, image], size: "1024x1024", quality: null, usage: null },
  {
    kind: "images",
    items: [image],
    size: null,
    quality: "low",
    usage: {
      inputTokens: 1,
      outputTokens: 2,
      totalTokens: 3,
      inputTextTokens: 1,
      inputImageTokens: null,
      outputImageTokens: 2,
      outputTextTokens: 0,
    },
  },
  {
    kind: "img-f",
    image,
    isModal: false,
    promptEn: "a fox",
    description: null,
    buttons: [{ customId: "MJ::JOB::upsample::1" }],
    properties: { finalPrompt: "a fox" },
  },
  {
    kind: "img-f",
    image: null,
    isModal: true,
    promptEn: null,
    description: "words",
    buttons: [],
    properties: {},
  },
];

test.each(results)("what is written of %j is read again as it was", (result) => {
  const row = parseJson(new TextEncoder().encode(JSON.stringify(result)));
  expect(isObject(row) ? readResult(row) : null).toEqual(result);
});
