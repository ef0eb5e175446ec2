// Bodies for calls of the control plane, made from their schemas: with the worst that each field
// may say, all together and one by one.
import { isFields, type Fields } from "./fields.ts";

/** Words that hostile bodies say: people and things of others, and places of the attacker's own. */
export interface Hints {
  /** Values by the names of fields, for those that their schema says too little of. */
  values: Readonly<Record<string, () => unknown>>;
  /** Several values of one field, each tried in a body of its own. */
  choices: Readonly<Record<string, readonly unknown[]>>;
}

/** Names of the fields by which a body reaches for what is not one's own. */
const reaching = new Set("account owner person role permissions group organisation ids".split(" "));

export function reachesFar(schema: unknown): boolean {
  const properties = isFields(schema) ? schema["properties"] : null;
  return isFields(properties) && Object.keys(properties).some((name) => reaching.has(name));
}

/** Whether a body of the schema may name an account, wherever in it. */
export function namesSomebody(schema: unknown): boolean {
  return /"(?:account|owner|person)":/.test(JSON.stringify(schema ?? null));
}

const mebibyte = 1024 * 1024;

/** One value of the schema, with every field that it knows. */
export function hostileValue(schema: unknown, name: string, hints: Hints): unknown {
  const hint = hints.values[name];
  if (hint) return hint();
  if (!isFields(schema)) return "hostile";
  const { anyOf, enum: words, type, properties, items, maximum, const: only } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(anyOf)) return hostileValue(anyOf[0], name, hints);
  if (Array.isArray(words)) return words.at(-1);
  if (isFields(properties)) return hostileFields(properties, hints);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === "array") {
    const whole = hostileValue(items, name, hints);
    const hasFields = isFields(items) && isFields(items["properties"]);
    return hasFields ? [whole, hostileValue(requiredOnly(items), name, hints)] : [whole];
  }
  if (kind === "boolean") return true;
  if (kind === "integer" || kind === "number")
    return Math.min(Number(maximum ?? mebibyte), mebibyte);
  if (kind === "object") return {};
  return "hostile";
}

function requiredOnly(schema: unknown): unknown {
  if (!isFields(schema) || !isFields(schema["properties"])) return schema;
  const { properties } = schema;
  const entries = Object.entries(properties).filter(([name]) => isRequired(schema, name));
  return { ...schema, properties: Object.fromEntries(entries) };
}

function isRequired({ required }: Fields, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

function hostileFields(properties: Fields, hints: Hints): Fields {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, hostileValue(field, name, hints)]),
  );
}

interface BodyWords {
  schema: unknown;
  example: unknown;
}

/**
 * Bodies for one call: its example, that with each hostile field, and all of these together. Where
 * they are brief, each of the fields alone that reach for what is not one's own.
 */
export function hostileBodies(
  { schema, example }: BodyWords,
  { hints, isBrief }: { hints: Hints; isBrief: boolean },
): unknown[] {
  if (!isFields(schema) || !isFields(schema["properties"]) || !isFields(example)) return [example];
  const whole = hostileFields(schema["properties"], hints);
  const base = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      hints.values[name] ? whole[name] : value,
    ]),
  );
  const single = Object.entries(whole)
    .filter(([name]) => !(name in base) && (!isBrief || reaching.has(name)))
    .map(([name, value]) => ({ ...base, [name]: value }));
  const chosen = Object.keys(whole).flatMap((name) =>
    (hints.choices[name] ?? []).map((value) => ({ ...base, [name]: value })),
  );
  const least = Object.entries(base).filter(([name]) => isRequired(schema, name));
  return [base, Object.fromEntries(least), ...single, ...chosen, whole];
}
