// Pictures of Amazon's and Stability's models, each with a body and an answer of its own.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { directivesOf, readFaults, withoutDirectives } from "../directives.ts";
import { drawPicture, type PictureAsk } from "../picture/index.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";
import { BedrockRefusal } from "./errors.ts";

interface PictureVisit {
  model: string;
  key: string;
  body: JsonObject;
}

/** Null for a model that draws none. */
export function pictureAnswer(visit: PictureVisit): Answer | null {
  if (/nova-canvas|titan-image/.test(visit.model)) return amazonAnswer(visit);
  return visit.model.startsWith("stability.") ? stabilityAnswer(visit) : null;
}

const usualSide = 1024;
const usualSeed = 12;
const tasks: Readonly<Record<string, string>> = {
  TEXT_IMAGE: "textToImageParams",
  IMAGE_VARIATION: "imageVariationParams",
};

function amazonAnswer({ body, key }: PictureVisit): Answer {
  const { taskType, imageGenerationConfig: config, ...task } = body;
  const { [tasks[String(taskType)] ?? ""]: parameters, ...others } = task;
  if (!isObject(parameters) || Object.keys(others).length > 0) throw malformed();
  const { numberOfImages = 1, width = usualSide, height = usualSide } = objectOf(config);
  const { seed = usualSeed } = objectOf(config);
  const sides = [Number(width), Number(height)];
  if (sides.some((side) => side % 16 !== 0 || side < 320 || side > 4096)) throw malformed();
  const prompt = promptOf(parameters["text"], key);
  if (prompt.isFiltered) return jsonAnswer({ images: [], error: "The images were blocked." });
  const sources = JSON.stringify(parameters["images"] ?? []).length;
  const images = Array.from({ length: Number(numberOfImages) }, (_, at) =>
    draw({
      width: Number(width),
      height: Number(height),
      format: "png",
      seed: `${prompt.text} ${sources} ${String(seed)} ${at}`,
    }),
  );
  return { ...jsonAnswer({ images, error: null }), faults: prompt.faults };
}

const fields = new Set(["prompt", "output_format", "seed", "mode", "image", "strength"]);
const shapes: Readonly<Record<string, [width: number, height: number]>> = {
  "1:1": [1024, 1024],
  "16:9": [1344, 768],
  "9:16": [768, 1344],
  "3:2": [1216, 832],
};

function stabilityAnswer({ body, key }: PictureVisit): Answer {
  const { aspect_ratio: ratio, ...others } = body;
  const { prompt: words, output_format: format = "png", seed = 0, mode, strength } = others;
  const [width, height] = shapes[String(ratio ?? "1:1")] ?? [];
  const isKnown = Object.keys(others).every((name) => fields.has(name));
  if (!isKnown || width === undefined || height === undefined) throw malformed();
  const isOfPicture = mode === "image-to-image";
  if (isOfPicture && (strength === undefined || ratio !== undefined)) throw malformed();
  const prompt = promptOf(words, key);
  if (prompt.isFiltered) return jsonAnswer({ finish_reasons: ["Filter reason: prompt"] });
  const chance = seed === 0 ? crypto.randomUUID() : String(seed);
  const picture = draw({
    width,
    height,
    format: format === "jpeg" ? "jpeg" : "png",
    seed: `${prompt.text} ${String(mode)} ${chance}`,
  });
  const reply = { seeds: [seed], finish_reasons: [null], images: [picture] };
  return { ...jsonAnswer(reply), faults: prompt.faults };
}

function promptOf(value: unknown, key: string) {
  if (typeof value !== "string" || value === "") throw malformed();
  const faults = readFaults(value, key);
  if (faults.status !== null) throw new BedrockRefusal(faults.status, "The sandbox was told to.");
  const isFiltered = directivesOf(value, key).some(({ name }) => name === "filter");
  return { text: withoutDirectives(value), faults, isFiltered };
}

function draw(ask: PictureAsk): string {
  return Buffer.from(drawPicture(ask)).toString("base64");
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function malformed(): BedrockRefusal {
  return new BedrockRefusal(400, "Malformed input request, please reformat your input.");
}
