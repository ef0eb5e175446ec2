import { expect, test } from "bun:test";
import type { JsonObject } from "../core/json.ts";
import { askAgain } from "./again.ts";
import { toImageRow } from "./image-row.ts";
import { findImageFamily, findVideoFamily, imageFamilies, videoFamilies } from "./index.ts";
import { toJobRow } from "./job-row.ts";

const url = "https://example.com/a.png";
/** Fields that a family which does not know them passes over or refuses. */
const sayings: readonly JsonObject[] = [
  { seconds: 8 },
  { duration: 5 },
  { seed: 7 },
  { aspect_ratio: "9:16" },
  { ratio: "9:16" },
  { size: "9:16" },
  { size: "1280x720" },
  { resolution: "720p" },
  { negative_prompt: "fog" },
  { generate_audio: true },
  { watermark: false },
  { mode: "pro" },
  { metadata: { camera: "still" } },
  { images: [url, url] },
  { image: url },
];

test("a job of every family is asked for once more by a body that it reads as the same", () => {
  const counts = videoFamilies.map((family) => {
    const model = family.models[0] ?? "";
    const jobs = sayings.flatMap((saying) => {
      try {
        return [family.parse({ model, prompt: "A heron", duration: 5, seconds: 5, ...saying })];
      } catch {
        return [];
      }
    });
    for (const job of jobs) {
      const again = askAgain("video", toJobRow(job));
      expect(again?.lacks).toEqual([]);
      expect(findVideoFamily(model)?.parse(again?.body ?? {})).toEqual(job);
    }
    return jobs.length;
  });
  expect(Math.min(...counts)).toBeGreaterThan(5);
});

test("pictures are asked for once more likewise", () => {
  const fields = { n: 2, quality: "high", size: "1024x1024", seed: 3 };
  for (const family of imageFamilies) {
    const model = family.models[0] ?? "";
    const ask = { kind: "generate", isForm: false } as const;
    for (const [name, value] of Object.entries(fields)) {
      const job = (() => {
        try {
          return family.parse({ model, prompt: "A heron", [name]: value }, ask);
        } catch {
          return null;
        }
      })();
      if (!job) continue;
      const again = askAgain("image", toImageRow(job));
      expect(again?.lacks).toEqual([]);
      expect(findImageFamily(model)?.parse(again?.body ?? {}, ask)).toEqual(job);
    }
  }
});

test("media that were sent as bytes are named, and nothing is proposed for what is unknown", () => {
  const [family] = videoFamilies;
  const job = {
    model: family?.models[0] ?? "",
    prompt: "A heron",
    seconds: 5,
    media: [{ kind: "image", role: "reference", param: "image", source: { kind: "bytes" } }],
  };
  const again = askAgain("video", job);
  expect(again?.lacks).toEqual(["image"]);
  expect(again?.body).toMatchObject({ prompt: "A heron" });
  expect(askAgain("video", { model: "of-nobody", prompt: "x" })).toBeNull();
});
