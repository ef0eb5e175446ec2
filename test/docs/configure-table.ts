// The tables of docs/configure.md: keys, defaults and meanings are those of the schemas. The last
// column is written by hand and kept, so that a row can lead to the page that has more.
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { leaves } from "../../src/config/page/leaves.ts";
import { variables } from "../../src/config/variables.ts";
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { layOut } from "./conversion-table.ts";

interface Setting {
  name: string;
  schema: JsonObject;
  isRequired: boolean;
}

/** Lists of the file that have a table of their own. */
const lists = ["oauth.providers", "groups", "channels", "prices", "keys"];
const tableMarks = /(<!-- table: ([\w.]+) -->\n\n)[^]*?(\n\n<!-- end of table -->)/g;

/** The page with every table between its marks made anew. */
export function configurePage(page: string): string {
  const notes = notesOf(page);
  return page.replace(
    tableMarks,
    (_, open: string, name: string, close: string) => open + tableOf(name, notes) + close,
  );
}

function notesOf(page: string): Map<string, string> {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    rows.map((row) => {
      const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return [(cells[1] ?? "").replaceAll("`", ""), cells[4] ?? ""];
    }),
  );
}

function tableOf(name: string, notes: ReadonlyMap<string, string>): string {
  const isOfEnvironment = name === "environment";
  const head = [isOfEnvironment ? "Variable" : "Key", "Default", "Meaning", "Notes"];
  const settings = isOfEnvironment ? variableSettings() : fileSettings().filter(belongsTo(name));
  if (settings.length === 0) throw new Error(`the table ${name} of configure.md has no rows`);
  const rows = settings.map((setting) => rowOf(setting, notes));
  if (name !== "settings") return layOut([head, ...rows]);
  const changes = settings.map((setting) => changesOf(setting.name));
  return layOut([[...head, "Changes"], ...rows.map((row, at) => [...row, changes[at] ?? ""])]);
}

/** Ways to change a setting while the gateway runs. */
function changesOf(name: string): string {
  const leaf = leaves.find((one) => name === one.name || name.startsWith(`${one.name}.`));
  return { live: "page, at once", restart: "page, restart", reload: "reload", file: "restart" }[
    leaf?.change ?? "file"
  ];
}

function belongsTo(table: string): (setting: Setting) => boolean {
  const listOf = (key: string) => lists.find((list) => key.startsWith(`${list}[].`)) ?? "settings";
  return ({ name }) => listOf(name) === table;
}

function variableSettings(): Setting[] {
  return variables.map(({ name, schema }) => ({
    name,
    schema: JSON.parse(JSON.stringify(schema)),
    isRequired: false,
  }));
}

function fileSettings(): Setting[] {
  return settingsIn(configJsonSchema()).filter(({ schema }) => !isObject(schema["properties"]));
}

/** Every key of the file, sections and lists before what is in them. */
function settingsIn(map: JsonObject, prefix = ""): Setting[] {
  const properties = isObject(map["properties"]) ? map["properties"] : {};
  const required = Array.isArray(map["required"]) ? map["required"] : [];
  return Object.entries(properties).flatMap(([word, schema]): Setting[] => {
    if (!isObject(schema)) return [];
    const name = `${prefix}${word}`;
    const { items } = schema;
    const inList = isObject(items) ? settingsIn(items, `${name}[].`) : [];
    const own = { name, schema, isRequired: required.includes(word) };
    return [own, ...settingsIn(schema, `${name}.`), ...inList];
  });
}

function rowOf({ name, schema, isRequired }: Setting, notes: ReadonlyMap<string, string>) {
  const description = String(schema["description"]);
  const [, text = description, inWords] = /^(.*?) Default: (.*)\.$/.exec(description) ?? [];
  const fallback = inWords ?? (isRequired ? "required" : "none");
  const value = schema["default"];
  const shown = value === undefined ? coded(fallback) : `\`${textOf(value)}\``;
  const meaning = [coded(text), choicesOf(schema)].filter(Boolean).join(" ");
  return [`\`${name}\``, shown, meaning, notes.get(name) ?? ""];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function choicesOf(schema: JsonObject): string {
  const { items } = schema;
  const inItems = isObject(items) ? items["enum"] : undefined;
  const choices = schema["enum"] ?? inItems;
  if (!Array.isArray(choices)) return "";
  const listed = choices.map((choice) => `\`${textOf(choice)}\``).join(", ");
  return `${inItems === undefined ? "One" : "Some"} of ${listed}.`;
}

/** Names of keys, variables and paths in the type of code, which schemas have no way to say. */
function coded(text: string): string {
  const names =
    /(?<![`\w/.:])(?:SLUICE_[\w<>]+|\/[a-z][\w/]*|(?:[a-z]+\.)?[a-z]+(?:_[a-z]+)+)(?!`)/g;
  return text.replaceAll("|", "\\|").replace(names, "`$&`");
}
