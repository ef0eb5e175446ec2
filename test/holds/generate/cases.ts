// Cases: a body of some wire with something put somewhere, and the kind of upstream that it is for.
// A number stands for the same case on every machine.
import { Dice } from "../../sim/dice.ts";
import type { Shape } from "../places/parse-types.ts";
import {
  isObject,
  placesIn,
  readAt,
  withAt,
  type Json,
  type JsonObject,
  type Path,
} from "./json.ts";
import { payloads, textPayloads, type Payload } from "./payloads.ts";
import { respell, spellTwice } from "./spellings.ts";
import {
  leadsTo,
  placeLists,
  placesOf,
  plainBodies,
  SmallestValues,
  type Place,
  type WireName,
} from "./wire-places.ts";

export const upstreamKinds = ["openai-chat", "openai-responses", "anthropic", "google"] as const;
export type UpstreamKind = (typeof upstreamKinds)[number];

export interface HoldCase {
  /** Origin of the case, for people. */
  name: string;
  wire: WireName;
  upstream: UpstreamKind;
  /** Another one than usual for this kind of upstream. */
  model?: string;
  body: JsonObject;
}

const textWires: readonly WireName[] = ["chat", "responses", "messages", "content", "completions"];
const embeddingWires: readonly WireName[] = ["embeddings", "embedContent", "batchEmbedContents"];

const walkers = new Map<WireName, SmallestValues>();

function smallest(wire: WireName): SmallestValues {
  let values = walkers.get(wire);
  if (!values) walkers.set(wire, (values = new SmallestValues(placeLists[wire])));
  return values;
}

const stepsMax = 9;
const madeUp = "made_up";

/** Goes down from the top of a body by what its types allow, as deep as chance leads. */
function wander(wire: WireName, dice: Dice): Place {
  const { root, types } = placeLists[wire];
  let body: Json = plainBodies[wire];
  let type = root;
  let path: Path = [];
  for (let step = 0; step < stepsMax; step++) {
    const leads = Object.entries(types[type] ?? {}).flatMap(([key, shape]) =>
      leadsTo(shape, [...path, key.replace(/\?$/, "")]),
    );
    if (leads.length === 0 || (step > 0 && dice.chance(0.2))) break;
    const lead = dice.pick(leads);
    const field = lead.path[path.length] ?? "";
    body = withAt(body, [...path, field], lead.wrap(smallest(wire).ofType(lead.type, 0)));
    ({ type, path } = lead);
  }
  const all = Object.keys(types[type] ?? {});
  // Prefer fields whose type takes more: what a type rules out is refused before it is measured.
  const open = all.filter((key) => takesMore(types[type]?.[key] ?? "null"));
  const fields = open.length > 0 && dice.chance(0.9) ? open : all;
  const field = fields.length === 0 || dice.chance(0.05) ? madeUp : dice.pick(fields);
  const name = field.replace(/\?$/, "");
  return { wire, name: `${type}.${name}`, body: asBody(body), path: [...path, name] };
}

function takesMore(shape: Shape): boolean {
  if (typeof shape === "string") return shape === "string" || shape === "anything";
  return "oneOf" in shape ? shape.oneOf.some(takesMore) : !("literal" in shape);
}

function asBody(value: Json): JsonObject {
  if (!isObject(value)) throw new TypeError("a body is an object");
  return value;
}

/** Texts fit most places; the rest is put there because nobody expects it. */
function somePayload(dice: Dice): Payload {
  return dice.pick(dice.chance(0.4) ? textPayloads : payloads);
}

export function someCase(seed: number): HoldCase {
  const dice = new Dice(seed);
  const wire = dice.pick(dice.chance(0.9) ? textWires : embeddingWires);
  const place = wander(wire, dice);
  const payload = somePayload(dice);
  let body = asBody(withAt(place.body, place.path, payload.value));
  let name = `${wire} ${place.name} ${payload.name}`;
  if (dice.chance(0.15)) {
    const other = dice.pick(placesIn(body).filter((path) => path.length > 0));
    const second = somePayload(dice);
    body = asBody(withAt(body, other, second.value));
    name += ` and ${other.join(".")} ${second.name}`;
  }
  if (dice.chance(0.15)) {
    body = respell(body, dice);
    name += " respelled";
  }
  if (dice.chance(0.1)) {
    body = spellTwice(body, dice);
    name += " twice";
  }
  if (dice.chance(0.05)) body = wrapped(body, dice);
  return { name, wire, upstream: dice.pick(upstreamKinds), body };
}

/** One thing where a list is expected, or a list where one is. */
function wrapped(body: JsonObject, dice: Dice): JsonObject {
  const path = dice.pick(placesIn(body).filter((one) => one.length > 0));
  const value = readAt(body, path) ?? null;
  const [only = null] = Array.isArray(value) ? value : [];
  return asBody(withAt(body, path, Array.isArray(value) ? only : [value]));
}

/** An address in every place of a part whose type nobody knows. */
export function* strangeCases(): Generator<HoldCase> {
  const value = "https://example.com/film.mp4";
  for (const wire of textWires) {
    for (const { name, path, body } of placesOf(wire)) {
      const put = asBody(withAt(body, path, value));
      for (const above of path.keys()) {
        const holder = readAt(put, path.slice(0, above));
        if (!isObject(holder) || typeof holder["type"] !== "string") continue;
        const strange = asBody(withAt(put, [...path.slice(0, above), "type"], madeUp));
        for (const upstream of upstreamKinds) {
          yield {
            name: `${wire} ${name} address, ${above} strange`,
            wire,
            upstream,
            body: strange,
          };
        }
      }
    }
  }
}

/** All places with all that can be put there, one after the other. */
export function* everyCase(): Generator<HoldCase> {
  for (const wire of [...textWires, ...embeddingWires]) {
    for (const place of placesOf(wire)) {
      for (const payload of payloads) {
        const body = asBody(withAt(place.body, place.path, payload.value));
        for (const upstream of upstreamKinds) {
          yield { name: `${wire} ${place.name} ${payload.name}`, wire, upstream, body };
        }
      }
    }
  }
}
