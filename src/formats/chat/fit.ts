// What a chat body loses because its model would refuse it.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";
import { dropSampling } from "../kit/sampling.ts";

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
  const { reasoning_effort: effort, tools } = body;
  if (typeof effort !== "string") return false;
  const rules = gptRulesOf(model);
  if (!rules) return false;
  const hasTools = Array.isArray(tools) && tools.length > 0;
  if (rules.efforts.length === 0) delete body["reasoning_effort"];
  else if (rules.isIdleWithTools && hasTools) body["reasoning_effort"] = "none";
  else return false;
  return effort !== "none";
}

function isReasoning({ reasoning_effort: effort }: JsonObject, model: string): boolean {
  if (typeof effort === "string") return effort !== "none";
  return gptRulesOf(model)?.reasons ?? false;
}
