// Media fields: what the client put there, as a source that an upstream can use. Addresses are
// judged by their form alone and go on as the client wrote them.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { judgeUrl } from "../../core/url-guard.ts";
import type { JobMedia, JobSource } from "../video-job.ts";
import { invalidValue, tooLarge } from "./refuse.ts";
import { sniffBase64 } from "./sniff.ts";

/** Forms in which a medium may be given. A file is one that came with a form. */
type Form = "url" | "data" | "base64" | "file" | "asset";

export interface MediaFieldRule {
  kind: JobMedia["kind"];
  role: JobMedia["role"];
  forms: readonly Form[];
  /** Every type of its kind when it is left out. */
  types?: readonly string[];
  bytesMax?: number;
}

export const anyForm: readonly Form[] = ["url", "data", "base64", "file"];
export const urlOrData: readonly Form[] = ["url", "data", "file"];
export const urlOrFile: readonly Form[] = ["url", "file"];
export const urlAlone: readonly Form[] = ["url"];
export const urlOrAsset: readonly Form[] = ["url", "asset"];

const mebibyte = 1024 * 1024;
const bytesMaxDefault = 30 * mebibyte;
const urlCharactersMax = 8192;
const dataHeadCharactersMax = 256;
/** Stricter than the parser, so that no vendor can read another host in it than we did. */
const urlForm = /^https?:\/\/[^\s\\]+$/i;
const assetForm = /^asset:\/\/([A-Za-z0-9][A-Za-z0-9_-]{0,127})$/;
const dataHead = /^data:([\w.+/-]*)(?:;[\w.+=-]*)*;base64,$/i;
/** The only media that are texts, and can carry scripts. */
const unsafeType = "image/svg+xml";

/** All that stands in these fields: one value or a list of them each. */
export function readMedia(
  body: JsonObject,
  names: readonly string[],
  rule: MediaFieldRule,
): JobMedia[] {
  return names
    .flatMap((name) => values(body, name))
    .map(({ value, param }) => ({
      kind: rule.kind,
      role: rule.role,
      source: readSource(value, param, rule),
      param,
    }));
}

export function readSource(value: Json, param: string, rule: MediaFieldRule): JobSource {
  if (typeof value === "string") return readAddress(value, param, rule);
  if (isObject(value)) return readReference(value, param, rule);
  throw invalidValue(param, "must be text");
}

/** Forms write a list as `name[]`, and an object with one entry as `name[entry]`. */
function values(body: JsonObject, name: string): { value: Json; param: string }[] {
  const direct = body[name] ?? body[`${name}[]`] ?? body[`${name}[image_url]`];
  if (direct === undefined || direct === null || direct === "") return [];
  if (!Array.isArray(direct)) return [{ value: direct, param: name }];
  return direct.map((value, index) => ({ value, param: `${name}.${index}` }));
}

function readAddress(text: string, param: string, rule: MediaFieldRule): JobSource {
  if (/^data:/i.test(text)) return readData(text, param, rule);
  if (/^asset:/i.test(text)) return readAsset(text, param, rule);
  if (urlForm.test(text)) return readUrl(text, param);
  // A path may look like base64; what it decodes to does not look like media.
  if (rule.forms.includes("base64") && sniffBase64(text) !== null)
    return readBytes(text, param, rule);
  throw invalidValue(param, `must be ${formNames(rule)}`);
}

/** A file of a form, or an object that wraps an address, as vendors' own SDKs send it. */
function readReference(value: JsonObject, param: string, rule: MediaFieldRule): JobSource {
  const { base64, type, image_url: wrapped, url } = value;
  if (typeof base64 === "string") {
    if (!rule.forms.includes("file")) throw invalidValue(param, `must be ${formNames(rule)}`);
    return readBytes(base64, param, rule, typeof type === "string" ? type : "");
  }
  const address = isObject(wrapped) ? wrapped["url"] : (wrapped ?? url);
  if (typeof address !== "string") throw invalidValue(param, `must be ${formNames(rule)}`);
  return readAddress(address, param, rule);
}

function readUrl(url: string, param: string): JobSource {
  if (url.length > urlCharactersMax) throw invalidValue(param, "is too long for a URL");
  const verdict = judgeUrl(url);
  if (verdict === "public") return { kind: "url", url };
  throw invalidValue(param, verdict === "private" ? "must be a public URL" : "is not a valid URL");
}

function readAsset(text: string, param: string, rule: MediaFieldRule): JobSource {
  if (!rule.forms.includes("asset"))
    throw invalidValue(param, "cannot be an asset with this model");
  const [, id] = assetForm.exec(text) ?? [];
  if (id === undefined) throw invalidValue(param, "is not a valid asset reference");
  return { kind: "asset", id };
}

function readData(text: string, param: string, rule: MediaFieldRule): JobSource {
  if (!rule.forms.includes("data")) throw invalidValue(param, `must be ${formNames(rule)}`);
  const end = text.slice(0, dataHeadCharactersMax).indexOf(",") + 1;
  const head = dataHead.exec(text.slice(0, end));
  if (!head) throw invalidValue(param, "is not a data URI in base64");
  return readBytes(text.slice(end), param, rule, head[1]);
}

// The size is judged before the content is looked at, by its length: nothing is decoded.
function readBytes(text: string, param: string, rule: MediaFieldRule, declared = ""): JobSource {
  const bytesMax = rule.bytesMax ?? bytesMaxDefault;
  const plain = canonical(text);
  const digits = plain.length - padding(plain);
  if (Math.floor((digits * 3) / 4) > bytesMax) throw tooLarge(param, bytesMax);
  const isBase64 = digits > 0 && digits % 4 !== 1 && !/[^A-Za-z0-9+/]/.test(plain.slice(0, digits));
  if (!isBase64) throw invalidValue(param, "is not valid base64");
  const type = sniffBase64(plain) ?? rename(declared);
  if (!fits(type, rule))
    throw invalidValue(param, `must be ${rule.types?.join(" or ") ?? rule.kind}`);
  return { kind: "bytes", type, base64: plain.slice(0, digits).padEnd(fullLength(digits), "=") };
}

function fits(type: string, { kind, types }: MediaFieldRule): boolean {
  if (type === unsafeType) return false;
  return types === undefined ? type.startsWith(`${kind}/`) : types.includes(type);
}

function canonical(text: string): string {
  if (!/[\s_-]/.test(text)) return text;
  return text.replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
}

function padding(text: string): number {
  if (!text.endsWith("=")) return 0;
  return text.endsWith("==") ? 2 : 1;
}

function fullLength(digits: number): number {
  return Math.ceil(digits / 4) * 4;
}

function rename(declared: string): string {
  const type = declared.toLowerCase();
  return type === "image/jpg" ? "image/jpeg" : type;
}

const names: Readonly<Record<Form, string>> = {
  url: "a public http or https URL",
  data: "a data URI",
  base64: "base64",
  file: "a file",
  asset: "an asset:// reference",
};

function formNames({ forms }: MediaFieldRule): string {
  return forms.map((form) => names[form]).join(" or ");
}
