// Bodies with many of one thing: each list and map that a vendor's types have, filled with elements
// that are alike, and with elements whose ids differ. They are made from the published types, so a
// field that is added there is covered.
import { sampleFiles } from "../generate/files.ts";
import {
  isObject,
  readAt,
  withAt,
  type Json,
  type JsonObject,
  type Path,
} from "../generate/json.ts";
import {
  placeLists,
  placesOf,
  plainBodies,
  SmallestValues,
  type Place,
  type WireName,
} from "../generate/wire-places.ts";
import type { Shape } from "../places/parse-types.ts";

export interface EnlargedBody {
  name: string;
  wire: WireName;
  make(count: number): JsonObject;
}

const pdf = sampleFiles.find(({ name }) => name === "pdf")?.bytes.toString("base64") ?? "";

/** A document as a data URL and without a head, and a file's id: for where such may stand. */
const fileTexts: readonly string[] = [`data:application/pdf;base64,${pdf}`, pdf, "file-abc123"];
const fileFields = /data|url|uri|file|image|_id$/i;

/** Schemas of tools and answers, whose own lists and maps are nowhere in the vendors' types. */
const schemas: readonly ((names: readonly string[]) => JsonObject)[] = [
  (names) => ({ type: "object", properties: fieldsNamed(names), required: [...names] }),
  (names) => ({ type: "object", properties: { a: text }, required: names.map(() => "a") }),
  (names) => ({
    type: "object",
    properties: { a: { type: ["string", "null"], enum: [...names] } },
  }),
  (names) => ({ type: "object", properties: { a: { anyOf: names.map(() => text) } } }),
  (names) => ({ type: "object", allOf: names.map((name) => ({ properties: { [name]: text } })) }),
  (names) => ({
    type: "object",
    $defs: fieldsNamed(names),
    properties: fieldsNamed(names, (name) => ({ $ref: `#/$defs/${name}` })),
  }),
];
const text: JsonObject = { type: "string" };

function fieldsNamed(
  names: readonly string[],
  make: (name: string) => JsonObject = () => text,
): JsonObject {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

function namesUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `name${at}`);
}

/** Values of a shape: `some` holds one, `many` as many as are asked for. */
interface Fillings {
  some: Json[];
  many: ((count: number) => Json)[];
}

function fillingsOf(shape: Shape, field: string, values: SmallestValues): Fillings {
  if (shape === "string") {
    return { some: fileFields.test(field) ? ["x", ...fileTexts] : ["x"], many: [] };
  }
  if (shape === "anything") {
    return { some: ["x"], many: schemas.map((schema) => (count) => schema(namesUpTo(count))) };
  }
  // The work does not depend on which number or word of a few it is.
  if (typeof shape === "string" || "literal" in shape) return { some: [], many: [] };
  if ("type" in shape) return { some: [values.of(shape, 0)], many: [] };
  if ("oneOf" in shape) {
    const each = shape.oneOf.map((one) => fillingsOf(one, field, values));
    return {
      some: each.flatMap(({ some }) => some),
      many: each.flatMap(({ many }) => many),
    };
  }
  const isList = "list" in shape;
  const inner = fillingsOf(isList ? shape.list : shape.map, field, values);
  const many = inner.some.map((value) => (count: number): Json => {
    if (isList) return Array.from({ length: count }, () => value);
    return Object.fromEntries(namesUpTo(count).map((name) => [name, value]));
  });
  const ofNothing = isList ? [] : fillingsOf("anything", field, values).many;
  return { some: [values.of(shape, 0)], many: [...many, ...ofNothing] };
}

function shapeAt({ wire, name }: Place): Shape | undefined {
  const dot = name.lastIndexOf(".");
  const type = placeLists[wire].types[name.slice(0, dot)];
  const field = name.slice(dot + 1);
  return type?.[field] ?? type?.[`${field}?`];
}

/** Each place's fillings with many values, and each list above it with many elements. */
export function* enlargedBodies(wire: WireName): Generator<EnlargedBody> {
  const values = new SmallestValues(placeLists[wire]);
  const seen = new Set<string>();
  for (const place of placesOf(wire)) {
    const shape = shapeAt(place);
    if (shape === undefined) continue;
    const { some, many } = fillingsOf(shape, String(place.path.at(-1)), values);
    const where = `${wire} ${place.path.join(".")}`;
    for (const [at, fill] of many.entries()) {
      const make = (count: number) => asBody(withAt(place.body, place.path, fill(count)));
      yield { wire, name: `${where}, filling ${at}`, make };
    }
    for (const value of some) {
      const body = asBody(withAt(place.body, place.path, value));
      for (const list of listsAbove(place.path)) {
        const made = `${list.join(".")} ${JSON.stringify(body)}`;
        if (seen.has(made)) continue;
        seen.add(made);
        const name = `${where} = ${tell(value)}, many ${list.join(".")}`;
        yield { wire, name: `${name} alike`, make: (count) => repeated(body, list, count, false) };
        if (!/id|name/i.test(String(place.path.at(-1)))) continue;
        yield {
          wire,
          name: `${name} differing`,
          make: (count) => repeated(body, list, count, true),
        };
      }
    }
  }
}

const pairsMax = 60;

/** Calls and their results, and what else of a conversation may name the other by an id: some. */
export function* enlargedPairs(wire: WireName): Generator<EnlargedBody> {
  const elements = new Map<string, { list: Path; element: Json }>();
  for (const place of placesOf(wire)) {
    const [list] = listsAbove(place.path);
    if (!list || !/(?:^|_)id$/i.test(String(place.path.at(-1)))) continue;
    const body = withAt(place.body, place.path, "x");
    const element = readAt(body, [...list, 0]) ?? null;
    elements.set(JSON.stringify(element), { list, element });
  }
  const all = [...elements.values()];
  const step = Math.ceil((all.length * all.length) / pairsMax);
  for (let at = 0; at < all.length * all.length; at += step) {
    const [one, other] = [all[Math.floor(at / all.length)], all[at % all.length]];
    if (one && other && one !== other && one.list.join(".") === other.list.join(".")) {
      const make = (count: number) => {
        const pair = [one.element, other.element];
        const filled = Array.from({ length: count }, (_, index) => copyOf(pair[index % 2] ?? null));
        return asBody(withAt(plainBodies[wire], one.list, filled));
      };
      yield { wire, name: `${wire} ${tell(one.element)} with ${tell(other.element)}`, make };
    }
  }
}

/** The outermost list and the innermost one. */
function listsAbove(path: Path): Path[] {
  const lists = path.flatMap((step, at) => (step === 0 ? [path.slice(0, at)] : []));
  return lists.length < 2 ? lists : [lists.at(0) ?? [], lists.at(-1) ?? []];
}

function repeated(body: JsonObject, list: Path, count: number, areNamed: boolean): JsonObject {
  const element = JSON.stringify(readAt(body, [...list, 0]) ?? null);
  const elements = Array.from({ length: count }, (_, at): Json => {
    if (!areNamed) return JSON.parse(element);
    return JSON.parse(element.replaceAll('"x"', `"x${at}"`).replaceAll("abc123", `abc${at}`));
  });
  return asBody(withAt(body, list, elements));
}

function copyOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value));
}

function asBody(value: Json): JsonObject {
  if (!isObject(value)) throw new TypeError("a body is an object");
  return value;
}

function tell(value: Json): string {
  return JSON.stringify(value).slice(0, 80);
}
