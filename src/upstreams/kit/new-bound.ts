// The bound on an answer under the name that its model takes.
import { gptRulesOf } from "../../catalogue/rules/gpt.ts";
import type { JsonObject } from "../../core/json.ts";

/** Models that reason refuse the old name. */
export function withNewBound(body: JsonObject, model: string): JsonObject {
  if (body["max_tokens"] === undefined || !gptRulesOf(model)?.hasNewBound) return body;
  const { max_tokens: bound, ...rest } = body;
  return { ...rest, max_completion_tokens: rest["max_completion_tokens"] ?? bound };
}
