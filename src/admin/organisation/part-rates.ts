// Rates of a member or a project, as rows have them and as they are shown.
import type { PartRates } from "../../store/people/organisation-schema.ts";

export const noPartRates: PartRates = {
  requests_per_minute: null,
  tokens_per_minute: null,
  concurrency: null,
};

/** Those of a row, without the rest of it; of a change only what it names is other. */
export function ratesOf(before: PartRates, change: Partial<PartRates> = {}): PartRates {
  const { requests_per_minute, tokens_per_minute, concurrency } = { ...before, ...change };
  return { requests_per_minute, tokens_per_minute, concurrency };
}
