// Tools and the choice among them; also functions, the form of tools that chat had first: declared
// in `functions`, called one at a time in `function_call`, without ids. They become tools.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolChoice } from "../exchange.ts";
import { readFlag, readText } from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { readCacheMark } from "./extensions.ts";

interface ToolFields {
  tools: Tool[];
  toolChoice: ToolChoice | null;
  parallelCalls: boolean | null;
  /** Tools that only their vendor can run. */
  ignored: string[];
}

export function decodeToolFields(body: JsonObject): ToolFields {
  if (usesFunctions(body)) {
    const toolChoice = decodeFunctionChoice(body["function_call"]);
    const tools = decodeFunctions(body["functions"]);
    return { tools, toolChoice, parallelCalls: false, ignored: [] };
  }
  const tools: Tool[] = [];
  const ignored: string[] = [];
  const declared = Array.isArray(body["tools"]) ? body["tools"] : [];
  for (const [at, tool] of declared.entries()) {
    const decoded = isObject(tool) ? decodeTool(tool, `tools.${at}`) : null;
    if (decoded) tools.push(decoded);
    else ignored.push(`tools.${at}`);
  }
  const toolChoice = decodeChoice(body["tool_choice"]);
  if (toolChoice?.kind === "required" && tools.length === 0 && ignored.length > 0) {
    throw unsupported("tool_choice");
  }
  const parallelCalls = readFlag(body["parallel_tool_calls"]);
  return { tools, toolChoice, parallelCalls, ignored };
}

/** Null for a tool that the vendor runs itself. */
function decodeTool(tool: JsonObject, at: string): Tool | null {
  const cache = readCacheMark(tool);
  const mark = cache ? { cache } : {};
  const type = tool["type"] ?? "function";
  if (type === "function") {
    return { ...decodeFunction(tool["function"], `${at}.function`), ...mark };
  }
  if (type !== "custom") return null;
  const { custom } = tool;
  const name = isObject(custom) ? readText(custom["name"]) : null;
  if (!isObject(custom) || !name) throw invalid(`${at}.custom.name`, "must be a string");
  return {
    name,
    description: readText(custom["description"]),
    schema: null,
    isStrict: null,
    custom: { format: decodeFormat(custom["format"]) },
    ...mark,
  };
}

function decodeChoice(choice: Json | undefined): ToolChoice | null {
  if (choice === undefined || choice === null) return null;
  if (choice === "none" || choice === "auto" || choice === "required") return { kind: choice };
  if (!isObject(choice)) {
    throw invalid("tool_choice", 'must be "none", "auto", "required" or an object');
  }
  if (choice["type"] === "allowed_tools") return decodeAllowed(choice["allowed_tools"]);
  const named = namedTool(choice);
  if (named === null) throw unsupported("tool_choice");
  return { kind: "tool", name: named, isCustom: choice["type"] === "custom" };
}

function decodeAllowed(allowed: Json | undefined): ToolChoice {
  const tools = isObject(allowed) ? allowed["tools"] : null;
  if (!isObject(allowed) || !Array.isArray(tools)) {
    throw invalid("tool_choice.allowed_tools.tools", "must be an array");
  }
  const isRequired = allowed["mode"] === "required";
  const names = tools.flatMap((tool) => (isObject(tool) ? (namedTool(tool) ?? []) : []));
  if (names.length > 0) return { kind: "some", names, isRequired };
  if (isRequired) throw unsupported("tool_choice");
  return { kind: "none" };
}

/** The name in `{type, function: {name}}` or its like; null when it names no tool of the client. */
function namedTool(choice: JsonObject): string | null {
  const { type } = choice;
  if (type !== "function" && type !== "custom") return null;
  const holder = choice[type];
  const name = readText(isObject(holder) ? holder["name"] : choice["name"]);
  if (!name) throw invalid(`tool_choice.${type}.name`, "must be a string");
  return name;
}

/** The neutral form of a grammar has its fields side by side, chat nests them. */
function decodeFormat(format: Json | undefined): JsonObject | null {
  if (!isObject(format)) return null;
  const { grammar, ...rest } = format;
  return isObject(grammar) ? { ...rest, ...grammar } : format;
}

/** Clients that declare functions read the answer's calls in the same form. */
export function usesFunctions(body: JsonObject): boolean {
  return Array.isArray(body["functions"]) && !Array.isArray(body["tools"]);
}

function decodeFunctions(functions: Json | undefined): Tool[] {
  if (!Array.isArray(functions)) return [];
  return functions.map((declared, at) => decodeFunction(declared, `functions.${at}`));
}

function decodeFunction(declared: Json | undefined, at: string): Tool {
  if (!isObject(declared)) throw invalid(at, "must be an object");
  const { name, description, parameters, strict } = declared;
  if (typeof name !== "string" || name === "") throw invalid(`${at}.name`, "must be a string");
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) {
    throw invalid(`${at}.parameters`, "must be an object");
  }
  return {
    name,
    description: readText(description),
    schema: parameters ?? null,
    isStrict: readFlag(strict),
    custom: null,
  };
}

function decodeFunctionChoice(choice: Json | undefined): ToolChoice | null {
  if (choice === undefined || choice === null) return null;
  if (choice === "none" || choice === "auto") return { kind: choice };
  if (isObject(choice) && typeof choice["name"] === "string") {
    return { kind: "tool", name: choice["name"], isCustom: false };
  }
  throw invalid("function_call", 'must be "none", "auto" or name a function');
}

/** Pairs calls without ids with their results: each answers the latest call of its name. */
export class FunctionCalls {
  readonly #open = new Map<string, string[]>();

  call(name: string, message: number): string {
    const id = `function_call_${message}`;
    const open = this.#open.get(name);
    if (open) open.push(id);
    else this.#open.set(name, [id]);
    return id;
  }

  answer(name: string, message: number): string {
    return this.#open.get(name)?.pop() ?? `function_result_${message}`;
  }
}
