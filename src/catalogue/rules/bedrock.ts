// Rules of models on Amazon's Converse, as data, one line a family: the wire is one, and its models
// are many vendors'. A name that is not understood is asked as it was meant.
import { remembered } from "./remembered.ts";

export interface ConverseRules {
  /** The field by which it is told to reason; null where it cannot be. */
  reasoning: "thinking" | "reasoning_effort" | "reasoning_config" | null;
  /** Place of the number of tokens to draw from; null where it takes none. */
  topK: "top_k" | "inference_config" | null;
  /** Instructions have a place of their own; elsewhere the user says them. */
  takesSystem: boolean;
  takesCachePoints: boolean;
  /** An answer's schema is kept by the vendor; of Anthropic's models their own rules say so. */
  hasStructuredOutput: boolean;
  /** A call can be forced. */
  canBeForced: boolean;
}

const plain: ConverseRules = {
  reasoning: null,
  topK: null,
  takesSystem: true,
  takesCachePoints: false,
  hasStructuredOutput: false,
  canBeForced: true,
};

const rows: readonly [name: RegExp, has: Partial<ConverseRules>][] = [
  [/claude/, { reasoning: "thinking", topK: "top_k", takesCachePoints: true }],
  [/nova-2/, { reasoning: "reasoning_config" }],
  [/amazon\.nova/, { topK: "inference_config", takesCachePoints: true }],
  [/gpt-oss/, { reasoning: "reasoning_effort", hasStructuredOutput: true }],
  [/qwen|deepseek|kimi|minimax|gemma|nemotron|glm/, { hasStructuredOutput: true }],
  [/meta\.llama/, { canBeForced: false }],
  [/mistral-7b|mixtral|titan-text/, { takesSystem: false, canBeForced: false }],
];

export const converseRulesOf = remembered(findRules);

function findRules(model: string): ConverseRules {
  const name = model.toLowerCase();
  let rules = plain;
  for (const [pattern, has] of rows) if (pattern.test(name)) rules = { ...rules, ...has };
  return rules;
}

/** The maker whose body a model of embeddings takes; Amazon's older one unless its name says so. */
export function embedderOf(model: string): "titan" | "cohere" | "nova" {
  if (/cohere\.embed/i.test(model)) return "cohere";
  return /nova.*embed/i.test(model) ? "nova" : "titan";
}
