// The sampling that a model takes, whoever's it is and on whatever wire it is spoken to.
import { claudeRulesOf } from "./claude.ts";
import { gptRulesOf } from "./gpt.ts";
import type { SamplingRule } from "./sampling.ts";

export function samplingOf(model: string): SamplingRule {
  return gptRulesOf(model)?.sampling ?? claudeRulesOf(model).sampling;
}
