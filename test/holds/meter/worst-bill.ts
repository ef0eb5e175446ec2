// The worst bill for a body that reaches a vendor: every address fetched, every file unpacked,
// every tool called, as far as the model's window goes.
import type { UpstreamKind } from "../generate/cases.ts";
import type { WireName } from "../generate/wire-places.ts";
import {
  budgetBesideBound,
  hourWriteTimes,
  isHourMarked,
  keptItem,
  namesKeptFile,
  unpricedField,
} from "./gateway-fields.ts";
import { isObject, toSnake, type Json, type JsonObject } from "./json.ts";
import { modelRates, pictureTokensOf, type ModelRate } from "./rates.ts";
import { dataIn, referenceIn, type Reference } from "./references.ts";
import { isOffered, toolBill } from "./vendor-tools.ts";
import { isKnownType, roleOf } from "./wire-rules.ts";

export interface WireBody {
  wire: string;
  upstream: UpstreamKind;
  model: string;
  body: JsonObject;
}

export type Bill =
  | { kind: "payable"; micros: number; why: string[] }
  /** No price is enough for it: it must not get there. */
  | { kind: "forbidden"; why: string };

export function modelFor(upstream: UpstreamKind, wire: WireName): string {
  if (/^(?:embed|batchEmbed)/.test(wire)) {
    return upstream === "google" ? "gemini-embedding-001" : "text-embedding-3-small";
  }
  if (upstream === "anthropic") return "claude-sonnet-4-5";
  return upstream === "google" ? "gemini-2.5-flash" : "gpt-4o";
}

export function worstBill(sent: WireBody): Bill {
  const meter = new Meter(sent);
  meter.gatewayFields();
  meter.walk(sent.body, { path: [], owner: sent.body, part: "", isUnknown: false });
  return meter.bill();
}

interface Standing {
  path: readonly string[];
  /** The object that a value stands in. */
  owner: JsonObject;
  /** The type of the part that the owner belongs to. */
  part: string;
  /** Inside something that the vendor's types do not have. */
  isUnknown: boolean;
  /** One of several. */
  isListed?: boolean;
}

/** Place of a text that may be more than its words. */
interface ReferencePlace {
  place: string;
  isPicture: boolean;
  owner: JsonObject;
}

class Meter {
  readonly #wire: WireName;
  readonly #sent: WireBody;
  readonly #rate: ModelRate;
  readonly #why: string[] = [];
  #textBytes = 0;
  #pictures = 0;
  #readings = 0;
  #toolMicros = 0;
  #forbidden: string | null = null;
  #hasHourMark = false;

  constructor(sent: WireBody) {
    this.#sent = sent;
    this.#wire = sent.wire as WireName;
    const rate = modelRates[sent.model];
    if (!rate) throw new RangeError(`no rate for ${sent.model}`);
    this.#rate = rate;
  }

  walk(value: Json, standing: Standing): void {
    if (Array.isArray(value)) {
      for (const one of value) this.walk(one, { ...standing, isListed: true });
    } else if (isObject(value)) this.#object(value, standing);
    else if (typeof value === "string") this.#textBytes += Buffer.byteLength(value);
  }

  gatewayFields(): void {
    const { wire, body } = this.#sent;
    const field = wire === "content" ? null : unpricedField(body);
    if (field !== null) this.#forbid(`${field} runs what has no price`);
    if (namesKeptFile(wire, body)) this.#forbid("a system message names a file");
  }

  #object(object: JsonObject, { path, part, isUnknown, isListed = false }: Standing): void {
    const type = typeof object["type"] === "string" ? object["type"] : "";
    const isTool = isOffered(this.#wire, { path, part, isListed });
    if (isTool) this.#tool(object, path);
    this.#hasHourMark ||= isHourMarked(object);
    if (this.#wire === "responses") this.#item(object, path);
    const isStrange = isUnknown || (type !== "" && !isTool && !isKnownType(this.#wire, type));
    if (/content/i.test(this.#wire)) this.#spellings(object, path);
    for (const [name, value] of Object.entries(object)) {
      const isOwnId = name === "id" && idHolders.has(path.at(-1) ?? "");
      const role = isOwnId ? "kept" : roleOf(this.#wire, name, type);
      const inner = /^(?:source|image_url|file|input_audio)$/.test(path.at(-1) ?? "") ? part : type;
      const at = {
        path: [...path, toSnake(name)],
        owner: object,
        part: inner,
        isUnknown: isStrange,
      };
      if (role === "text") this.#text(value);
      else if (role === "kept" && !isEverybodys(name, type)) this.#kept(value, at);
      else if (role === "media" || role === "unknown" || isStrange) {
        this.#media(value, { ...at, isUnknown: isStrange || role === "unknown" });
      } else this.walk(value, at);
    }
  }

  #item(item: JsonObject, path: readonly string[]): void {
    const kept = keptItem(item);
    if (kept === "picture") this.#forbid(`${path.join(".")} names a picture that is kept`);
    if (kept !== "reasoning") return;
    // They were the output of the same model once.
    this.#textBytes += this.#rate.outputTokensMax;
    this.#why.push(`${path.join(".")} names thoughts that are kept`);
  }

  /** The vendor's parser chooses which of two spellings counts. */
  #spellings(object: JsonObject, path: readonly string[]): void {
    const seen = new Set<string>();
    for (const name of Object.keys(object)) {
      if (seen.has(toSnake(name))) this.#forbid(`${[...path, name].join(".")} in two spellings`);
      seen.add(toSnake(name));
    }
  }

  #text(value: Json): void {
    this.#textBytes += Buffer.byteLength(
      typeof value === "string" ? value : JSON.stringify(value ?? ""),
    );
  }

  #kept(value: Json, standing: Standing): void {
    if (typeof value === "string" && value !== "") {
      // A container that the vendor makes for the request is nobody's.
      if (value !== "auto") this.#forbid(`${standing.path.join(".")} names ${value}`);
    } else if (Array.isArray(value)) for (const one of value) this.#kept(one, standing);
    else this.walk(value, standing);
  }

  #media(value: Json, standing: Standing): void {
    if (Array.isArray(value)) for (const one of value) this.#media(one, standing);
    else if (typeof value === "string") this.#reference(value, standing);
    else if (isObject(value) && standing.isUnknown) {
      for (const [name, inner] of Object.entries(value)) {
        const at = { ...standing, path: [...standing.path, toSnake(name)], owner: value };
        if (roleOf(this.#wire, name, "") === "kept") this.#kept(inner, at);
        else this.#media(inner, at);
      }
    } else this.walk(value, standing);
  }

  #reference(text: string, { path, owner, part, isUnknown }: Standing): void {
    const place = path.join(".");
    const isPicture = isPicturePlace(path, owner, part);
    const name = path.at(-1) ?? "";
    const isKnownData = dataFields.has(name) || (!isUnknown && holderFields.has(name));
    const isData = isKnownData || (isUnknown && isEncoded(text));
    const reference = isData ? dataIn(text, isPicture) : referenceIn(text, isPicture);
    const isFile = !isUnknown;
    this.#count(reference, text, { place, isPicture: isPicture && isFile, isFile, owner });
  }

  #count(
    reference: Reference,
    text: string,
    { isFile, ...at }: ReferencePlace & { isFile: boolean },
  ): void {
    const { place } = at;
    switch (reference.kind) {
      case "kept":
        if (this.#sent.upstream === "google" && isFile) this.#forbid(`${place} names ${text}`);
        else this.#address(text, at);
        break;
      case "address":
        this.#address(text, at);
        break;
      case "window":
        this.#window(`${place} may be unpacked`);
        break;
      case "picture":
        this.#pictures++;
        break;
      case "bytes":
        this.#textBytes += reference.bytes;
        break;
      case "text":
        this.#textBytes += Buffer.byteLength(text);
    }
  }

  /** A vendor that takes only pictures there refuses all else; Google takes what it is. */
  #address(text: string, { place, isPicture, owner }: ReferencePlace): void {
    const isGoogle = this.#sent.upstream === "google";
    const mimeType = String(owner["mimeType"] ?? owner["mime_type"] ?? "");
    const isNamedPicture = /\.(?:png|jpe?g|gif|webp|heic|heif|avif)(?:[?#]|$)/i.test(text);
    const isSmall = isGoogle
      ? mimeType.startsWith("image/") && isNamedPicture
      : isPicture && /^\s*https?:/i.test(text);
    if (isSmall) this.#pictures++;
    else this.#window(`${place} may be fetched`);
  }

  #window(why: string): void {
    this.#readings = Math.max(this.#readings, 1);
    this.#why.push(why);
  }

  #tool(tool: JsonObject, path: readonly string[]): void {
    const { micros, readings, unpriced } = toolBill(this.#wire, tool, this.#sent.body);
    if (unpriced !== null) this.#forbid(`${path.join(".")} has ${unpriced}, which has no price`);
    if (readings > 0) this.#why.push(`${path.join(".")} is called`);
    this.#toolMicros += micros;
    this.#readings += readings;
  }

  #forbid(why: string): void {
    this.#forbidden ??= why;
  }

  bill(): Bill {
    if (this.#forbidden !== null) return { kind: "forbidden", why: this.#forbidden };
    const { windowTokens, input, output } = this.#rate;
    const told = this.#textBytes + this.#pictures * pictureTokensOf(this.#sent);
    const once = Math.min(told, windowTokens);
    const read = this.#readings > 0 ? this.#readings * windowTokens : once;
    const made = outputTokens(this.#wire, this.#sent.body, this.#rate);
    const readRate = input * (this.#hasHourMark ? hourWriteTimes : 1);
    const micros = Math.floor(read * readRate + made * output) + this.#toolMicros;
    return { kind: "payable", micros, why: this.#why };
  }
}

/** Fields that hold a file, as base64 or as a data URL. */
const dataFields: ReadonlySet<string> = new Set([
  "data",
  "file_data",
  "inline_data",
  "b64_json",
  "bytes",
]);

/** Fields that hold one only where their vendor says so; elsewhere they are names like others. */
const holderFields: ReadonlySet<string> = new Set(["result", "input_audio", "file"]);

/** Longer than ids and sums are, and without the blanks of words. */
function isEncoded(text: string): boolean {
  return /^[\w+/-]{64,}={0,2}$/.test(text) && !/^[0-9a-f-]+$/i.test(text);
}

/** Holders of a plain `id` that names something of the vendor's. */
const idHolders: ReadonlySet<string> = new Set(["prompt", "audio", "voice", "container"]);

/** Skills of the vendor's own are no account's. */
function isEverybodys(name: string, type: string): boolean {
  return name === "skill_id" && type === "anthropic";
}

/** Places in which vendors take nothing but pictures. */
function isPicturePlace(path: readonly string[], owner: JsonObject, part: string): boolean {
  const mimeType = owner["mimeType"] ?? owner["mime_type"] ?? owner["media_type"];
  if (typeof mimeType === "string") return /^image\//i.test(mimeType);
  if (path.includes("image_url") || path.at(-1) === "result") return true;
  return part === "image";
}

/** Fields that bound the answer, where some reader of the wire takes the one and some the other. */
const boundNames: Readonly<Partial<Record<WireName, readonly string[]>>> = {
  chat: ["max_tokens", "max_completion_tokens"],
  completions: ["max_tokens", "max_completion_tokens"],
  responses: ["max_output_tokens"],
  messages: ["max_tokens"],
  content: ["maxOutputTokens", "max_output_tokens"],
};

/** Tokens that vendors of legacy completions make where nothing is said. */
const legacyTokensDefault = 16;

/** A bound that is no number is refused by every vendor, so nothing is made. */
function outputTokens(wire: WireName, body: JsonObject, { outputTokensMax }: ModelRate): number {
  const config = isObject(body["generationConfig"]) ? body["generationConfig"] : body;
  const names = boundNames[wire] ?? [];
  const bounds = names.map((name) => config[name]).filter((one) => (one ?? null) !== null);
  if (bounds.some((one) => typeof one !== "number")) return 0;
  const most = wire === "completions" ? legacyTokensDefault : outputTokensMax;
  const each =
    bounds.length === 0 ? most : Math.min(Math.max(...bounds.map(Number)), outputTokensMax);
  const named = [config["n"] ?? config["candidateCount"], config["best_of"]].map((count) =>
    typeof count === "number" && wire !== "responses" && wire !== "messages" ? count : 1,
  );
  const beside = wire === "chat" ? budgetBesideBound(body) : 0;
  return (Math.max(each, 0) + beside) * Math.max(...named, 1);
}
