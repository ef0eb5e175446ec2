// Bounds of the keys that members of an organisation make for themselves. They are a member's: who
// may change the rules may also make a key beyond them.
import type { ApiKeyInput } from "../../config/entities.ts";
import { unixSeconds } from "../../config/fields.ts";
import { dayMs } from "../../core/day.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Operator, Seat } from "../../identity/caller.ts";
import { ModelPatterns } from "../../identity/model-patterns.ts";
import { readKeyRules, readLiveKeys } from "../../identity/organisations/queries.ts";
import type { ListedKey } from "../../identity/queries.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { KeyRules } from "./contract.ts";

type Needs = Pick<NotingNeeds, "database" | "clock">;

/** Throws the 400 that names the rule. */
export async function assertNewKeyAllowed(
  needs: Needs,
  operator: Operator,
  input: ApiKeyInput,
): Promise<void> {
  const bound = await boundOf(needs, operator);
  if (!bound) return;
  const { rules, seat } = bound;
  assertEnd(rules, input, needs.clock.nowMs());
  assertLimit(rules, input);
  assertModels(rules, input);
  const { count_max: most } = rules;
  if (most === undefined) return;
  const keys = await readLiveKeys(needs.database, operator.accountId, seat.personId);
  if (keys.length < most) return;
  const message = `The rule count_max of the organisation lets a member have ${most} keys.`;
  throw new GatewayError("invalid_request", { param: "count_max", message });
}

interface Change {
  before: ListedKey;
  /** Fields that were sent; the rest stays as it was, also where the rules have changed since. */
  fields: JsonObject;
  /** The key as a whole. */
  input: ApiKeyInput;
}

export async function assertKeyChangeAllowed(
  needs: Needs,
  operator: Operator,
  { before, fields, input }: Change,
): Promise<void> {
  const bound = await boundOf(needs, operator);
  if (!bound) return;
  const { rules } = bound;
  if ("expires_at" in fields) assertEnd(rules, input, before.created_at_ms);
  if ("quota_micros" in fields || "unlimited" in fields) assertLimit(rules, input);
  if ("models" in fields) assertModels(rules, input);
}

async function boundOf(
  { database }: Needs,
  { accountId, seat }: Operator,
): Promise<{ rules: KeyRules; seat: Seat } | null> {
  if (seat?.role !== "member") return null;
  return { rules: JSON.parse(await readKeyRules(database, accountId)), seat };
}

function assertEnd(
  { expires_days_max: days }: KeyRules,
  { expires_at: end }: ApiKeyInput,
  madeAtMs: number,
): void {
  if (days === undefined) return;
  if (end !== undefined && unixSeconds(end) * 1000 <= madeAtMs + days * dayMs) return;
  throw invalid("expires_at", `must be within ${days} days, by the rule expires_days_max`);
}

function assertLimit(
  { limit_micros_max: most }: KeyRules,
  { quota_micros: limit }: ApiKeyInput,
): void {
  if (most === undefined || (limit !== undefined && limit <= most)) return;
  throw invalid("quota_micros", `must be at most ${most}, by the rule limit_micros_max`);
}

function assertModels({ models: allowed }: KeyRules, { models }: ApiKeyInput): void {
  if (allowed === undefined) return;
  const words = `must be of ${allowed.join(", ")}, by the rule models`;
  if (models === undefined) throw invalid("models", words);
  const patterns = new ModelPatterns(allowed.map((name) => [name, true] as const));
  const beyond = models.find((model) => patterns.find(model) === undefined);
  if (beyond !== undefined) throw invalid("models", `${words}, and ${beyond} is not`);
}
