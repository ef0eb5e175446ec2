// The body that asks for the same job once more, found from the job itself: each field is put in
// every spelling that families know, and the family's own reading shows which of them says it. So
// no family has to be written twice, and what is proposed is proven.
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { findImageFamily, findVideoFamily } from "./index.ts";

interface Again {
  body: JsonObject;
  /** Fields of the job that the body could not say, such as media that were sent as bytes. */
  lacks: string[];
}

type Spelling = (value: Json) => JsonObject;

const under =
  (name: string): Spelling =>
  (value) => ({ [name]: value });
const pixels: Spelling = (value) =>
  isObject(value) ? { size: `${String(value["width"])}x${String(value["height"])}` } : {};

/** In the order in which they are tried: what others may depend on comes first. */
const videoSpellings: Readonly<Record<string, readonly Spelling[]>> = {
  seconds: [under("seconds"), under("duration")],
  size: [pixels],
  ratio: [under("aspect_ratio"), under("ratio"), under("size")],
  resolution: [under("resolution"), under("size")],
  tier: [(value) => ({ mode: value === "pro" ? "pro" : "std" })],
  negativePrompt: [under("negative_prompt")],
  audio: [under("generate_audio"), (value) => ({ sound: value === true ? "on" : "off" })],
  watermark: [under("watermark")],
  seed: [under("seed")],
  extras: [(value) => (isObject(value) ? value : {}), under("metadata")],
};

const imageSpellings: Readonly<Record<string, readonly Spelling[]>> = {
  count: [under("n")],
  size: [pixels],
  sizeClass: [under("size")],
  ratio: [under("aspect_ratio"), under("size")],
  quality: [under("quality")],
  watermark: [under("watermark")],
  style: [under("style")],
  background: [under("background")],
  outputFormat: [under("output_format")],
  seed: [under("seed")],
  extras: [(value) => (isObject(value) ? value : {})],
};

/** Null where no family of ours reads such a body: then there is no asking again. */
export function askAgain(kind: "video" | "image", job: JsonObject): Again | null {
  const model = job["asked"] ?? job["model"];
  if (typeof model !== "string") return null;
  const family = kind === "video" ? findVideoFamily(model) : null;
  const pictures = kind === "image" ? findImageFamily(model) : null;
  const parse = family
    ? (body: JsonObject): object => family.parse(body)
    : pictures && ((body: JsonObject): object => pictures.parse(body, generating));
  if (!parse) return null;
  const spellings = kind === "video" ? videoSpellings : imageSpellings;
  const base = { model, prompt: job["prompt"] ?? "" };
  const media = mediaOf(job);
  const spelt = spell({ ...base, ...media.body }, job, { spellings, parse });
  return { body: spelt.body, lacks: [...media.lacks, ...spelt.lacks] };
}

const generating = { kind: "generate", isForm: false } as const;

interface Language {
  spellings: Readonly<Record<string, readonly Spelling[]>>;
  parse(body: JsonObject): object;
}

function spell(start: JsonObject, job: JsonObject, { spellings, parse }: Language): Again {
  const proved: string[] = [];
  const lacks: string[] = [];
  let body = start;
  for (const [field, ways] of Object.entries(spellings)) {
    const value = job[field];
    if (value === undefined || value === null || isNothing(value)) continue;
    const read = ways.map((way) => {
      const next = { ...body, ...way(value) };
      return { next, job: readOrNull(parse, next) };
    });
    const proven = read.find(({ job: same }) => same && agrees(same, job, [...proved, field]));
    // The usual name is as good where nothing can be read yet, because of media that are lost.
    const usual = read.every(({ job: none }) => none === null) ? read[0] : undefined;
    const chosen = proven ?? usual;
    if (chosen) body = chosen.next;
    if (proven) proved.push(field);
    if (!chosen && !agreesAnyway(parse, body, job, field)) lacks.push(field);
  }
  return { body, lacks };
}

/**
 * A field that follows from the rest, such as a resolution from the model's name, has not to be
 * said.
 */
function agreesAnyway(
  parse: Language["parse"],
  body: JsonObject,
  job: JsonObject,
  field: string,
): boolean {
  const same = readOrNull(parse, body);
  return same !== null && agrees(same, job, [field]);
}

function readOrNull(parse: Language["parse"], body: JsonObject): object | null {
  try {
    return parse(body);
  } catch {
    return null;
  }
}

function agrees(one: object, job: JsonObject, fields: readonly string[]): boolean {
  const read: Readonly<Record<string, unknown>> = { ...one };
  return fields.every((field) => isDeepStrictEqual(read[field], job[field]));
}

function isNothing(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** References stand where the client had them; what came as bytes is not kept. */
function mediaOf(job: JsonObject): Again {
  const body: JsonObject = {};
  const lacks = new Set<string>();
  const mask = job["mask"];
  const all = [job["media"], job["images"], mask ? [mask] : []].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
  for (const { param, source } of all) {
    const [, name, isListed] = /^(\w+)(\.\d+)?$/.exec(String(param)) ?? [];
    const place = isObject(source) ? (source["url"] ?? assetOf(source["id"])) : undefined;
    if (name === undefined || place === undefined) lacks.add(String(param));
    else if (isListed === undefined) body[name] = place;
    else body[name] = [...listOf(body[name]), place];
  }
  return { body, lacks: [...lacks] };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function assetOf(id: Json | undefined): string | undefined {
  return typeof id === "string" ? `asset://${id}` : undefined;
}
