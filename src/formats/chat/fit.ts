// What a chat body loses because its model would refuse it.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";
import { dropSampling } from "../kit/sampling.ts";

export function fitChat(body: JsonObject, model: string): readonly LeftOut[] {
  const isCalmed = calm(body, model);
  const left = dropSampling(body, model, isReasoning);
  return isCalmed ? [{ name: "reasoning_effort", field: "reasoning" }, ...left] : left;
}

/** Some models take tools in chat only where they do not reason, which they must be told. */
function calm(body: JsonObject, model: string): boolean {
  const { reasoning_effort: effort, tools } = body;
  if (typeof effort !== "string" || effort === "none") return false;
  if (!Array.isArray(tools) || tools.length === 0) return false;
  if (!gptRulesOf(model)?.isIdleWithTools) return false;
  body["reasoning_effort"] = "none";
  return true;
}

function isReasoning({ reasoning_effort: effort }: JsonObject, model: string): boolean {
  if (typeof effort === "string") return effort !== "none";
  return gptRulesOf(model)?.reasons ?? false;
}
