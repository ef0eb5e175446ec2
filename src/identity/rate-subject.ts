// Rates of whom a request comes from, as limits take them.

export interface RateRule {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrency: number | null;
}

export interface RateSubject {
  scope: "key" | "member" | "project" | "account" | "group";
  id: string;
  /** Models that it is about; absent where it holds for all. */
  of?: string;
  rule: RateRule;
}
