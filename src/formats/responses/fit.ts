// Take out of a responses body the fields that its model would refuse.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { LeftOut } from "../format.ts";
import { dropSampling } from "../kit/sampling.ts";

const reasoningLeftOut: LeftOut = { name: "reasoning", field: "reasoning" };
const encrypted = "reasoning.encrypted_content";

export function fitResponses(body: JsonObject, model: string): readonly LeftOut[] {
  const isLess = dropReasoning(body, model);
  const left = dropSampling(body, model, isReasoning);
  return isLess ? [reasoningLeftOut, ...left] : left;
}

/** A model that cannot reason refuses every word about it. */
function dropReasoning(body: JsonObject, model: string): boolean {
  const { reasoning, include } = body;
  const isTold = isObject(reasoning) || (Array.isArray(include) && include.includes(encrypted));
  if (!isTold || gptRulesOf(model)?.efforts.length !== 0) return false;
  delete body["reasoning"];
  const rest = Array.isArray(include) ? include.filter((name) => name !== encrypted) : [];
  if (rest.length > 0) body["include"] = rest;
  else delete body["include"];
  return isObject(reasoning) && reasoning["effort"] !== "none";
}

function isReasoning({ reasoning }: JsonObject, model: string): boolean {
  const effort = isObject(reasoning) ? reasoning["effort"] : null;
  if (typeof effort === "string") return effort !== "none";
  return gptRulesOf(model)?.reasons ?? false;
}
