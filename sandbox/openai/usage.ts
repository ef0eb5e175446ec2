// Token counts as OpenAI reports them.
import type { Written } from "../writer/write.ts";

/** A choice of one's own effort, in tokens. */
const reasoningTokensByEffort: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 8,
  low: 16,
  medium: 64,
  high: 256,
  xhigh: 512,
  max: 1024,
};

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number; audio_tokens: number };
  completion_tokens_details: {
    reasoning_tokens: number;
    audio_tokens: number;
    accepted_prediction_tokens: number;
    rejected_prediction_tokens: number;
  };
}

export function reasoningTokensFor(effort: string | null | undefined): number {
  if (effort === null || effort === undefined) return 0;
  return reasoningTokensByEffort[effort] ?? reasoningTokensByEffort["medium"] ?? 0;
}

export function usageOf(promptTokens: number, choices: readonly Written[]): Usage {
  const sum = (read: (choice: Written) => number): number =>
    choices.reduce((total, choice) => total + read(choice), 0);
  const reasoningTokens = sum((choice) => choice.reasoningTokens);
  const completionTokens = sum((choice) => choice.tokens) + reasoningTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
