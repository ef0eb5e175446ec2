// Goes over a body by the places of its wire: every object, list and text that is not known to be
// read as text. What no rule has proven small costs the model's window, and what a vendor keeps
// under an id needs an origin.
import { invalid } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { MediaBound } from "../media-bound.ts";
import { isVendorFile, VendorObjects } from "../vendor-objects.ts";
import type { Fields, Place, Tagged } from "./place.ts";
import { toCamel } from "./spelling.ts";
import {
  dataFields,
  dearTexts,
  idFields,
  isAddress,
  isDataUrl,
  isEncoded,
  isVendorName,
  isWord,
} from "./unknown-text.ts";

interface WalkOptions {
  /** The vendor takes each name in two spellings, of which nobody knows which one counts. */
  hasSpellings?: boolean;
}

type Step = string | number;

export class PlaceWalk {
  readonly media = new MediaBound();
  readonly objects = new VendorObjects();
  readonly #hasSpellings: boolean;
  readonly #path: Step[] = [];
  #isRemembered = false;

  constructor({ hasSpellings = false }: WalkOptions = {}) {
    this.#hasSpellings = hasSpellings;
  }

  /** Hold for the media and objects that were found. */
  get hold(): MediaBound["hold"] {
    const { hold } = this.media;
    return this.objects.named.length > 0 ? { ...hold, readsMore: true } : hold;
  }

  body(body: JsonObject, place: Place): this {
    this.#see(body, place, body);
    return this;
  }

  /** One value apart from its body; what the gateway itself remembers was this account's. */
  at(step: readonly Step[], value: Json, place: Place, isRemembered = false): void {
    this.#isRemembered = isRemembered;
    this.#path.push(...step);
    this.#see(value, place, {});
    this.#path.length = 0;
    this.#isRemembered = false;
  }

  /** `holder` is the object in which it stands. */
  #see(value: Json | undefined, place: Place, holder: JsonObject): void {
    if (typeof value === "string") this.#seeText(value, place, holder);
    else if (place === "json" || value === undefined || value === null) return;
    else if (Array.isArray(value)) this.#seeList(value, place, holder);
    else if (typeof value === "object") this.#seeObject(value, place);
  }

  #seeList(list: readonly Json[], place: Place, holder: JsonObject): void {
    const depth = this.#path.length;
    for (let at = 0; at < list.length; at++) {
      this.#path[depth] = at;
      this.#see(list[at], place, holder);
    }
    this.#path.length = depth;
  }

  #seeObject(object: JsonObject, place: Place): void {
    if (typeof place === "string") {
      if (place === "json") return;
      if (place !== "any" && place !== "text") this.media.elsewhere();
      this.#seeFields(object, unknownFields);
    } else if ("by" in place) this.#seeTagged(object, place);
    else this.#seeFields(object, place);
  }

  #seeTagged(object: JsonObject, { by, types, version, untagged, unknown }: Tagged): void {
    const tag = object[by];
    if (tag === undefined || tag === null) return this.#seeObject(object, untagged);
    const known = typeof tag === "string" ? types.get(tag) : undefined;
    const place =
      known ?? (version && typeof tag === "string" ? types.get(tag.replace(version, "")) : null);
    if (place) return this.#seeObject(object, place);
    if (unknown === "window") this.media.elsewhere();
    this.#seeFields(object, unknownFields);
  }

  #seeFields(object: JsonObject, { fields, isPart, rest, required }: Fields): void {
    const depth = this.#path.length;
    for (const name in object) {
      const value = object[name];
      const place = fields.get(name);
      if (this.#hasSpellings && name.includes("_")) this.#refuseTwice(object, name, depth);
      // Most of a body is this, and nothing is done for it.
      if (typeof value === "string" ? place === "text" : typeof value !== "object") continue;
      this.#path[depth] = name;
      if (place === undefined && isPart && typeof value === "object" && value !== null) {
        this.media.elsewhere();
      }
      this.#see(value, place ?? rest ?? placeByName(name), object);
    }
    this.#path.length = depth;
    if (required !== undefined) this.#require(object, required);
  }

  #seeText(text: string, place: Place, holder: JsonObject): void {
    if (text === "") return;
    if (typeof place !== "string") return this.#see(text, place.string, holder);
    switch (place) {
      case "text":
      case "json":
        return;
      case "any":
        return this.#seeUnknown(text);
      case "picture":
        return this.#seePicture(text);
      case "image":
        return this.#seeData(text, holder, true);
      case "data":
        return this.#seeData(text, holder);
      case "address":
        return this.#seeAddress(text);
      case "ran":
        return this.#isRemembered ? undefined : this.#name(text);
      case "skill":
        return vendorSkill.test(text) ? undefined : this.#name(text);
      case "id":
        return this.#name(text);
    }
  }

  #seeUnknown(text: string): void {
    if (isWord(text)) return;
    if (isVendorName(text)) this.#name(text);
    else if (dearTexts.some((rule) => rule.matches(text))) this.media.elsewhere();
  }

  /** Some vendors take base64 without a head; what is neither is a name of something. */
  #seePicture(text: string): void {
    if (isDataUrl(text) || isEncoded(text)) this.media.data(text, { isPicture: true });
    else if (!isAddress(text) || isVendorFile(text)) this.#name(text);
    else this.media.address(text);
  }

  #seeAddress(text: string): void {
    this.media.elsewhere();
    if (!isDataUrl(text) && isVendorFile(text)) this.#name(text);
  }

  #seeData(text: string, holder: JsonObject, isPicture = false): void {
    if (isAddress(text)) this.#seeAddress(text);
    else if (isVendorName(text)) this.#name(text);
    else this.media.data(text, { isPicture, declared: declaredIn(holder) });
  }

  /** Names of the wire in the one spelling that its documentation has. */
  #name(id: string): void {
    const spelled = this.#hasSpellings
      ? this.#path.map((step) => (typeof step === "string" ? toCamel(step) : step))
      : this.#path;
    this.objects.add(id, spelled.join("."));
  }

  #refuseTwice(object: JsonObject, name: string, depth: number): void {
    const other = toCamel(name);
    if (other === name || object[other] === undefined) return;
    throw invalid([...this.#path.slice(0, depth), name].join("."), "is given in two spellings");
  }

  #require(object: JsonObject, name: string): void {
    for (const spelled in object) if (toCamel(spelled) === name && object[spelled]) return;
    throw invalid([...this.#path, name].join("."), "is required");
  }
}

const vendorSkill = /^(?:openai|anthropic)-/;

const unknownFields: Fields = { fields: new Map(), string: "any", isPart: false };

function placeByName(name: string): Place {
  if (idFields.has(name)) return "id";
  return dataFields.has(name) ? "data" : "any";
}

/** Media type that the object declares for the data in it. */
function declaredIn(holder: JsonObject): string {
  const { media_type: type, mimeType: camel, mime_type: snake } = holder;
  const declared = type ?? camel ?? snake;
  return typeof declared === "string" ? declared : "";
}
