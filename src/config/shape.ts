// Walks a value beside its schema: which keys are unknown or missing, what the defaults fill in.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { SchemaFault, TSchema } from "../core/schema.ts";
import { suggest } from "./problems.ts";

export type Path = readonly string[];

export interface PathFault {
  path: Path;
  message: string;
  /** The fault is in the key itself rather than in its value. */
  isKey?: true;
}

/** A schema is plain JSON once the library's hidden marks are left out of sight. */
type Node = JsonObject;

function asNode(schema: unknown): Node {
  return isObject(schema) ? schema : {};
}

function child(schema: Node, name: string): Node | null {
  const properties = asNode(schema["properties"]);
  if (Object.hasOwn(properties, name)) return asNode(properties[name]);
  const patterns = Object.entries(asNode(schema["patternProperties"]));
  const match = patterns.find(([pattern]) => new RegExp(pattern, "u").test(name));
  if (match) return asNode(match[1]);
  return schema["additionalProperties"] === false ? null : {};
}

function required(schema: Node): string[] {
  const names = schema["required"];
  return Array.isArray(names) ? names.map(String) : [];
}

/** Every unknown and every missing key, wherever it stands. */
export function shapeFaults(schema: TSchema | Node, value: unknown, path: Path = []): PathFault[] {
  const node = asNode(schema);
  if (Array.isArray(value)) {
    const items = asNode(node["items"]);
    return value.flatMap((item, at) => shapeFaults(items, item, [...path, String(at)]));
  }
  if (!isObject(value)) return [];
  const known = Object.keys(asNode(node["properties"]));
  const inside = Object.entries(value).flatMap(([name, item]): PathFault[] => {
    const next = [...path, name];
    const schemaOfItem = child(node, name);
    if (schemaOfItem !== null) return shapeFaults(schemaOfItem, item, next);
    return [{ path: next, message: `is not known${suggest(name, known)}`, isKey: true }];
  });
  const missing = required(node)
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: [...path, name], message: "is required" }));
  return [...inside, ...missing];
}

/** The value with the default of every required key that was left out. */
export function fillDefaults(schema: TSchema | Node, value: Json): Json {
  const node = asNode(schema);
  if (!isObject(value)) return value;
  const filled: JsonObject = { ...value };
  for (const name of required(node)) {
    const property = child(node, name) ?? {};
    const start = Object.hasOwn(filled, name) ? filled[name] : property["default"];
    if (start !== undefined) filled[name] = fillDefaults(property, structuredClone(start));
  }
  return filled;
}

/** The value with another one at the path. */
export function withValueAt(value: Json, [name, ...rest]: Path, leaf: Json): Json {
  if (name === undefined) return leaf;
  const fields = isObject(value) ? value : {};
  return { ...fields, [name]: withValueAt(fields[name] ?? {}, rest, leaf) };
}

export function valueAt(value: Json | undefined, [name, ...rest]: Path): Json | undefined {
  if (name === undefined) return value;
  return isObject(value) ? valueAt(value[name], rest) : undefined;
}

/** The value without what stands at the path. */
export function withoutValueAt(value: Json, [name, ...rest]: Path): Json {
  if (name === undefined || !isObject(value) || value[name] === undefined) return value;
  const { [name]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [name]: withoutValueAt(inner ?? null, rest) };
}

/** Whether the value says anything at the path, or something that is no map above it. */
export function isStated(value: Json | undefined, [name, ...rest]: Path): boolean {
  if (name === undefined || !isObject(value)) return value !== undefined;
  return Object.hasOwn(value, name) && isStated(value[name], rest);
}

/** The faults of a checker with their paths taken apart, and allowed values named. */
export function toPathFaults(schema: TSchema, value: unknown, faults: SchemaFault[]): PathFault[] {
  return faults.map((fault) => {
    const path = splitPath(value, fault.path);
    const allowed = path.reduce(step, asNode(schema))["enum"];
    const message = Array.isArray(allowed) ? `must be one of ${allowed.join(", ")}` : fault.message;
    return { path, message };
  });
}

function step(schema: Node, name: string): Node {
  return isObject(schema["items"]) ? schema["items"] : (child(schema, name) ?? {});
}

/** A key may hold dots itself, so the dotted path is read along the value it was made from. */
function splitPath(value: unknown, dotted: string): string[] {
  if (dotted === "") return [];
  const names = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const [match] = names
    .map(([name, item]) => ({ name, item, text: escapePointer(name) }))
    .filter(({ text }) => dotted === text || dotted.startsWith(`${text}.`))
    .toSorted((left, right) => right.text.length - left.text.length);
  if (!match) return dotted.split(".");
  return [match.name, ...splitPath(match.item, dotted.slice(match.text.length + 1))];
}

/** The checker's paths come from JSON pointers, which write these two characters differently. */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
