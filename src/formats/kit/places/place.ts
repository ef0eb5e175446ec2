// The places of a wire: tables that say, field by field, how a vendor reads what stands there. They
// are data, stated beside each format; `walk-places.ts` goes over a body by them.

/**
 * - `text`: text, so that its bytes bound it; an object in its stead is not known.
 * - `json`: JSON of the client's own, which a model reads as text. Nothing below is looked at.
 * - `any`: not known. What stands there passes, and is paid for by what it may bring.
 * - `picture`: data of a picture, or the address of one where a vendor takes nothing else.
 * - `image`: the data of a picture and no address.
 * - `data`: a file in the body, as base64 or as a data URL.
 * - `address`: the address of what may be anything.
 * - `id`: the id of what a vendor keeps.
 * - `skill`: the id of a skill; those that begin with the vendor's name are everybody's.
 * - `ran`: the id of where a call of the past ran, which a reply of ours has brought.
 */
type Leaf =
  "text" | "json" | "any" | "picture" | "image" | "data" | "address" | "id" | "skill" | "ran";

/** An object by its fields. */
export interface Fields {
  fields: Map<string, Place>;
  /** A text in the object's stead. */
  string: Place;
  /** Each of its fields is a kind of part, so that an unknown one is a part that is not known. */
  isPart: boolean;
  /** Where its names are the client's: the place of each. */
  rest?: Place;
  /** The field without which it means nothing. */
  required?: string;
}

/** An object whose fields follow from one of them. */
export interface Tagged {
  by: string;
  types: Map<string, Place>;
  /** A text in the object's stead. */
  string: Place;
  /** Place of an object that has no tag. */
  untagged: Place;
  /** The version in a tag, by which none differs. */
  version?: RegExp;
  /** One that is not known costs what it may bring as a whole, or is looked through for that. */
  unknown: "window" | "any";
}

/** A list stands wherever one thing may. */
export type Place = Leaf | Fields | Tagged;

export type Table = Readonly<Record<string, Place>>;

export function objectWith(table: Table, more: Partial<Omit<Fields, "fields">> = {}): Fields {
  return { fields: new Map(Object.entries(table)), string: "any", isPart: false, ...more };
}

export function tagged(types: Table, more: Partial<Omit<Tagged, "types">> = {}): Tagged {
  const known = new Map(Object.entries(types));
  return { by: "type", string: "any", untagged: "any", unknown: "window", ...more, types: known };
}

/** Names of one place, with blanks between them. */
export function every(names: string, place: Place): Record<string, Place> {
  return Object.fromEntries(words(names).map((name) => [name, place]));
}

export function words(names: string): string[] {
  return names.split(/\s+/);
}
