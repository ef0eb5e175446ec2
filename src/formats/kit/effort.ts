// Efforts on OpenAI's wires: what a model is told of how hard it is to reason.
import { gptRulesOf, type EffortWord } from "../../catalogue/rules/gpt.ts";
import type { Effort, Reasoning } from "../exchange.ts";

const order: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
/** For who leaves it to the model, which here would not reason at all. */
const usualEffort: Effort = "medium";

const budgetSteps: readonly [tokensMax: number, effort: Effort][] = [
  [0, "none"],
  [2048, "low"],
  [8192, "medium"],
  [24_576, "high"],
];

interface SaidEffort {
  /** Null where nothing is to be said. */
  effort: Effort | null;
  /** The model cannot be told what was asked for. */
  isLeftOut: boolean;
}

const silent: SaidEffort = { effort: null, isLeftOut: false };

export function effortFor(reasoning: Reasoning | null, model: string): SaidEffort {
  if (!reasoning) return silent;
  const known = gptRulesOf(model)?.efforts ?? null;
  const wanted = wantedEffort(reasoning, known !== null);
  if (known?.length === 0) return { effort: null, isLeftOut: wanted !== "none" };
  if (wanted === null) return silent;
  return { effort: known ? nearest(wanted, known) : wanted, isLeftOut: false };
}

/** Nobody can say of an unknown model whether it takes an effort at all. */
function wantedEffort(
  { effort, budgetTokens, isAdaptive }: Reasoning,
  isKnown: boolean,
): Effort | null {
  if (effort !== null) return effort;
  if (budgetTokens !== null && budgetTokens >= 0) return effortOfBudget(budgetTokens);
  return isAdaptive && isKnown ? usualEffort : null;
}

function effortOfBudget(tokens: number): Effort {
  return budgetSteps.find(([tokensMax]) => tokens <= tokensMax)?.[1] ?? "xhigh";
}

/** The next that it knows; who wants reasoning never gets none, and who wants none the least. */
function nearest(wanted: Effort, known: readonly EffortWord[]): Effort | null {
  if (wanted === "none") return known[0] ?? null;
  const at = order.indexOf(wanted);
  const able = known.filter((effort) => effort !== "none");
  return able.find((effort) => order.indexOf(effort) >= at) ?? able.at(-1) ?? null;
}
