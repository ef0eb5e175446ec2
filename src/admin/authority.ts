// Authority over accounts. Root may on all, an admin on ordinary accounts, everyone on their own
// keys; to everyone else other accounts do not exist.
import { GatewayError } from "../core/errors.ts";
import type { AccountId } from "../core/ids.ts";
import type { Operator, Role } from "../identity/caller.ts";

interface Owner {
  id: AccountId;
  role: Role;
}

/** For changes of the account itself: an admin may not even change its own. */
export function assertMayEdit(operator: Operator, account: Owner): void {
  if (operator.role === "root") return;
  if (operator.role === "user") throw new GatewayError("not_found");
  if (account.role !== "user") throw new GatewayError("permission_denied");
}

export function assertMayUseKeysOf(operator: Operator, account: Owner): void {
  if (operator.accountId !== account.id) assertMayEdit(operator, account);
}

/** An access token acts as its account, so only the account itself and root may make one. */
export function assertIsSelfOrRoot(operator: Operator, account: Owner): void {
  if (operator.accountId === account.id || operator.role === "root") return;
  throw new GatewayError(operator.role === "user" ? "not_found" : "permission_denied");
}
