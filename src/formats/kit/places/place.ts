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

/** Row of a table. */
export interface PlaceRow {
  readonly name: string;
  place: Place;
  /** A text that stands there is read as text, also in the stead of an object. */
  readonly isText: boolean;
  /** Row that was met behind this one the last time: most objects of a place are of one make. */
  next: PlaceRow | null;
}

type Rows = Map<string, PlaceRow>;

/** An object by its fields. */
export interface Fields {
  kind: "fields";
  fields: Rows;
  /** In front of the first field; its `next` is the row to expect. */
  start: PlaceRow;
  /** A text in the object's stead. */
  string: Place;
  /** Each of its fields is a kind of part, so that an unknown one is a part that is not known. */
  isPart: boolean;
  /** The place of each name that is the client's own. */
  rest: Place | null;
  /** The field without which it means nothing. */
  required: string | null;
}

/** An object whose fields follow from one of them. */
export interface Tagged {
  kind: "tagged";
  by: string;
  types: Rows;
  /** Row of the last object; the next one is mostly of the same type. */
  latest: PlaceRow | null;
  /** A text in the object's stead. */
  string: Place;
  /** Place of an object that has no tag. */
  untagged: Place;
  /** The version in a tag, by which none differs. */
  version: RegExp | null;
  /** One that is not known costs what it may bring as a whole, or is looked through for that. */
  unknown: "window" | "any";
}

/** A list stands wherever one thing may. */
export type Place = Leaf | Fields | Tagged;

export type Table = Readonly<Record<string, Place>>;

export type FieldsOptions = Partial<Pick<Fields, "string" | "isPart" | "rest" | "required">>;
type TaggedOptions = Partial<Omit<Tagged, "kind" | "types" | "latest">>;

export function objectWith(table: Table, options: FieldsOptions = {}): Fields {
  const { string = "any", isPart = false, rest = null, required = null } = options;
  const start = rowOf("", "any");
  return { kind: "fields", fields: rowsOf(table), start, string, isPart, rest, required };
}

export function tagged(table: Table, options: TaggedOptions = {}): Tagged {
  const { by = "type", string = "any", untagged = "any", version = null } = options;
  const { unknown = "window" } = options;
  const types = rowsOf(table);
  return { kind: "tagged", by, types, latest: null, string, untagged, version, unknown };
}

/** Adds rows to a place that they stand below themselves. */
export function addRows(rows: Rows, table: Table): void {
  for (const [name, place] of Object.entries(table)) rows.set(name, rowOf(name, place));
}

function rowsOf(table: Table): Rows {
  const rows: Rows = new Map();
  addRows(rows, table);
  return rows;
}

function rowOf(name: string, place: Place): PlaceRow {
  const isText = place === "text" || (typeof place !== "string" && place.string === "text");
  return { name, place, isText, next: null };
}

/** Names of one place, with blanks between them. */
export function every(names: string, place: Place): Record<string, Place> {
  return Object.fromEntries(words(names).map((name) => [name, place]));
}

export function words(names: string): string[] {
  return names.split(/\s+/);
}
