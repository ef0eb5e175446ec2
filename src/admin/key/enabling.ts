// A key that was disabled by whoever has more rights is enabled by nobody who has fewer.
import type { AccountId } from "../../core/ids.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ApiKeyRow, ListedKey } from "../../identity/queries.ts";

type Owned = Pick<ApiKeyRow, "account_id" | "disabled_by">;

/** Side whose word it is: those who lead the organisation, or those who run the gateway. */
export function disablerOf({ account_id: owner, disabled_by: by }: Owned) {
  if (by === null) return null;
  return by === owner ? "organisation" : "gateway";
}

const refusals = {
  organisation: "An owner or admin disabled this key; ask them.",
  gateway: "Those who run the gateway disabled this key; ask them.",
};

function mayEnable({ accountId, seat }: Operator, row: Owned): boolean {
  const by = disablerOf(row);
  if (by === null || accountId !== row.account_id) return true;
  return by === "organisation" && seat?.role !== "member";
}

/** The account to remember from now on, of an operator who may change the key. */
export function disablerAfter(
  operator: Operator,
  before: ListedKey,
  status: ApiKeyRow["status"] | undefined,
): AccountId | null {
  const isAllowed = mayEnable(operator, before);
  if (status === "enabled") {
    const by = disablerOf(before);
    if (isAllowed || by === null) return null;
    throw new GatewayError("permission_denied", { param: "status", message: refusals[by] });
  }
  if (status === undefined || !isAllowed) return before.disabled_by;
  const { accountId, seat } = operator;
  const { account_id: owner, maker_id: maker } = before;
  const isOwn = accountId === owner && (!seat || maker === null || maker === seat.personId);
  return isOwn ? null : accountId;
}
