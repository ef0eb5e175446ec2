// The places of each wire: every field of every type that its vendor publishes, with the smallest
// body that has such a field in it.
import type { Shape } from "../places/parse-types.ts";
import { isObject, type Json, type JsonObject, type Path, withAt } from "./json.ts";

export type WireName =
  | "chat"
  | "completions"
  | "embeddings"
  | "responses"
  | "messages"
  | "content"
  | "embedContent"
  | "batchEmbedContents";

interface PlaceList {
  madeFrom: readonly string[];
  root: string;
  types: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
}

async function read(name: string): Promise<PlaceList> {
  return await Bun.file(new URL(`../places/${name}.json`, import.meta.url)).json();
}

export const placeLists: Readonly<Record<WireName, PlaceList>> = {
  chat: await read("chat"),
  completions: await read("completions"),
  embeddings: await read("embeddings"),
  responses: await read("responses"),
  messages: await read("messages"),
  content: await read("content"),
  embedContent: await read("embed-content"),
  batchEmbedContents: await read("batch-embed-contents"),
};

/** The smallest body that is taken, without the model. */
export const plainBodies: Readonly<Record<WireName, JsonObject>> = {
  chat: { max_tokens: 16, messages: [{ role: "user", content: "hi" }] },
  completions: { max_tokens: 16, prompt: "hi" },
  embeddings: { input: "hi" },
  responses: { max_output_tokens: 16, input: "hi" },
  messages: { max_tokens: 16, messages: [{ role: "user", content: "hi" }] },
  content: {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    generationConfig: { maxOutputTokens: 16 },
  },
  embedContent: { content: { parts: [{ text: "hi" }] } },
  batchEmbedContents: { requests: [{ content: { parts: [{ text: "hi" }] } }] },
};

export interface Place {
  wire: WireName;
  /** The type and field, for people. */
  name: string;
  body: JsonObject;
  path: Path;
}

/** Place of a type's value in a body. */
interface Standing {
  type: string;
  body: JsonObject;
  path: Path;
}

export function placesOf(wire: WireName): Place[] {
  const list = placeLists[wire];
  const maker = new SmallestValues(list);
  const first: Standing = { type: list.root, body: plainBodies[wire], path: [] };
  const seen = new Set<string>();
  const left = [first];
  const places: Place[] = [];
  for (let standing = left.shift(); standing; standing = left.shift()) {
    const { type, body, path } = standing;
    for (const [key, shape] of Object.entries(list.types[type] ?? {})) {
      const field = key.replace(/\?$/, "");
      const at = [...path, field];
      places.push({ wire, name: `${type}.${field}`, body, path: at });
      for (const inner of leadsTo(shape, at)) {
        const edge = `${type}.${field} ${inner.type}`;
        if (seen.has(edge)) continue;
        seen.add(edge);
        const holder = inner.wrap(maker.ofType(inner.type, 0));
        left.push({ type: inner.type, body: asObject(withAt(body, at, holder)), path: inner.path });
      }
    }
  }
  return places;
}

function asObject(value: Json): JsonObject {
  if (!isObject(value)) throw new TypeError("a body is an object");
  return value;
}

export interface Lead {
  type: string;
  path: Path;
  wrap(value: Json): Json;
}

export function leadsTo(shape: Shape, path: Path): Lead[] {
  if (typeof shape === "string" || "literal" in shape) return [];
  if ("type" in shape) return [{ type: shape.type, path, wrap: (value) => value }];
  if ("oneOf" in shape) return shape.oneOf.flatMap((one) => leadsTo(one, path));
  const isList = "list" in shape;
  const step = isList ? 0 : "some";
  const inner = leadsTo(isList ? shape.list : shape.map, [...path, step]);
  return inner.map((lead) => ({
    ...lead,
    wrap: (value) => (isList ? [lead.wrap(value)] : { some: lead.wrap(value) }),
  }));
}

const depthMax = 4;

/** Values with nothing in them but what has to be there. */
export class SmallestValues {
  readonly #list: PlaceList;

  constructor(list: PlaceList) {
    this.#list = list;
  }

  ofType(type: string, depth: number): JsonObject {
    const value: JsonObject = {};
    for (const [key, shape] of Object.entries(this.#list.types[type] ?? {})) {
      if (!key.endsWith("?") && key !== "*") value[key] = this.of(shape, depth + 1);
    }
    return value;
  }

  of(shape: Shape, depth: number): Json {
    if (shape === "string" || shape === "anything") return "x";
    if (shape === "number") return 1;
    if (shape === "boolean") return false;
    if (shape === "null") return null;
    if ("literal" in shape) return shape.literal;
    if ("list" in shape) return depth > depthMax ? [] : [this.of(shape.list, depth + 1)];
    if ("map" in shape) return {};
    if ("oneOf" in shape) return this.#smallestOf(shape.oneOf, depth);
    return depth > depthMax ? {} : this.ofType(shape.type, depth);
  }

  #smallestOf(shapes: readonly Shape[], depth: number): Json {
    const simple = shapes.find((one) => typeof one === "string" || "literal" in one);
    const [first = "anything"] = shapes;
    return this.of(simple ?? first, depth);
  }
}
