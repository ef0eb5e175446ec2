// Tools, the choice among them, and the form of the answer, in both directions.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Exchange, OutputShape, Tool, ToolChoice } from "../exchange.ts";
import { toObjectSchema } from "../kit/object-schema.ts";
import { readFlag, readText } from "../kit/openai-exchange.ts";
import { unsupported } from "../kit/refuse.ts";
import { flatName, type Offer } from "./offers/offer.ts";

/** The later of two with one name is meant. */
export function decodeTools(offers: readonly Offer[]): Tool[] {
  return [...new Map(offers.map((offer) => [offer.name, decodeTool(offer)])).values()];
}

function decodeTool({ kind, name, ownName, namespace, description, declared }: Offer): Tool {
  const { parameters, format } = declared;
  const isCustom = kind === "custom";
  return {
    name,
    ...(namespace === null ? {} : { group: name.slice(0, name.length - ownName.length) }),
    description,
    schema: !isCustom && isObject(parameters) ? parameters : null,
    isStrict: readFlag(declared["strict"]),
    custom: isCustom ? { format: isObject(format) ? format : null } : null,
  };
}

export function decodeToolChoice(choice: Json | undefined): ToolChoice | null {
  if (typeof choice === "string") {
    if (choice === "none" || choice === "auto" || choice === "required") return { kind: choice };
    throw invalid("tool_choice", "is not known");
  }
  if (!isObject(choice)) return null;
  const { type, mode, tools } = choice;
  const name = chosenName(choice);
  if ((type === "function" || type === "custom") && name !== null) {
    return { kind: "tool", name, isCustom: type === "custom" };
  }
  if (type !== "allowed_tools") throw unsupported("tool_choice");
  const names = (Array.isArray(tools) ? tools : [])
    .map((tool) => (isObject(tool) ? chosenName(tool) : null))
    .filter((chosen) => chosen !== null);
  if (names.length === 0) throw unsupported("tool_choice");
  return { kind: "some", names, isRequired: mode === "required" };
}

function chosenName({ name, namespace }: JsonObject): string | null {
  return typeof name === "string" ? flatName(readText(namespace), name) : null;
}

export function decodeShape(format: Json | undefined): OutputShape | null {
  if (!isObject(format)) return null;
  const { type, name, schema } = format;
  if (type === "text") return { kind: "text" };
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema") throw unsupported("text.format");
  if (!isObject(schema)) throw invalid("text.format.schema", "must be an object");
  return {
    kind: "schema",
    name: readText(name) ?? "answer",
    description: readText(format["description"]),
    schema,
    isStrict: readFlag(format["strict"]),
  };
}

export function encodeTool({ name, description, schema, isStrict, custom }: Tool): JsonObject {
  const named = description === null ? { name } : { name, description };
  if (custom) {
    return { type: "custom", ...named, ...(custom.format ? { format: custom.format } : {}) };
  }
  return {
    type: "function",
    ...named,
    parameters: toObjectSchema(schema ?? {}),
    // Without a word the vendor would be strict, which no other dialect is.
    strict: isStrict ?? false,
  };
}

export function encodeToolChoice({ toolChoice, tools }: Exchange): Json {
  if (!toolChoice) return null;
  switch (toolChoice.kind) {
    case "tool":
      return { type: toolChoice.isCustom ? "custom" : "function", name: toolChoice.name };
    case "some": {
      const customNames = new Set(tools.filter(({ custom }) => custom).map(({ name }) => name));
      return {
        type: "allowed_tools",
        mode: toolChoice.isRequired ? "required" : "auto",
        tools: toolChoice.names.map((name) => ({
          type: customNames.has(name) ? "custom" : "function",
          name,
        })),
      };
    }
    default:
      return toolChoice.kind;
  }
}

export function encodeShape(shape: OutputShape): JsonObject {
  if (shape.kind === "text") return { type: "text" };
  if (shape.kind === "json") return { type: "json_object" };
  const { name, description, schema, isStrict } = shape;
  return {
    type: "json_schema",
    name,
    ...(description === null ? {} : { description }),
    schema,
    ...(isStrict === null ? {} : { strict: isStrict }),
  };
}
