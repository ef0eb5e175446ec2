// The tools of a generateContent request and which of them may or must be called.
import { invalid } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolChoice, WebSearch } from "../exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { toJsonSchema } from "./json-schema.ts";
import { field, listField, objectField, textField } from "./schema.ts";
import { decodeSearch, isWebSearch } from "./web-search.ts";

interface DecodedTools {
  tools: Tool[];
  toolChoice: ToolChoice | null;
  search: WebSearch | null;
  /** Other tools that Google itself runs: nobody else has them, and the model may do without. */
  ignored: string[];
}

export function decodeTools(body: JsonObject): DecodedTools {
  const tools: Tool[] = [];
  const ignored: string[] = [];
  let search: WebSearch | null = null;
  let hasOwn = false;
  for (const [at, tool] of listField(body, "tools").entries()) {
    tools.push(...listField(tool, "functionDeclarations").map(decodeTool));
    for (const name of Object.keys(tool)) {
      if (name === "functionDeclarations" || name === "function_declarations") continue;
      const declared = tool[name];
      if (!isObject(declared)) continue;
      hasOwn = true;
      const place = `tools.${at}.${name}`;
      if (search || !isWebSearch(name)) ignored.push(place);
      else search = decodeSearch(declared, place, ignored);
    }
  }
  const toolConfig = objectField(body, "toolConfig") ?? {};
  const toolChoice = decodeChoice(objectField(toolConfig, "functionCallingConfig"));
  const isForced = toolChoice !== null && toolChoice.kind !== "auto" && toolChoice.kind !== "none";
  if (isForced && tools.length === 0 && hasOwn) throw unsupported(modeName);
  if (field(toolConfig, "retrievalConfig")) ignored.push("toolConfig.retrievalConfig");
  return { tools, toolChoice, search, ignored };
}

const modeName = "toolConfig.functionCallingConfig.mode";

function decodeTool(declaration: JsonObject): Tool {
  const schema =
    objectField(declaration, "parametersJsonSchema") ?? objectField(declaration, "parameters");
  return {
    name: textField(declaration, "name") ?? "",
    description: textField(declaration, "description"),
    schema: schema && toJsonSchema(schema),
    isStrict: null,
    custom: null,
  };
}

function decodeChoice(config: JsonObject | null): ToolChoice | null {
  const mode = config ? textField(config, "mode")?.toUpperCase() : undefined;
  const allowed = config ? field(config, "allowedFunctionNames") : null;
  const names = Array.isArray(allowed) ? allowed.filter((name) => typeof name === "string") : [];
  switch (mode) {
    case undefined:
    case "MODE_UNSPECIFIED":
      return null;
    case "NONE":
      return { kind: "none" };
    case "AUTO":
    case "VALIDATED":
      return names.length === 0 ? { kind: "auto" } : { kind: "some", names, isRequired: false };
    case "ANY": {
      const [name] = names;
      if (name === undefined) return { kind: "required" };
      if (names.length === 1) return { kind: "tool", name, isCustom: false };
      return { kind: "some", names, isRequired: true };
    }
    default:
      throw invalid(modeName, "must be AUTO, ANY, NONE or VALIDATED");
  }
}
