// Tools and the choice among them, for a messages upstream.
import type { JsonObject } from "../../core/json.ts";
import type { ClaudeRules } from "../../catalogue/rules/claude.ts";
import type { Exchange, Tool, ToolChoice, WebSearch } from "../exchange.ts";
import { unsaidWishes } from "../kit/web-search.ts";
import { toSchemaSubset } from "../kit/claude/schema-subset.ts";
import { answerTool } from "../kit/claude/structured-output.ts";
import { customSchema, describeCustom, toInputSchema } from "../kit/claude/tools.ts";
import { writeCache } from "./wire/cache.ts";
import { encodeSearch, searchName } from "./wire/web-search.ts";

interface EncodedTools {
  tools: JsonObject[];
  choice: JsonObject | null;
  /** The model must make a call. */
  isForced: boolean;
  /** It should, but this one cannot be made to. */
  isFree: boolean;
  /** Wishes of a search that cannot be said. */
  ignored: string[];
}

/** `answer` is the tool that older models answer through. */
export function encodeTools(
  exchange: Exchange,
  capabilities: ClaudeRules,
  answer: JsonObject | null,
): EncodedTools {
  const { toolChoice, parallelCalls, search } = exchange;
  const offered =
    toolChoice?.kind === "some" ? named(exchange.tools, toolChoice.names) : exchange.tools;
  const tools = offered.map((tool) => encodeTool(tool, capabilities));
  const ignored = search ? offerSearch(search, tools) : [];
  if (answer) return { ...withAnswer(tools, answer, exchange), ignored };
  if (exchange.tools.length === 0) {
    return { tools, choice: null, isForced: false, isFree: false, ignored };
  }
  const wanted = encodeChoice(toolChoice ?? { kind: "auto" });
  const isWanted = wanted["type"] === "any" || wanted["type"] === "tool";
  const isForced = isWanted && capabilities.canBeForced;
  const isFree = isWanted && !isForced;
  const choice: JsonObject = isFree ? { type: "auto" } : wanted;
  const chosen = { tools, isForced, isFree, ignored };
  if (parallelCalls === false && choice["type"] !== "none") {
    return { ...chosen, choice: { ...choice, disable_parallel_tool_use: true } };
  }
  return { ...chosen, choice: toolChoice ? choice : null };
}

/** Two tools of one name are refused, so a search gives way to the client's own. */
function offerSearch(search: WebSearch, tools: JsonObject[]): string[] {
  if (tools.some(({ name }) => name === searchName)) return [search.at];
  tools.push(encodeSearch(search));
  const isBoth = search.allowedDomains.length > 0;
  return unsaidWishes(search, isBoth ? ["contextSize", "blockedDomains"] : ["contextSize"]);
}

/** The model answers by the one tool, or calls one of the client's where it may. */
function withAnswer(
  tools: readonly JsonObject[],
  answer: JsonObject,
  { toolChoice, parallelCalls }: Exchange,
): Omit<EncodedTools, "ignored"> {
  const mayCall = tools.length > 0 && toolChoice?.kind !== "none";
  const choice: JsonObject = mayCall ? { type: "any" } : { type: "tool", name: answerTool };
  if (!mayCall || parallelCalls === false) choice["disable_parallel_tool_use"] = true;
  return { tools: [...tools, answer], choice, isForced: true, isFree: false };
}

function named(tools: readonly Tool[], wanted: readonly string[]): Tool[] {
  const names = new Set(wanted);
  return tools.filter(({ name }) => names.has(name));
}

function encodeChoice(choice: ToolChoice): JsonObject {
  switch (choice.kind) {
    case "none":
    case "auto":
      return { type: choice.kind };
    case "required":
      return { type: "any" };
    case "tool":
      return { type: "tool", name: choice.name };
    case "some":
      return { type: choice.isRequired ? "any" : "auto" };
  }
}

function encodeTool(tool: Tool, { hasStructuredOutput }: ClaudeRules): JsonObject {
  const { name, description, schema, isStrict, custom } = tool;
  const encoded: JsonObject = { name };
  if (custom) {
    encoded["description"] = describeCustom(description, custom.format);
    encoded["input_schema"] = customSchema;
  } else {
    if (description !== null) encoded["description"] = description;
    const whole = toInputSchema(schema ?? { properties: {} });
    const isBound = isStrict === true && hasStructuredOutput;
    encoded["input_schema"] = isBound ? toSchemaSubset(whole) : whole;
    if (isBound) encoded["strict"] = true;
  }
  return { ...encoded, ...writeCache(tool) };
}
