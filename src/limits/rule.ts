// Limits, and their owners. A limit that is null does not exist.

export interface LimitRule {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrency: number | null;
}

export const limitScopes = ["key", "member", "project", "account", "group"] as const;
export type LimitScope = (typeof limitScopes)[number];

export interface LimitSubject {
  scope: LimitScope;
  id: string;
  /** Models that it is about; absent where it holds for all. */
  of?: string;
  rule: LimitRule;
}

export function isLimited(rule: LimitRule): boolean {
  return (
    rule.requestsPerMinute !== null || rule.tokensPerMinute !== null || rule.concurrency !== null
  );
}

/** The part of a rule for each of several nodes. A rate above zero is at least one on each. */
export function ruleOfOne(rule: LimitRule, nodes: number): LimitRule {
  const { requestsPerMinute, tokensPerMinute, concurrency } = rule;
  return {
    requestsPerMinute: rateOf(requestsPerMinute, nodes),
    tokensPerMinute: rateOf(tokensPerMinute, nodes),
    concurrency: concurrency === null ? null : Math.ceil(concurrency / nodes),
  };
}

function rateOf(perMinute: number | null, nodes: number): number | null {
  if (perMinute === null || perMinute === 0) return perMinute;
  return Math.max(1, Math.floor(perMinute / nodes));
}
