// A job with everything unsaid left open.
import type { JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../video-job.ts";
import { pick } from "./fields.ts";
import { invalidValue, missing } from "./refuse.ts";

const openJob: Omit<VideoJob, "model" | "prompt"> = {
  negativePrompt: null,
  seconds: null,
  size: null,
  ratio: null,
  resolution: null,
  tier: null,
  audio: null,
  watermark: null,
  seed: null,
  media: [],
  extras: {},
};

export function newJob(fields: Partial<VideoJob> & Pick<VideoJob, "model" | "prompt">): VideoJob {
  const job = { ...openJob, ...fields };
  if (job.prompt.trim() === "" && job.media.length === 0) throw missing("prompt");
  return job;
}

/** The model's name in a refusal: the one the client uses. */
export function nameIn(body: JsonObject, model: string): string {
  const name = pick(body, ["model", "model_name"])?.value;
  return typeof name === "string" ? name : model;
}

/** The family's entry for the model that is asked for, whatever name it was asked by. */
export function findModel<Model>(body: JsonObject, models: ReadonlyMap<string, Model>): Model {
  const field = pick(body, ["model", "model_name"]);
  if (field === null) throw missing("model");
  const model = typeof field.value === "string" ? models.get(field.value) : undefined;
  if (model === undefined) throw invalidValue(field.param, "is not a model of this kind");
  return model;
}
