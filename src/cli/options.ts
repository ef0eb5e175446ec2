// Options of a command by the schemas of its call: the field's name is the flag, its schema says
// how the text is read and which words there are, and its description is the help.
import { Option, type Command } from "commander";
import type { Json, JsonObject } from "../core/json.ts";
import type { BodyEntry, QueryEntry } from "../core/reference-entry.ts";
import type { CommandOptions } from "./command.ts";
import { flagOf } from "./flag-words.ts";
import {
  countPair,
  decimalOption,
  isMoneyName,
  jsonOption,
  list,
  momentOption,
  moneyOption,
  moneyPair,
  pair,
  wholeOption,
} from "./readers.ts";

/** Keywords of JSON Schema that fields use. */
interface Plain {
  type?: string | readonly string[];
  enum?: readonly string[];
  anyOf?: readonly Plain[];
  items?: Plain;
  properties?: Readonly<Record<string, Plain>>;
  patternProperties?: Readonly<Record<string, Plain>>;
  description?: string;
}

/** Reader of a text, after those before it where it may be repeated. */
type Read = (text: string, before: never) => Json;

/** Differences between an option and its field. */
interface OptionRow {
  /** Name of the value in the help. */
  value?: string;
  text?: string;
  /** Added to the field's own words. */
  note?: string;
  read?: Read;
  isRequired?: true;
}

/** Options by field. Null: none, since an argument or another command says it. */
export type OptionTable = Readonly<Record<string, OptionRow | null>>;

interface Reader {
  /** Name of the value in the help; none where the flag says all. */
  value?: string;
  read?: Read;
  /** Added to the help. */
  note?: string;
}

interface Field {
  name: string;
  schema: Plain;
  row: OptionRow;
  /** Leaving it out is not the same as false. */
  canBeOff: boolean;
}

interface FieldOptions {
  addTo(command: Command): Command;
  /** Values that were given, by field; null for those of `--clear`. */
  read(options: CommandOptions): JsonObject;
}

/** Options for the fields of a body. */
export function bodyOptions({ schema }: Pick<BodyEntry, "schema">, table: OptionTable = {}) {
  const { properties = {} }: Plain = schema;
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    canBeOff: mayBeNull(field),
  }));
  return optionsFor(fields, table);
}

/** A page is no matter of who asks. */
const unasked: OptionTable = { p: null, page_size: null, cursor: null };

/** Options for the parameters of a query. */
export function queryOptions(query: QueryEntry, table: OptionTable = {}): FieldOptions {
  const fields = Object.entries(query).map(([name, { schema, description, isFlag }]) => {
    const usual = `only those of this ${name.replaceAll("_", " ")}`;
    const plain: Plain = { description: description ?? usual, ...schema };
    return { name, schema: isFlag ? { ...plain, type: "boolean" } : plain, canBeOff: !isFlag };
  });
  return optionsFor(fields, { ...unasked, ...table });
}

function optionsFor(all: readonly Omit<Field, "row">[], table: OptionTable): FieldOptions {
  const fields = all.flatMap((field): Field[] => {
    const row = table[field.name] === undefined ? {} : table[field.name];
    return row ? [{ ...field, row }] : [];
  });
  const clearable = fields.filter(({ schema }) => mayBeNull(schema));
  const byOption = new Map(fields.map(({ name }) => [attributeOf(name), name]));
  return {
    addTo(command) {
      for (const field of fields) addOption(command, field);
      const hint = "fields that are to be as if they had never been set (comma-separated)";
      return clearable.length > 0 ? command.option("--clear <fields>", hint, list) : command;
    },
    read({ clear, ...options }) {
      const values = Object.entries(options).flatMap(([option, value]) => {
        const name = byOption.get(option);
        return name === undefined || value === undefined ? [] : [[name, value] as const];
      });
      const cleared = clearable.length > 0 && Array.isArray(clear) ? clear.map(String) : [];
      return {
        ...Object.fromEntries(values),
        ...Object.fromEntries(cleared.map((word) => [fieldOf(word, byOption), null])),
      };
    },
  };
}

/** Field by its flag or by its own name. */
function fieldOf(word: string, byOption: ReadonlyMap<string, string>): string {
  return byOption.get(attributeOf(word)) ?? word.replaceAll("-", "_");
}

function attributeOf(field: string): string {
  return new Option(`--${flagOf(field)}`).attributeName();
}

function addOption(command: Command, { name, schema, row, canBeOff }: Field): void {
  const flag = `--${flagOf(name)}`;
  const plain = withoutNull(schema);
  const { value = "text", read, note } = row.read ? row : { ...readerOf(name, plain), ...row };
  const help = row.text ?? sentence(plain.description ?? schema.description ?? "", note);
  if (plain.type === "boolean" && !row.read) {
    command.option(flag, help);
    if (canBeOff) command.option(`--no-${flagOf(name)}`, `the opposite of ${flag}`);
    return;
  }
  const option = new Option(`${flag} <${value}>`, help).makeOptionMandatory(
    row.isRequired ?? false,
  );
  if (plain.enum) option.choices(plain.enum);
  else if (read) option.argParser<Json>(read as (text: string) => Json);
  command.addOption(option);
}

function readerOf(name: string, { type, enum: words, ...schema }: Plain): Reader {
  if (words) return { value: "word" };
  if (Array.isArray(type)) return { value: "time", read: momentOption };
  const isMoney = isMoneyName(name);
  if (type === "object") {
    const [one] = Object.values(schema.patternProperties ?? schema.properties ?? {});
    if (one?.type === "integer" && isMoney) {
      return { value: "name=money", read: moneyPair, note: "repeatable" };
    }
    if (one?.type === "integer") {
      return { value: "name=count", read: countPair, note: "repeatable" };
    }
    const isPlain = one?.type === "string" || one?.enum !== undefined;
    if (isPlain) return { value: "name=text", read: pair, note: "repeatable" };
    return { value: "json", read: jsonOption, note: "as JSON" };
  }
  if (type === "array") {
    if (schema.items?.type === "object")
      return { value: "json", read: jsonOption, note: "as JSON" };
    return { value: "names", read: list, note: "comma-separated" };
  }
  if (isMoney) return { value: "money", read: moneyOption, note: "or dollars: '$2.50'" };
  if (type === "integer") return { value: "count", read: wholeOption };
  return type === "number" ? { value: "number", read: decimalOption } : {};
}

function mayBeNull({ type, anyOf }: Plain): boolean {
  return (
    anyOf?.some((one) => one.type === "null") ?? (Array.isArray(type) && type.includes("null"))
  );
}

function withoutNull(schema: Plain): Plain {
  const { type, anyOf } = schema;
  if (anyOf) return anyOf.find((one) => one.type !== "null") ?? schema;
  const [one] = Array.isArray(type) && type.includes("null") ? type : [];
  return one === undefined ? schema : { ...schema, type: one };
}

/** Sentences of the reference as a line of help. */
function sentence(description: string, note: string | undefined): string {
  const plain = description.replace(/\.$/, "").replaceAll("`", "");
  const isName = /^\S*[A-Z_]\S*[A-Z_]/.test(plain);
  const line = isName ? plain : plain.charAt(0).toLowerCase() + plain.slice(1);
  return note === undefined ? line : `${line} (${note})`;
}
