// What may be limited, and whose limit it is. A limit that is null does not exist.

export interface LimitRule {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrency: number | null;
}

export type LimitScope = "key" | "account" | "group";

export interface LimitSubject {
  scope: LimitScope;
  id: string;
  rule: LimitRule;
}

export function isLimited(rule: LimitRule): boolean {
  return (
    rule.requestsPerMinute !== null || rule.tokensPerMinute !== null || rule.concurrency !== null
  );
}
