// Tools that a vendor runs, wherever a body brings them up: what their calls can come to.
import type { WireName } from "../generate/wire-places.ts";
import { isObject, toSnake, type Json, type JsonObject } from "./json.ts";
import { callsMaxDefault, toolMicros } from "./rates.ts";

export interface ToolBill {
  micros: number;
  /** Times the model reads all again with what they brought. */
  readings: number;
  /** One that has no price. */
  unpriced: string | null;
}

/** Tools that the client runs, and those that only lead to others. */
const ownTypes = new Set([
  "function",
  "custom",
  "namespace",
  "local_shell",
  "apply_patch",
  "computer",
  "computer_use",
  "computer_use_preview",
  "bash",
  "text_editor",
  "memory",
  "tool_search",
  "tool_search_tool_regex",
  "tool_search_tool_bm25",
  "tool_definition",
  "tool_reference",
  "tool_addition",
  "tool_removal",
]);
const ownFields = new Set(["function_declarations", "computer_use"]);

/** The tools that stand in an object which a path with `tool` in it leads to. */
export function toolBill(wire: WireName, tool: JsonObject, body: JsonObject): ToolBill {
  const names = /content/i.test(wire) ? fieldNames(tool) : typeNames(tool);
  let micros = 0;
  let readings = 0;
  let unpriced: string | null = null;
  for (const name of names) {
    const each = toolMicros.get(name);
    if (each === undefined) unpriced = name;
    const calls = callsOf(wire, tool, body);
    micros += (each ?? 0) * calls;
    readings += wire === "responses" ? calls : 1;
  }
  return { micros, readings, unpriced };
}

function typeNames({ type, environment }: JsonObject): string[] {
  if (typeof type !== "string") return [];
  const name = type.replace(/_\d{4}_?\d{2}_?\d{2}$/, "");
  // A shell is the client's unless it is told to run in a container.
  const isOwnShell = name === "shell" && !typeOf(environment).startsWith("container");
  return ownTypes.has(name) || isOwnShell ? [] : [name];
}

function typeOf(value: Json | undefined): string {
  return isObject(value) && typeof value["type"] === "string" ? value["type"] : "";
}

const googleNames: ReadonlyMap<string, string> = new Map([
  ["code_execution", "code_execution_google"],
  ["file_search", "file_search_google"],
]);

function fieldNames(tool: JsonObject): string[] {
  return Object.entries(tool)
    .filter(([name, value]) => value !== null && !ownFields.has(toSnake(name)))
    .map(([name]) => googleNames.get(toSnake(name)) ?? toSnake(name));
}

/** Those of Google are paid once for a reply at least; a bound that was sent holds. */
function callsOf(wire: WireName, tool: JsonObject, body: JsonObject): number {
  if (wire !== "responses" && wire !== "messages") return 1;
  const bound = wire === "responses" ? body["max_tool_calls"] : tool["max_uses"];
  return typeof bound === "number" ? Math.min(Math.max(bound, 0), callsMaxDefault) : 1;
}

interface ToolPlace {
  path: readonly string[];
  /** Type of the object that it stands in. */
  part: string;
  isListed: boolean;
}

/** Whether what stands there is a tool that is offered, and not one that is named or was listed. */
export function isOffered(wire: WireName, { path, part, isListed }: ToolPlace): boolean {
  // A vendor tells a definition by the type of what it stands in, and takes one and no list.
  const isDefinition = path.at(-1) === "definition";
  if (isDefinition && (part !== "tool_definition" || isListed)) return false;
  // Google takes one tool for a list of one.
  const mayBe = isListed || wire === "content" || isDefinition;
  return mayBe && (offers[wire]?.test(path.join(".")) ?? false);
}

/** The paths of the tools that a body offers, as the vendors' types have them. */
const offers: Readonly<Partial<Record<WireName, RegExp>>> = {
  chat: /^tools$/,
  responses: /^(?:input\.)?tools(?:\.tools)*$/,
  messages: /^tools$|^messages\.(?:(?:content|tool_changes)\.)*tool\.definition$/,
  content: /^tools$/,
};
