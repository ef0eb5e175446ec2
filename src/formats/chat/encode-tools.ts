// Tools and the choice among them, as a chat upstream takes them.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Exchange, Tool, ToolChoice } from "../exchange.ts";
import { toObjectSchema } from "../kit/object-schema.ts";

export function encodeToolFields({ tools, toolChoice, parallelCalls }: Exchange): JsonObject {
  // Without tools, vendors refuse the fields that speak of them.
  if (tools.length === 0) return {};
  return {
    tools: tools.map(encodeTool),
    ...(toolChoice ? { tool_choice: encodeChoice(toolChoice, tools) } : {}),
    ...(parallelCalls === null ? {} : { parallel_tool_calls: parallelCalls }),
  };
}

function encodeTool({ name, description, schema, isStrict, custom }: Tool): JsonObject {
  const described = description === null ? { name } : { name, description };
  if (custom) {
    const format = custom.format ? { format: encodeFormat(custom.format) } : {};
    return { type: "custom", custom: { ...described, ...format } };
  }
  return {
    type: "function",
    function: {
      ...described,
      ...(schema ? { parameters: toObjectSchema(schema) } : {}),
      ...(isStrict === null ? {} : { strict: isStrict }),
    },
  };
}

function encodeChoice(choice: ToolChoice, tools: readonly Tool[]): string | JsonObject {
  if (choice.kind === "tool") return encodeNamed(choice.name, choice.isCustom);
  if (choice.kind !== "some") return choice.kind;
  const named = choice.names.map((name) => {
    const isCustom = tools.some((tool) => tool.name === name && tool.custom !== null);
    return encodeNamed(name, isCustom);
  });
  const [only] = named;
  if (choice.isRequired && only && named.length === 1) return only;
  const mode = choice.isRequired ? "required" : "auto";
  return { type: "allowed_tools", allowed_tools: { mode, tools: named } };
}

function encodeNamed(name: string, isCustom: boolean): JsonObject {
  return isCustom ? { type: "custom", custom: { name } } : { type: "function", function: { name } };
}

/** The neutral form of a grammar has its fields side by side, chat nests them. */
function encodeFormat(format: JsonObject): JsonObject {
  const { type, syntax, definition } = format;
  if (type !== "grammar" || isObject(format["grammar"])) return format;
  return { type, grammar: { syntax, definition } };
}
