// What a responses body loses because its model would refuse it.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";
import { dropSampling } from "../kit/sampling.ts";

export function fitResponses(body: JsonObject, model: string): readonly LeftOut[] {
  return dropSampling(body, model, isReasoning);
}

function isReasoning({ reasoning }: JsonObject, model: string): boolean {
  const effort = isObject(reasoning) ? reasoning["effort"] : null;
  if (typeof effort === "string") return effort !== "none";
  return gptRulesOf(model)?.reasons ?? false;
}
