// The bound on the output, which the wire requires and not every client sets.
import type { RequestTarget } from "../../format.ts";
import { claudeRulesOf } from "../../../catalogue/rules/claude.ts";

/**
 * Keep the bound a client asks for, unless it is more than was paid for. One that asks for nothing
 * gets as much as the vendor's model has, which may be less than the public one's catalogue says.
 */
export function boundOutput(
  maxTokens: number | null,
  { model, outputTokensMax }: RequestTarget,
): number {
  const wanted = maxTokens ?? claudeRulesOf(model).outputTokensMax ?? outputTokensMax;
  return Math.min(wanted, outputTokensMax);
}
