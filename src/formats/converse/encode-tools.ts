// Tools and the choice among them, for Converse.
import type { ConverseRules } from "../../catalogue/rules/bedrock.ts";
import type { JsonObject } from "../../core/json.ts";
import type { CacheMark, Exchange, Tool, ToolChoice } from "../exchange.ts";
import { answerTool } from "../kit/claude/structured-output.ts";
import { toSchemaSubset } from "../kit/claude/schema-subset.ts";
import { customSchema, describeCustom, toInputSchema } from "../kit/claude/tools.ts";

interface ToolRules {
  /** A schema may be made binding. */
  isStrictKnown: boolean;
  canBeForced: ConverseRules["canBeForced"];
  marked(block: JsonObject, part: { cache?: CacheMark }): JsonObject[];
}

interface EncodedTools {
  config: JsonObject | null;
  /** The model must make a call. */
  isForced: boolean;
  /** It should, but this one cannot be made to. */
  isFree: boolean;
}

const noTools: EncodedTools = { config: null, isForced: false, isFree: false };

/** `answer` is the tool that models answer through which take no schema. */
export function encodeTools(
  exchange: Exchange,
  rules: ToolRules,
  answer: JsonObject | null,
): EncodedTools {
  const { toolChoice, turns } = exchange;
  const hasCalls = turns.some(({ parts }) => parts.some(({ kind }) => kind === "call"));
  // There is no word for a choice of none, and calls of the history want their tools.
  const isOffered = toolChoice?.kind !== "none" || hasCalls;
  const offered = isOffered ? offeredTools(exchange) : [];
  const tools = offered.flatMap((tool) => rules.marked(encodeTool(tool, rules), tool));
  if (answer) return withAnswer(tools, answer, toolChoice);
  if (tools.length === 0) return noTools;
  const wanted = toolChoice ? encodeChoice(toolChoice) : null;
  const isWanted = wanted !== null && !("auto" in wanted);
  const isForced = isWanted && rules.canBeForced;
  const choice = isWanted && !isForced ? { auto: {} } : wanted;
  const config = choice ? { tools, toolChoice: choice } : { tools };
  return { config, isForced, isFree: isWanted && !isForced };
}

function offeredTools({ tools, toolChoice }: Exchange): Tool[] {
  if (toolChoice?.kind !== "some") return tools;
  const names = new Set(toolChoice.names);
  return tools.filter(({ name }) => names.has(name));
}

/** The model answers by the one tool, or calls one of the client's where it may. */
function withAnswer(
  tools: readonly JsonObject[],
  answer: JsonObject,
  choice: ToolChoice | null,
): EncodedTools {
  const mayCall = tools.length > 0 && choice?.kind !== "none";
  const { name, description = "", input_schema: schema = {} } = answer;
  const spec = { name: name ?? answerTool, description, inputSchema: { json: schema } };
  const toolChoice: JsonObject = mayCall ? { any: {} } : { tool: { name: answerTool } };
  const config = { tools: [...tools, { toolSpec: spec }], toolChoice };
  return { config, isForced: true, isFree: false };
}

/** Null where nothing is to be said. */
function encodeChoice(choice: ToolChoice): JsonObject | null {
  switch (choice.kind) {
    case "none":
      return null;
    case "auto":
      return { auto: {} };
    case "required":
      return { any: {} };
    case "tool":
      return { tool: { name: choice.name } };
    case "some":
      return choice.isRequired ? { any: {} } : { auto: {} };
  }
}

function encodeTool(tool: Tool, { isStrictKnown }: ToolRules): JsonObject {
  const { name, description, schema, isStrict, custom } = tool;
  const spec: JsonObject = { name };
  if (custom) {
    spec["description"] = describeCustom(description, custom.format);
    spec["inputSchema"] = { json: customSchema };
    return { toolSpec: spec };
  }
  // An empty description is refused.
  if (description) spec["description"] = description;
  const whole = toInputSchema(schema ?? { properties: {} });
  const isBound = isStrict === true && isStrictKnown;
  spec["inputSchema"] = { json: isBound ? toSchemaSubset(whole) : whole };
  if (isBound) spec["strict"] = true;
  return { toolSpec: spec };
}
