// The thinking that is asked of a model, in the words that the model understands.
import type { JsonObject } from "../../../core/json.ts";
import type { Effort, Reasoning } from "../../exchange.ts";
import type { ClaudeRules } from "../../../catalogue/rules/claude.ts";

interface ThinkingAsk {
  reasoning: Reasoning | null;
  capabilities: ClaudeRules;
  maxTokens: number;
  /** The conversation or the tool choice rules out thinking by a budget. */
  isBarred: boolean;
}

export interface Thinking {
  thinking: JsonObject | null;
  effort: string | null;
  /** Nothing of what was asked for could be said. */
  isLeftOut: boolean;
}

const budgetTokensMin = 1024;

/** Parts of the output that may be thoughts. */
const shares: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 0.95,
};

/** The first of these that a model knows is what it is told. */
const wishes: Readonly<Record<Effort, readonly string[]>> = {
  none: ["low"],
  minimal: ["low"],
  low: ["low"],
  medium: ["medium"],
  high: ["high"],
  xhigh: ["xhigh", "max", "high"],
  max: ["max", "xhigh", "high"],
};

const nothing: Thinking = { thinking: null, effort: null, isLeftOut: false };

export function encodeThinking(ask: ThinkingAsk): Thinking {
  const { reasoning, capabilities } = ask;
  if (!reasoning) return nothing;
  if (reasoning.effort === "none" || reasoning.budgetTokens === 0) return switchOff(capabilities);
  if (capabilities.thinking === "none") return { ...nothing, isLeftOut: true };
  if (capabilities.thinking === "budget") return byBudget(ask, reasoning);
  const effort = reasoning.effort ?? effortOf(reasoning.budgetTokens);
  return {
    thinking: { type: "adaptive", ...display(reasoning) },
    effort: effort && wordOf(effort, capabilities),
    isLeftOut: false,
  };
}

function switchOff({ thinking, off, efforts }: ClaudeRules): Thinking {
  if (thinking === "none") return nothing;
  if (off !== null) return { ...nothing, thinking: { type: off } };
  return { ...nothing, effort: efforts[0] ?? null };
}

function byBudget(ask: ThinkingAsk, reasoning: Reasoning): Thinking {
  const effort = reasoning.effort && wordOf(reasoning.effort, ask.capabilities);
  const budget = budgetOf(reasoning, ask.maxTokens);
  if (ask.isBarred || budget === null) {
    return { thinking: null, effort, isLeftOut: effort === null };
  }
  const thinking = { type: "enabled", budget_tokens: budget, ...display(reasoning) };
  return { thinking, effort, isLeftOut: false };
}

/** Null when the output is too short to leave anything for an answer. */
function budgetOf({ effort, budgetTokens }: Reasoning, maxTokens: number): number | null {
  const isTold = budgetTokens !== null && budgetTokens > 0;
  const wanted = isTold ? budgetTokens : Math.floor(maxTokens * shares[effort ?? "medium"]);
  const budget = Math.max(budgetTokensMin, Math.min(wanted, maxTokens - 1));
  return budget < maxTokens ? budget : null;
}

/** The effort of a model that is told a number of tokens; less than none is its own choice. */
function effortOf(budgetTokens: number | null): Effort | null {
  if (budgetTokens === null || budgetTokens < 0) return null;
  if (budgetTokens <= 2048) return "low";
  if (budgetTokens <= 8192) return "medium";
  return budgetTokens <= 24_576 ? "high" : "xhigh";
}

function wordOf(effort: Effort, { efforts }: ClaudeRules): string | null {
  return wishes[effort].find((wish) => efforts.includes(wish)) ?? null;
}

/** A client that did not say whether it wants to read the thoughts gets the vendor's default. */
function display({ isShown }: Reasoning): JsonObject {
  if (isShown === null) return {};
  return { display: isShown ? "summarized" : "omitted" };
}
