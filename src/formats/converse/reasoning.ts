// Reasoning that is asked of a model of Converse, in the words of the model's own vendor.
import type { ConverseRules } from "../../catalogue/rules/bedrock.ts";
import { claudeRulesOf } from "../../catalogue/rules/claude.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Effort, Exchange, Reasoning } from "../exchange.ts";
import type { RequestTarget } from "../format.ts";
import { encodeThinking } from "../kit/claude/thinking.ts";
import { readObjects } from "../kit/fields.ts";

interface EncodedReasoning {
  /** Among the fields that are the model's own. */
  fields: JsonObject;
  effort: string | null;
  /** The bound on the output that a budget of thoughts stands under; null where it needs none. */
  maxTokens: number | null;
  isLeftOut: boolean;
}

interface Setting {
  rules: ConverseRules;
  messages: readonly JsonObject[];
  isForced: boolean;
}

const silent: EncodedReasoning = { fields: {}, effort: null, maxTokens: null, isLeftOut: false };

export function encodeReasoning(
  exchange: Exchange,
  target: RequestTarget,
  setting: Setting,
): EncodedReasoning {
  const { reasoning } = exchange;
  if (!reasoning) return silent;
  const { reasoning: way } = setting.rules;
  if (way === "thinking") return think(exchange, target, setting);
  const level = levelOf(reasoning);
  if (way === null || level === null)
    return { ...silent, isLeftOut: way === null && level !== null };
  if (way === "reasoning_effort") return { ...silent, fields: { reasoning_effort: level } };
  const config = { type: "enabled", maxReasoningEffort: level };
  return isOff(reasoning) ? silent : { ...silent, fields: { reasoningConfig: config } };
}

function think(
  { reasoning, outputTokensMax }: Exchange,
  target: RequestTarget,
  { messages, isForced }: Setting,
): EncodedReasoning {
  const capabilities = claudeRulesOf(target.model);
  const most = outputTokensMax ?? capabilities.outputTokensMax ?? target.outputTokensMax;
  const maxTokens = Math.min(most, target.outputTokensMax);
  const isBarred = isForced || resumesUnthought(messages);
  const thought = encodeThinking({ reasoning, capabilities, maxTokens, isBarred });
  const { thinking, effort, isLeftOut } = thought;
  const isBudget = thinking?.["type"] === "enabled";
  return {
    fields: thinking ? { thinking } : {},
    effort,
    maxTokens: isBudget ? maxTokens : null,
    isLeftOut,
  };
}

/** An answer that its tools interrupted wants its thoughts back, which another vendor's are not. */
function resumesUnthought(messages: readonly JsonObject[]): boolean {
  const question = messages.findLastIndex(
    ({ role, content }) =>
      role === "user" && !readObjects(content).some(({ toolResult }) => toolResult !== undefined),
  );
  return messages.slice(question + 1).some(({ role, content }) => {
    const [first] = readObjects(content);
    return role === "assistant" && first?.["reasoningContent"] === undefined;
  });
}

const levels: Readonly<Record<Effort, string>> = {
  none: "low",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

function isOff({ effort, budgetTokens }: Reasoning): boolean {
  return effort === "none" || budgetTokens === 0;
}

/** Null where the client leaves it to the model. */
function levelOf(reasoning: Reasoning): string | null {
  const { effort, budgetTokens } = reasoning;
  if (effort !== null) return levels[effort];
  if (budgetTokens === null || budgetTokens < 0) return null;
  if (budgetTokens <= 2048) return "low";
  return budgetTokens <= 8192 ? "medium" : "high";
}
