// Take out of a chat body the fields that its model would refuse.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";
import { dropSampling } from "../kit/sampling.ts";

/** With tools, some models reason on the other wire of their vendor alone. */
export function betterDialect(body: JsonObject, model: string): "responses" | null {
  const { reasoning_effort: effort } = body;
  if (typeof effort !== "string" || effort === "none" || !hasTools(body)) return null;
  return gptRulesOf(model)?.isIdleWithTools ? "responses" : null;
}

const effortLeftOut: LeftOut = { name: "reasoning_effort", field: "reasoning" };

export function fitChat(body: JsonObject, model: string): readonly LeftOut[] {
  const isLess = lessenEffort(body, model);
  const left = dropSampling(body, model, isReasoning);
  return isLess ? [effortLeftOut, ...left] : left;
}

/**
 * Some models cannot be told anything of it, and some take tools in chat only where they do not
 * reason, which they must be told. True when less is asked for than the client asked for.
 */
function lessenEffort(body: JsonObject, model: string): boolean {
  const { reasoning_effort: effort } = body;
  if (typeof effort !== "string") return false;
  const rules = gptRulesOf(model);
  if (!rules) return false;
  if (rules.efforts.length === 0) delete body["reasoning_effort"];
  else if (rules.isIdleWithTools && hasTools(body)) body["reasoning_effort"] = "none";
  else return false;
  return effort !== "none";
}

function hasTools({ tools }: JsonObject): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

function isReasoning({ reasoning_effort: effort }: JsonObject, model: string): boolean {
  if (typeof effort === "string") return effort !== "none";
  return gptRulesOf(model)?.reasons ?? false;
}
