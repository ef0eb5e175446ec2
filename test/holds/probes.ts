// Cases that look for one rule: the field that it is about, with the few things in it that cost
// the most.
import type { HoldCase, UpstreamKind } from "./generate/cases.ts";
import { isObject, withAt, type Json, type JsonObject } from "./generate/json.ts";
import { sampleFiles } from "./generate/files.ts";
import { otherSpelling } from "./generate/spellings.ts";
import { placesOf, plainBodies, type Place, type WireName } from "./generate/wire-places.ts";

const pdf = sampleFiles.find(({ name }) => name === "pdf")?.bytes.toString("base64") ?? "";

const values: readonly Json[] = [
  "https://example.com/film.mp4",
  "file-abc123def456ghi789",
  "files/abc123def456",
  `data:application/pdf;base64,${pdf}`,
  pdf,
  "GkXfo59ChoEB",
  ["file-abc123def456ghi789"],
  { id: "file-abc123def456ghi789" },
];

const natives: Readonly<Partial<Record<WireName, UpstreamKind>>> = {
  chat: "openai-chat",
  responses: "openai-responses",
  messages: "anthropic",
};

const placesByWire = new Map<WireName, Place[]>();

function places(wire: WireName): Place[] {
  let known = placesByWire.get(wire);
  if (!known) placesByWire.set(wire, (known = placesOf(wire)));
  return known;
}

/** Places that the vendors' types do not have. */
function strangePlaces(wire: WireName, field: string): Place[] {
  const body = plainBodies[wire];
  return [
    { wire, name: field, body, path: [field] },
    { wire, name: field, body: { ...body, made_up: {} }, path: ["made_up", field] },
  ];
}

interface Probe extends HoldCase {
  /** The value that is put into the field. */
  put: Json;
}

export function* probesFor(wires: readonly WireName[], field: string | null): Generator<Probe> {
  for (const wire of wires) {
    const name = field ?? "made_up";
    const exact = places(wire).filter(({ path }) => isNamed(path.at(-1), name));
    // A rule about names holds on all wires, and where no type has the name.
    const all = wires.length > 1 ? [...strangePlaces(wire, name), ...exact] : exact;
    for (const place of all) {
      for (const value of values) yield* spelled(place, value, name);
    }
  }
}

function isNamed(step: string | number | undefined, name: string): boolean {
  return step === name || (typeof step === "string" && otherSpelling(step) === name);
}

/** Probes in the spelling of the vendor's types, and in the rule's. */
function* spelled({ wire, body, path }: Place, value: Json, name: string): Generator<Probe> {
  const upstream = natives[wire] ?? "google";
  const put = withAt(withoutIds(body), path, value);
  if (!isObject(put)) return;
  yield { name, wire, upstream, body: put, put: value };
  const other = respelled(put, name);
  if (other !== put) yield { name, wire, upstream, body: other, put: value };
}

/** An id that has to be there, and is nobody's, would have the whole body refused. */
function withoutIds(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body).replaceAll(/"container_id":"x",?/g, ""));
}

function respelled(body: JsonObject, name: string): JsonObject {
  const from = otherSpelling(name);
  const text = JSON.stringify(body);
  return text.includes(`"${from}":`)
    ? JSON.parse(text.replaceAll(`"${from}":`, `"${name}":`))
    : body;
}
