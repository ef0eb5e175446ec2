// The vendor's own parameters, which clients put into `metadata`. What is said there about a field
// of the family counts as that field, so that what is priced is what is sent.
import type { Json, JsonObject } from "../../core/json.ts";
import { pick, readObjectField } from "./fields.ts";

const spellings = {
  seconds: ["seconds", "duration", "durationSeconds", "duration_seconds"],
  size: ["size"],
  resolution: ["resolution", "video_resolution"],
  mode: ["mode"],
  ratio: ["aspect_ratio", "aspectRatio", "ratio"],
  negative: ["negative_prompt", "negativePrompt"],
  seed: ["seed"],
  audio: ["generate_audio", "generateAudio"],
  watermark: ["watermark"],
} as const;

type Meaning = keyof typeof spellings;

/** The family's own name of what else may be said in the metadata. */
type OwnNames = Readonly<Partial<Record<Meaning, string>>>;

/** Fields of the price and of the webhook: the vendor hears of these from the job alone. */
const reserved = new Set<string>([
  ...spellings.seconds,
  ...spellings.size,
  ...spellings.resolution,
  ..."model model_name prompt n sampleCount frames content callback_url webhook_url".split(" "),
  ..."notify_hook external_task_id numberOfVideos number_of_videos".split(" "),
]);

interface Opened {
  body: JsonObject;
  extras: JsonObject;
}

export function openMetadata(request: JsonObject, own: OwnNames): Opened {
  const metadata = readObjectField(request, "metadata");
  if (metadata === null) return { body: request, extras: {} };
  const taken = meanings(own);
  const lifted = taken.flatMap(({ name, aliases }): [string, Json][] => {
    const field = pick(metadata, aliases);
    const isGiven = pick(request, [name, ...aliases]) !== null;
    return field === null || isGiven ? [] : [[name, field.value]];
  });
  const hidden = new Set<string>(taken.flatMap(({ aliases }) => aliases));
  const rest = Object.entries(metadata).filter(
    ([name]) => !hidden.has(name) && !reserved.has(name),
  );
  return {
    body: { ...request, ...Object.fromEntries(lifted) },
    extras: Object.fromEntries(rest),
  };
}

/** Those fields of the body that are the vendor's own parameters. */
export function pickExtras(body: JsonObject, names: readonly string[]): JsonObject {
  const entries = names.flatMap((name): [string, Json][] => {
    const field = pick(body, [name]);
    return field === null ? [] : [[name, field.value]];
  });
  return Object.fromEntries(entries);
}

function meanings(own: OwnNames): { name: string; aliases: readonly string[] }[] {
  const ownNames: Readonly<Record<string, string | undefined>> = own;
  return Object.entries(spellings).flatMap(([meaning, aliases]) => {
    const name = ownNames[meaning];
    return name === undefined ? [] : [{ name, aliases }];
  });
}
