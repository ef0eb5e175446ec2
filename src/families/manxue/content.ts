// The items of manxue's `content`: texts, images and sounds, each with its part to play.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { readList } from "../kit/fields.ts";
import { readSource, urlAlone } from "../kit/media.ts";
import { invalidValue, missing, oneOf } from "../kit/refuse.ts";
import type { JobMedia } from "../video-job.ts";

interface Content {
  texts: string[];
  media: JobMedia[];
}

interface ItemRule {
  kind: "image" | "audio";
  roles: ReadonlyMap<string, JobMedia["role"]>;
}

const rules: ReadonlyMap<string, ItemRule> = new Map([
  [
    "image_url",
    {
      kind: "image",
      roles: new Map<string, JobMedia["role"]>([
        ["first_frame", "first-frame"],
        ["last_frame", "last-frame"],
        ["reference_image", "reference"],
      ]),
    },
  ],
  ["audio_url", { kind: "audio", roles: new Map([["reference_audio", "reference"]]) }],
]);

export function readContent(body: JsonObject): Content {
  const content: Content = { texts: [], media: [] };
  for (const [index, item] of (readList(body, "content") ?? []).entries()) {
    readItem(content, item, `content.${index}`);
  }
  refuseFrames(content.media);
  return content;
}

function readItem(content: Content, item: Json, at: string): void {
  if (!isObject(item)) throw invalidValue(at, "must be an object");
  const type = item["type"];
  if (type === "text") {
    content.texts.push(...readWords(item, at));
    return;
  }
  const rule = typeof type === "string" ? rules.get(type) : undefined;
  if (rule === undefined) throw oneOf(`${at}.type`, ["text", ...rules.keys()]);
  content.media.push(readMedium(item, `${type}`, { rule, at }));
}

function readWords(item: JsonObject, at: string): string[] {
  const text = item["text"];
  if (typeof text !== "string") throw invalidValue(`${at}.text`, "must be text");
  return text.trim() === "" ? [] : [text];
}

function readMedium(
  item: JsonObject,
  type: string,
  { rule: { kind, roles }, at }: { rule: ItemRule; at: string },
): JobMedia {
  const name = item["role"];
  const role = typeof name === "string" ? roles.get(name) : undefined;
  if (role === undefined) throw oneOf(`${at}.role`, roles.keys());
  const holder = item[type];
  const param = `${at}.${type}.url`;
  const url = isObject(holder) ? holder["url"] : undefined;
  if (typeof url !== "string" || url === "") throw missing(param);
  return { kind, role, param, source: readSource(url, param, { kind, role, forms: urlAlone }) };
}

/** A video has one beginning and one end, and no end without a beginning. */
function refuseFrames(media: readonly JobMedia[]): void {
  const first = media.filter(({ role }) => role === "first-frame");
  const last = media.filter(({ role }) => role === "last-frame");
  for (const [, second] of [first, last]) {
    if (second) throw invalidValue(roleOf(second), "is there twice");
  }
  if (last[0] && first.length === 0) throw invalidValue(roleOf(last[0]), "needs a first_frame");
}

function roleOf({ param }: JobMedia): string {
  return param.replace(/\.\w+\.url$/, ".role");
}
