// The thinking that is asked of a model, in the words of this dialect.
import { thinkingOf } from "../../catalogue/rules/gemini.ts";
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Effort, Reasoning } from "../exchange.ts";
import { field, numberField, textField } from "./schema.ts";

const budgetPercents: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 2,
  low: 10,
  medium: 30,
  high: 60,
  xhigh: 90,
  max: 95,
};
const budgetTokensLeast = 1024;

/** Null when the model cannot be told anything about it. */
export function writeThinking(
  reasoning: Reasoning,
  { model, outputTokensMax }: { model: string; outputTokensMax: number },
): JsonObject | null {
  const thinking = thinkingOf(model);
  if (thinking.kind === "none") return null;
  const isOff = reasoning.effort === "none";
  const config: JsonObject = {};
  if (!isOff && reasoning.isShown !== false) config["includeThoughts"] = true;
  if (thinking.kind === "level") {
    const level = levelOf(reasoning, thinking.lowest);
    if (level !== null) config["thinkingLevel"] = level;
    return config;
  }
  const wanted = wantedBudget(reasoning, outputTokensMax);
  if (wanted === null) return config;
  const { tokensMin, tokensMax, canBeOff } = thinking;
  // Thoughts are part of the output, so a budget beyond its bound would leave no room to answer.
  const fitting = Math.min(wanted, tokensMax, outputTokensMax - 1);
  const least = canBeOff ? 0 : tokensMin;
  config["thinkingBudget"] = fitting < tokensMin ? least : fitting;
  return config;
}

function wantedBudget({ effort, budgetTokens }: Reasoning, outputTokensMax: number): number | null {
  if (budgetTokens !== null) return budgetTokens;
  if (effort === null) return null;
  if (effort === "none") return 0;
  const share = Math.floor((outputTokensMax * budgetPercents[effort]) / 100);
  // A quarter stays for the answer where there is little room.
  return Math.max(share, Math.min(budgetTokensLeast, Math.floor(outputTokensMax * 0.75)));
}

function levelOf({ effort, budgetTokens }: Reasoning, lowest: string): string | null {
  if (effort !== null) {
    if (effort === "none" || effort === "minimal") return lowest;
    return effort === "low" || effort === "medium" ? effort.toUpperCase() : "HIGH";
  }
  if (budgetTokens === null) return null;
  if (budgetTokens === 0) return lowest;
  if (budgetTokens <= 2048) return "LOW";
  return budgetTokens <= 8192 ? "MEDIUM" : "HIGH";
}

const efforts: Readonly<Record<string, Effort>> = {
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
};

/** Null when nothing is said that differs from what models do by themselves. */
export function readThinking(config: JsonObject): Reasoning | null {
  const budget = numberField(config, "thinkingBudget");
  const level = textField(config, "thinkingLevel");
  if (budget !== null && level !== null) {
    throw invalid(
      "generationConfig.thinkingConfig",
      "takes thinkingBudget or thinkingLevel, not both",
    );
  }
  const reasoning: Reasoning = {
    effort: budget === 0 ? "none" : (efforts[level?.toLowerCase() ?? ""] ?? null),
    budgetTokens: budget !== null && budget > 0 ? budget : null,
    isShown: field(config, "includeThoughts") === true,
  };
  const { effort, budgetTokens, isShown } = reasoning;
  if (effort !== null || budgetTokens !== null) return reasoning;
  // A client that wants to read thoughts counts on a model that has some.
  return isShown || budget === -1 ? { ...reasoning, isAdaptive: true } : null;
}
