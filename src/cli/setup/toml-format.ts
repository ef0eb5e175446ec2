// Lines of a TOML text put in and taken out: keys of the root, and keys of tables with a header of
// their own. Other ways of writing the same are keyIndex by reading the result (parts.ts).
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { PartError, type SettingPath, type TextFormat } from "./parts.ts";

export const tomlFormat: TextFormat = {
  empty: "",
  read(text) {
    const value = parse(text);
    if (!isObject(value)) throw new PartError("it is not TOML");
    return value;
  },
  set(text, at, value) {
    const lines = text.split("\n");
    const table = at.slice(0, -1);
    const line = `${keyOf(at.at(-1) ?? "")} = ${valueOf(value)}`;
    const section = sectionOf(lines, table);
    if (!section) return append(text, `[${table.map(keyOf).join(".")}]\n${line}\n`);
    const keyIndex = findKey(lines, section, at);
    if (keyIndex === -1) lines.splice(endOfKeys(lines, section), 0, line);
    else lines[keyIndex] = line;
    return lines.join("\n");
  },
  remove(text, at) {
    const lines = text.split("\n");
    const section = sectionOf(lines, at.slice(0, -1));
    const keyIndex = section ? findKey(lines, section, at) : -1;
    if (keyIndex !== -1) return lines.toSpliced(keyIndex, 1).join("\n");
    const start = lines.findIndex((line) => `${nameOf(line)}.`.startsWith(`${at.join(".")}.`));
    if (start === -1) return text;
    // A blank line was put before the header.
    const blank = lines[start - 1] === "" ? 1 : 0;
    return lines.toSpliced(start - blank, 1 + blank).join("\n");
  },
};

/** Lines behind a header, up to the next one. */
interface Section {
  start: number;
  end: number;
}

const header = /^\s*\[+\s*([^[\]]+?)\s*\]+\s*(?:#.*)?$/;

function parse(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch {
    throw new PartError("it is not TOML");
  }
}

/** Name in a table's header; null for any other line. */
function nameOf(line: string): string | null {
  return header.exec(line)?.[1]?.replaceAll(/["'\s]/g, "") ?? null;
}

function sectionOf(lines: readonly string[], table: SettingPath): Section | null {
  const headerIndex = lines.findIndex((line) => nameOf(line) === table.join("."));
  if (table.length > 0 && headerIndex === -1) return null;
  const next = lines.findIndex((line, index) => index > headerIndex && header.test(line));
  return { start: headerIndex + 1, end: next === -1 ? lines.length : next };
}

function findKey(lines: readonly string[], { start, end }: Section, at: SettingPath): number {
  const pattern = new RegExp(`^\\s*["']?${RegExp.escape(at.at(-1) ?? "")}["']?\\s*=`);
  return lines.findIndex((line, index) => index >= start && index < end && pattern.test(line));
}

/** Behind the last line with something on it; comments before the next header are that table's. */
function endOfKeys(lines: readonly string[], { start, end }: Section): number {
  const last = lines.slice(start, end).findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  return start + last + 1;
}

function append(text: string, block: string): string {
  if (text.trim() === "") return text + block;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${block}`;
}

function keyOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Strings of JSON are strings of TOML. */
function valueOf(value: Json): string {
  if (isObject(value)) return tableOf(value);
  if (Array.isArray(value)) return `[${value.map(valueOf).join(", ")}]`;
  return JSON.stringify(value);
}

function tableOf(table: JsonObject): string {
  const pairs = Object.entries(table).map(
    ([name, value]) => `${keyOf(name)} = ${valueOf(value ?? null)}`,
  );
  return `{ ${pairs.join(", ")} }`;
}
