// Answers of a given shape. Newer models take the schema itself; older ones are made to call a tool
// whose input is the answer, and the call is read back as text. JSON without a schema is an
// instruction, because the wire has no word for it.
import type { JsonObject } from "../../../core/json.ts";
import type { Exchange, StopReason } from "../../exchange.ts";
import { cannotExpress } from "../refuse.ts";
import type { ClaudeRules } from "../../../catalogue/rules/claude.ts";
import { toSchemaSubset } from "./schema-subset.ts";

/** The tool that stands for the answer; no client's tool has this name. */
export const answerTool = "sluice_json_output";

export interface EncodedShape {
  format: JsonObject | null;
  tool: JsonObject | null;
  instruction: string | null;
}

const none: EncodedShape = { format: null, tool: null, instruction: null };

export function encodeShape(
  exchange: Exchange,
  capabilities: Pick<ClaudeRules, "hasStructuredOutput">,
): EncodedShape {
  const { shape, toolChoice } = exchange;
  if (!shape || shape.kind === "text") return none;
  if (shape.kind === "json") {
    return { ...none, instruction: "Answer with one valid JSON object and nothing else." };
  }
  if (capabilities.hasStructuredOutput) {
    return { ...none, format: { type: "json_schema", schema: toSchemaSubset(shape.schema) } };
  }
  const { schema, description } = shape;
  if ("type" in schema && schema["type"] !== "object") throw cannotExpress(exchange, "shape");
  // No answer is to be shaped where a tool of the client must be called.
  if (toolChoice?.kind === "required" || toolChoice?.kind === "tool") return none;
  if (toolChoice?.kind === "some" && toolChoice.isRequired) return none;
  const purpose = "Give the final answer by calling this tool.";
  return {
    ...none,
    tool: {
      name: answerTool,
      description: description ? `${purpose} ${description}` : purpose,
      input_schema: { ...schema, type: "object" },
    },
  };
}

/** An answer that came as a call is no call to the client. */
export function restoreStop(stop: StopReason, hasAnswer: boolean, hasCalls: boolean): StopReason {
  return stop === "calls" && hasAnswer && !hasCalls ? "stop" : stop;
}
