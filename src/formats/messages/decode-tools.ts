// Tools and the choice among them, as a messages client writes them. Of the vendor's own tools,
// whose type has a version, a search of the web is carried and the others are left out: a model may
// do without them unless it must call one.
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Exchange, Tool, ToolChoice, WebSearch } from "../exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { readToolChanges } from "./tool-changes.ts";
import { readCache } from "./wire/cache.ts";
import { isSet, readObject, readObjects, readText } from "../kit/fields.ts";
import { decodeSearch, isWebSearch } from "./wire/web-search.ts";

type DecodedTools = Pick<Exchange, "tools" | "toolChoice" | "search" | "parallelCalls">;

const hints = ["input_examples", "defer_loading", "eager_input_streaming", "allowed_callers"];

export function decodeTools(body: JsonObject, ignored: string[]): DecodedTools {
  const offered = new Map<string, Tool>();
  let search: WebSearch | null = null;
  const ownNames = new Set<string | null>();
  const { added, removed } = readToolChanges(body["messages"]);
  const listed = readObjects(body["tools"]).map((tool, index) => ({ tool, at: `tools.${index}` }));
  for (const { tool, at } of [...listed, ...added]) {
    const type = readText(tool["type"]) ?? "custom";
    if (type === "custom") {
      const decoded = decodeTool(tool, at);
      if (!removed.has(decoded.name)) offered.set(decoded.name, decoded);
      ignored.push(...hintsIn(tool, at));
      continue;
    }
    ownNames.add(readText(tool["name"]));
    if (search || !isWebSearch(tool)) ignored.push(at);
    else {
      search = decodeSearch(tool, at);
      ignored.push(...hintsIn(tool, at));
    }
  }
  const tools = [...offered.values()];
  const choice = readObject(body["tool_choice"]);
  const toolChoice = decodeChoice(choice);
  const mustCallOwn = toolChoice?.kind === "tool" && ownNames.has(toolChoice.name);
  const hasOnlyOwn = toolChoice?.kind === "required" && tools.length === 0 && ownNames.size > 0;
  if (mustCallOwn || hasOnlyOwn) throw unsupported("tool_choice");
  const isSingle = choice["disable_parallel_tool_use"];
  const parallelCalls = typeof isSingle === "boolean" ? !isSingle : null;
  return { tools, toolChoice, search, parallelCalls };
}

function hintsIn(tool: JsonObject, at: string): string[] {
  return hints.filter((name) => isSet(tool[name])).map((name) => `${at}.${name}`);
}

function decodeTool(tool: JsonObject, at: string): Tool {
  const name = readText(tool["name"]);
  if (name === null) throw invalid(`${at}.name`, "is required");
  const { input_schema: schema, strict } = tool;
  return {
    name,
    description: readText(tool["description"]),
    schema: schema ? readObject(schema) : null,
    isStrict: typeof strict === "boolean" ? strict : null,
    custom: null,
    ...readCache(tool),
  };
}

function decodeChoice(choice: JsonObject): ToolChoice | null {
  const { type, name } = choice;
  switch (type) {
    case undefined:
    case null:
      return null;
    case "auto":
    case "none":
      return { kind: type };
    case "any":
      return { kind: "required" };
    case "tool":
      if (typeof name !== "string") throw invalid("tool_choice.name", "is required");
      return { kind: "tool", name, isCustom: false };
    default:
      throw invalid("tool_choice.type", "is not known");
  }
}
