// Tools as Anthropic's models take them, on whatever wire: inputs are objects, so free text goes as
// the one field of one.
import type { JsonObject } from "../../../core/json.ts";
import type { CallPart } from "../../exchange.ts";
import { parseObject } from "../fields.ts";

/**
 * An input that is not a JSON object, such as a call that was cut off, stands whole in one field.
 */
export function toToolInput({ input, isCustom }: CallPart): JsonObject {
  if (isCustom) return { input };
  return input === "" ? {} : (parseObject(input) ?? { input });
}

/** The vendor takes no alternatives at the top of an input; there they are words to the model. */
export function toInputSchema({ anyOf, oneOf, allOf, ...rest }: JsonObject): JsonObject {
  const schema: JsonObject = { ...rest, type: "object" };
  if (!anyOf && !oneOf && !allOf) return schema;
  const alternatives = JSON.stringify({ anyOf, oneOf, allOf });
  const { description } = rest;
  schema["description"] =
    typeof description === "string" ? `${description} ${alternatives}` : alternatives;
  return schema;
}

/** Free text travels as the one field of an object; the gateway takes it out again. */
export const customSchema: JsonObject = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
};

export function describeCustom(description: string | null, format: JsonObject | null): string {
  const sentences = description === null ? [] : [description];
  sentences.push("Put the whole input of the tool, as free text, into `input`.");
  const isBound = format && format["type"] !== "text";
  if (isBound) sentences.push(`It must follow this grammar: ${JSON.stringify(format)}`);
  return sentences.join("\n\n");
}
