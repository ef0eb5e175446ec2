// Token counts as Google reports them: what is zero is left out.
import type { Candidate } from "./candidate.ts";
import type { Prompt, TokensByModality } from "./prompt.ts";

interface Output {
  /** Tokens of the candidates, without their thoughts. */
  candidateTokens: number;
  thoughtTokens: number;
}

export function usageOf(prompt: Prompt, { candidateTokens, thoughtTokens }: Output): object {
  const promptTokens = totalOf(prompt.tokens);
  return {
    promptTokenCount: promptTokens,
    ...unlessZero("cachedContentTokenCount", prompt.cachedTokens),
    ...unlessZero("candidatesTokenCount", candidateTokens),
    ...unlessZero("thoughtsTokenCount", thoughtTokens),
    totalTokenCount: promptTokens + candidateTokens + thoughtTokens,
    promptTokensDetails: detailsOf(prompt.tokens),
  };
}

export function outputOf(candidates: readonly Candidate[]): Output {
  const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);
  return {
    candidateTokens: sum(candidates.map(({ written }) => written.tokens)),
    thoughtTokens: sum(candidates.map(({ written }) => written.reasoningTokens)),
  };
}

export function totalOf(tokens: TokensByModality): number {
  return Object.values(tokens).reduce((total, count) => total + count, 0);
}

export function detailsOf(tokens: TokensByModality): object[] {
  return Object.entries(tokens).map(([modality, tokenCount]) => ({ modality, tokenCount }));
}

export function unlessZero(name: string, count: number): object {
  return count === 0 ? {} : { [name]: count };
}
