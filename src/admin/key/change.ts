// Changes some fields of an API key; what it becomes is judged as a whole.
import { invalid } from "../../core/errors.ts";
import { entityStatuses, type ApiKeyInput } from "../../config/entities.ts";
import { apiKeyChecker } from "../../config/entity-rules.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount, updateKey, type ListedKey } from "../../identity/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { KeyView, Status } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { existing, mergePatch, type OnOne } from "../input.ts";
import { readExpiry } from "../moments.ts";
import type { KeyNeeds } from "./needs.ts";
import { assertGroup, findChangeable } from "./find.ts";
import { factsOf, limitMicros, toFields, toInput } from "./row.ts";
import { viewRow } from "./view.ts";

export async function changeKey(
  needs: KeyNeeds,
  operator: Operator,
  { id, body }: OnOne,
): Promise<KeyView> {
  const { authenticator } = needs;
  return await inTurn(needs, "identity", async () => {
    const before = await findChangeable(needs, operator, id);
    const { status: wanted, ...fields } = body;
    const status = readStatus(wanted) ?? before.status;
    const { group_name: own } = existing(await findAccount(needs.database, before.account_id));
    const input = parseChange(before, fields);
    // One that has expired may still be renamed.
    if (fields["expires_at"] !== undefined && input.expires_at !== undefined) {
      readExpiry(needs, input.expires_at);
    }
    const row = { ...toFields(input, own), status };
    // Whoever cannot choose a group cannot stay in one that the account has left.
    if (operator.role === "user" && fields["group"] !== undefined) row.follows_group = 1;
    if (row.group_name !== before.group_name) assertGroup(needs, operator, row.group_name, own);
    const limit = limitMicros(input);
    const after = { ...before, ...row, limit_micros: limit };
    const changes = changesOf(factsOf(before), factsOf(after));
    const note = { action: "key.change", target: before.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await updateKey(store, database, before.id, { row, limitMicros: limit });
    await needs.balances.setLimit(before.id, limit);
    authenticator.forgetKey(before.hash, before.previous_hash);
    return await viewRow(needs, after);
  });
}

function readStatus(value: Json | undefined): Status | null {
  if (value === undefined) return null;
  const status = entityStatuses.find((known) => known === value);
  if (status === undefined) throw invalid("status", `must be one of ${entityStatuses.join(", ")}`);
  return status;
}

/** Either word for the quota replaces both. */
function parseChange(before: ListedKey, body: JsonObject): ApiKeyInput {
  const quota =
    before.limit_micros === null ? { unlimited: true } : { quota_micros: before.limit_micros };
  const isRequoted = body["quota_micros"] !== undefined || body["unlimited"] !== undefined;
  const current = { ...toInput(before), ...(isRequoted ? {} : quota) };
  return parseWith(apiKeyChecker, mergePatch(current, body));
}
