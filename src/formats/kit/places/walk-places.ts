// Goes over a body by the places of its wire: every object, list and text that is not known to be
// read as text. What no rule has proven small costs the model's window, and what a vendor keeps
// under an id needs an origin.
import { invalid } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { TextRequest } from "../../format.ts";
import type { FieldPath } from "../../surcharge.ts";
import { MediaBound } from "../media-bound.ts";
import { isHourMark } from "../surcharges.ts";
import { isVendorFile, VendorObjects } from "../vendor-objects.ts";
import { objectWith, type Fields, type Place, type PlaceRow, type Tagged } from "./place.ts";
import { toCamel } from "./spelling.ts";
import {
  dataFields,
  dearTexts,
  fileTypes,
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

/** Hold for the media and objects of a body, with the marks that have parts of it kept longer. */
type WalkHold = MediaBound["hold"] & Pick<TextRequest, "hourMarks">;

export class PlaceWalk {
  readonly media = new MediaBound();
  readonly objects = new VendorObjects();
  readonly #hasSpellings: boolean;
  /** Steps down to what is looked at; behind `#depth` stand old ones. */
  readonly #path: Step[] = [];
  #depth = 0;
  readonly #hourMarks: FieldPath[] = [];
  #isRemembered = false;

  constructor({ hasSpellings = false }: WalkOptions = {}) {
    this.#hasSpellings = hasSpellings;
  }

  /** Hold for the media and objects that were found. */
  get hold(): WalkHold {
    const hold: WalkHold = this.media.hold;
    if (this.objects.named.length > 0) hold.readsMore = true;
    if (this.#hourMarks.length > 0) hold.hourMarks = this.#hourMarks;
    return hold;
  }

  body(body: JsonObject, place: Place): this {
    this.#see(body, place, body);
    return this;
  }

  /** One value apart from its body; what the gateway itself remembers was this account's. */
  at(step: readonly Step[], value: Json, place: Place, isRemembered = false): void {
    this.#isRemembered = isRemembered;
    for (const one of step) this.#path[this.#depth++] = one;
    this.#see(value, place, {});
    this.#depth = 0;
    this.#isRemembered = false;
  }

  /** `holder` is the object in which it stands. */
  #see(value: Json | undefined, place: Place, holder: JsonObject): void {
    if (typeof value === "string") this.#seeText(value, place, holder);
    else if (typeof value !== "object" || value === null || place === "json") return;
    else if (Array.isArray(value)) this.#seeList(value, place, holder);
    else {
      const table = this.#tableOf(value, place);
      if (table !== null) this.#seeFields(value, table);
    }
  }

  #seeList(list: readonly Json[], place: Place, holder: JsonObject): void {
    const depth = this.#depth++;
    for (let at = 0; at < list.length; at++) {
      this.#path[depth] = at;
      this.#see(list[at], place, holder);
    }
    this.#depth = depth;
  }

  /** Table that an object is read by; null where nothing in it is looked at. */
  #tableOf(object: JsonObject, place: Place): Fields | null {
    if (typeof place === "string") {
      if (place === "json") return null;
      if (place !== "any" && place !== "text") this.media.elsewhere();
      return unknownFields;
    }
    if (place.kind === "fields") return place;
    const tag = object[place.by];
    if (tag === undefined || tag === null) return this.#tableOf(object, place.untagged);
    if (typeof tag !== "string") {
      throw invalid([...this.#steps, place.by].join("."), "must be a string");
    }
    const row = rowByTag(place, tag);
    if (row !== undefined) return this.#tableOf(object, row.place);
    if (place.unknown === "window") this.media.elsewhere();
    return unknownFields;
  }

  #seeFields(object: JsonObject, place: Fields): void {
    const depth = this.#depth++;
    let before = place.start;
    for (const name in object) {
      const row = before.next?.name === name ? before.next : rowByName(place, before, name);
      if (row !== undefined) before = row;
      if (this.#hasSpellings && name.includes("_")) this.#refuseTwice(object, name, depth);
      const value = object[name];
      // Most of a body is this, and nothing is done for it.
      if (typeof value === "string" ? row?.isText : typeof value !== "object") continue;
      this.#path[depth] = name;
      if (name === "cache_control" && isHourMark(value)) this.#noteHourMark();
      if (row !== undefined) this.#see(value, row.place, object);
      else this.#seeRest(value, name, place, object);
    }
    this.#depth = depth;
    if (place.required !== null) this.#require(object, place.required);
  }

  #noteHourMark(): void {
    this.#hourMarks.push([...this.#steps, "ttl"]);
  }

  /** A field that the table has no row for. */
  #seeRest(value: Json | undefined, name: string, place: Fields, holder: JsonObject): void {
    if (place.isPart && typeof value === "object" && value !== null) this.media.elsewhere();
    this.#see(value, place.rest ?? placeByName(name, holder), holder);
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

  get #steps(): Step[] {
    return this.#path.slice(0, this.#depth);
  }

  /** Names of the wire in the one spelling that its documentation has. */
  #name(id: string): void {
    const spelled = this.#steps.map((step) =>
      this.#hasSpellings && typeof step === "string" ? toCamel(step) : step,
    );
    this.objects.add(id, spelled.join("."));
  }

  #refuseTwice(object: JsonObject, name: string, depth: number): void {
    const other = toCamel(name);
    if (other === name || object[other] === undefined) return;
    throw invalid([...this.#path.slice(0, depth), name].join("."), "is given in two spellings");
  }

  #require(object: JsonObject, name: string): void {
    for (const spelled in object) if (toCamel(spelled) === name && object[spelled]) return;
    throw invalid([...this.#steps, name].join("."), "is required");
  }
}

const vendorSkill = /^(?:openai|anthropic)-/;

const unknownFields = objectWith({});

/** Looks a row up, and expects it there from now on. */
function rowByName({ fields }: Fields, before: PlaceRow, name: string): PlaceRow | undefined {
  const row = fields.get(name);
  if (row !== undefined) before.next = row;
  return row;
}

function rowByTag(place: Tagged, tag: string): PlaceRow | undefined {
  if (place.latest?.name === tag) return place.latest;
  const { types, version } = place;
  const row = types.get(tag) ?? (version ? types.get(tag.replace(version, "")) : undefined);
  if (row) place.latest = row;
  return row;
}

function placeByName(name: string, { type }: JsonObject): Place {
  if (idFields.has(name)) return "id";
  return dataFields.has(name) || (name === type && fileTypes.has(name)) ? "data" : "any";
}

/** Media type that the object declares for the data in it. */
function declaredIn(holder: JsonObject): string {
  const { media_type: type, mimeType: camel, mime_type: snake } = holder;
  const declared = type ?? camel ?? snake;
  return typeof declared === "string" ? declared : "";
}
