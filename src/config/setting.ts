// Vocabulary of settings: sections and bounded numbers, the variable that wins over a key of the
// file, and the names that the code reads them by. A setting is stated once, in this vocabulary.
import { Type, type Static, type TSchema } from "../core/schema.ts";

export const mebibyte = 1024 * 1024;

interface Bounds {
  default: number;
  minimum?: number;
  maximum?: number;
}

export function wholeSetting(
  description: string,
  { minimum = 1, maximum = 1_000_000_000, ...rest }: Bounds,
) {
  return Type.Integer({ minimum, maximum, ...rest, description });
}

export function milliseconds(description: string, value: number) {
  return wholeSetting(description, { default: value, maximum: 86_400_000 });
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The keys of the file as the code spells them: `first_byte_ms` is `firstByteMs`. */
type CamelKeys<Keys> = { [Name in keyof Keys as CamelCase<Name>]: Keys[Name] };

export function camelKeys<Keys extends object>(keys: Keys): CamelKeys<Keys> {
  const entries = Object.entries(keys).map(([name, value]) => [camelCase(name), value]);
  // The compiler cannot follow names through text: CamelCase and camelCase state the same rule.
  return Object.fromEntries(entries) as CamelKeys<Keys>;
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A map of the file whose keys the code reads as they are. */
export function section<Properties extends Record<string, TSchema>>(
  description: string,
  properties: Properties,
) {
  const schema = Type.Object(properties, { additionalProperties: false, default: {}, description });
  return { schema, read: (keys: Static<typeof schema>) => camelKeys(keys) };
}

/** A map of the file of which the code reads some keys in other units or under other names. */
export function convertedSection<Properties extends Record<string, TSchema>, Value>(
  description: string,
  properties: Properties,
  convert: (keys: CamelKeys<Static<ReturnType<typeof section<Properties>>["schema"]>>) => Value,
) {
  const { schema, read } = section(description, properties);
  return { schema, read: (keys: Static<typeof schema>) => convert(read(keys)) };
}

/** An environment variable of the gateway. */
export interface Variable {
  readonly name: string;
  readonly schema: TSchema;
  /** It may also be given as NAME_FILE, the path of a file that holds the value. */
  readonly isFileable: boolean;
}

const variableMark = Symbol("variable");
type Mark = Omit<Variable, "schema">;

/** The schema of a setting that the variable may hold as well; the editors' schema is not told. */
export function orVariable<Schema extends TSchema>(
  name: string,
  schema: Schema,
  { isFileable = false } = {},
): Schema {
  const mark: Mark = { name, isFileable };
  return Object.defineProperty(schema, variableMark, { value: mark });
}

export function variableOf(schema: TSchema & { [variableMark]?: Mark }): Variable | null {
  const mark = schema[variableMark];
  return mark === undefined ? null : { ...mark, schema };
}

/**
 * Ways for a setting to change: `live` on a page, at once; `restart` on a page, for the next start;
 * `reload` in the file, by reading it anew; `file` in the file or the environment alone, for the
 * next start.
 */
export type Change = "live" | "restart" | "reload" | "file";

const changeMark = Symbol("change");

function marked<Schema extends TSchema>(schema: Schema, change: Change): Schema {
  return Object.defineProperty(schema, changeMark, { value: change });
}

/** A setting that holds as soon as it is changed; all who read it ask for it each time. */
export const live = <Schema extends TSchema>(schema: Schema): Schema => marked(schema, "live");

/** A setting that a page may state for the next start. */
export const nextStart = <Schema extends TSchema>(schema: Schema): Schema =>
  marked(schema, "restart");

/** A list that is brought up to date when the file is read anew. */
export const reloaded = <Schema extends TSchema>(schema: Schema): Schema =>
  marked(schema, "reload");

/** Settings of one kind beside each other. */
export function each<Properties extends Record<string, TSchema>>(
  mark: (schema: TSchema) => TSchema,
  properties: Properties,
): Properties {
  for (const schema of Object.values(properties)) mark(schema);
  return properties;
}

/** Null where it is not said of the setting as a whole. */
export function changeOf(schema: TSchema & { [changeMark]?: Change }): Change | null {
  return schema[changeMark] ?? null;
}
