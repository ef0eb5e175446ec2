// Bounds that are broken on purpose: one rule at a time is taken out of the tables by which bodies
// are walked. A generator or a meter that lets one of them pass is itself broken.
import { chatPlaces } from "../../src/formats/chat/places.ts";
import { contentPlaces } from "../../src/formats/content/places.ts";
import { batchEmbedPlaces, embedPlaces } from "../../src/formats/embed-content/places.ts";
import type { Place, PlaceRow } from "../../src/formats/kit/places/place.ts";
import {
  dataFields,
  dearTexts,
  fileTypes,
  idFields,
} from "../../src/formats/kit/places/unknown-text.ts";
import { messagesPlaces } from "../../src/formats/messages/places.ts";
import { responsesItems, responsesPlaces } from "../../src/formats/responses/places.ts";
import type { WireName } from "./generate/wire-places.ts";

export interface Mutant {
  name: string;
  /** The wires on which it is looked for. */
  wires: readonly WireName[];
  /** The field that it is about; null where it is about all. */
  field: string | null;
  /** Takes the rule out, and returns what puts it back. */
  break(): () => void;
}

const tables: readonly (readonly [WireName, Place])[] = [
  ["chat", chatPlaces],
  ["responses", responsesPlaces],
  ["responses", responsesItems],
  ["messages", messagesPlaces],
  ["content", contentPlaces],
  ["embedContent", embedPlaces],
  ["batchEmbedContents", batchEmbedPlaces],
];

/** Read as text anyway, or looked through like what is not known. */
const plain: ReadonlySet<Place> = new Set(["text", "json", "any"]);

function* inTable(wire: WireName, place: Place, path: string, seen: Set<Place>): Generator<Mutant> {
  if (typeof place === "string" || seen.has(place)) return;
  seen.add(place);
  if (!plain.has(place.string)) yield ofText(wire, place, path);
  const entries = place.kind === "tagged" ? place.types : place.fields;
  for (const row of entries.values()) {
    const at = path === "" ? row.name : `${path}.${row.name}`;
    if (typeof row.place === "string" && !plain.has(row.place)) yield ofRow(wire, row, at);
    yield* inTable(wire, row.place, at, seen);
  }
  if (place.kind === "tagged") yield* inTable(wire, place.untagged, path, seen);
}

function ofRow(wire: WireName, row: PlaceRow, path: string): Mutant {
  return {
    name: `${wire} does not look into ${path}`,
    wires: [wire],
    field: row.name,
    break() {
      const { place: before } = row;
      row.place = "json";
      return () => void (row.place = before);
    },
  };
}

function ofText(wire: WireName, place: Exclude<Place, string>, path: string): Mutant {
  return {
    name: `${wire} takes a text in the stead of ${path} for words`,
    wires: [wire],
    field: path.split(".").at(-1) ?? null,
    break() {
      const { string: before } = place;
      place.string = "text";
      return () => void (place.string = before);
    },
  };
}

const textWires: readonly WireName[] = ["chat", "responses", "messages", "content"];

function ofName(names: Set<string>, name: string, what: string): Mutant {
  return {
    name: `${name} is no ${what} where nobody expects it`,
    wires: textWires,
    field: name,
    break() {
      names.delete(name);
      return () => void names.add(name);
    },
  };
}

function* ofTexts(): Generator<Mutant> {
  for (const rule of dearTexts) {
    yield {
      name: `a text that nobody expects is no ${rule.name}`,
      wires: textWires,
      field: null,
      break() {
        const at = dearTexts.indexOf(rule);
        dearTexts.splice(at, 1);
        return () => void dearTexts.splice(at, 0, rule);
      },
    };
  }
}

/** All of them are to be listed before the first is broken. */
export function* mutants(): Generator<Mutant> {
  const seen = new Set<Place>();
  for (const [wire, place] of tables) yield* inTable(wire, place, "", seen);
  for (const name of idFields) yield ofName(idFields, name, "id");
  for (const name of dataFields) yield ofName(dataFields, name, "data");
  for (const name of fileTypes) yield ofName(fileTypes, name, "file by its type");
  yield* ofTexts();
}
