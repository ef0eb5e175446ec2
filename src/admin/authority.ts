// Authority over accounts. One may act on those whose rights are fewer than one's own, root on all,
// everyone on their own keys; to those without permissions other accounts do not exist.
import { GatewayError, invalid } from "../core/errors.ts";
import type { Operator } from "../identity/caller.ts";
import type { AccountRow } from "../identity/queries.ts";
import { permissionsOf, isAbove, areAmong, rightsOf } from "../identity/roles/rights.ts";
import type { Permission } from "../identity/roles/permissions.ts";
import type { Database } from "../store/database.ts";

type Owner = Pick<AccountRow, "id" | "role" | "staff_role">;

interface AuthorityNeeds {
  database: Database;
}

/** For changes of the account itself: nobody but root may even change their own. */
export async function assertMayEdit(
  { database }: AuthorityNeeds,
  operator: Operator,
  account: Owner,
): Promise<void> {
  if (operator.may.size === 0) throw new GatewayError("not_found");
  if (isAbove(operator, await rightsOf(database, account))) return;
  const message = "This account may do as much as you, or what you may not.";
  throw new GatewayError("permission_denied", { message });
}

/** For what accounts have: one's own, or with the permission that of those below. */
export async function assertMayUse(
  needs: AuthorityNeeds,
  operator: Operator,
  { account, permission }: { account: Owner; permission: Permission },
): Promise<void> {
  if (operator.accountId === account.id) return;
  if (operator.may.size > 0) assertPermitted(operator, permission);
  await assertMayEdit(needs, operator, account);
}

export function assertPermitted(
  { may, role }: Pick<Operator, "may" | "role">,
  permission: Permission,
  param?: string,
  reason?: string,
): void {
  if (may.has(permission)) return;
  const because = reason === undefined ? "" : ` because ${reason}`;
  const needed = `This needs the permission ${permission}${because}`;
  const message = `${needed}, which the role ${role} does not have.`;
  throw new GatewayError("permission_denied", { message, ...(param !== undefined && { param }) });
}

/** A role may be given, or made, by whoever may do all of it; a role unknown is no role. */
export async function assertMayGive(
  { database }: AuthorityNeeds,
  operator: Pick<Operator, "may" | "role">,
  role: string,
  param = "role",
): Promise<void> {
  assertPermitted(operator, "roles.write", param);
  const wanted = await permissionsOf(database, role);
  if (!wanted) {
    throw invalid(param, `names no role: ${role}`);
  }
  if (role === "root" && operator.role !== "root") {
    throw new GatewayError("permission_denied", { param });
  }
  assertWithin(operator, wanted, param);
}

export function assertWithin(
  { may }: Pick<Operator, "may">,
  permissions: Iterable<Permission>,
  param: string,
): void {
  if (areAmong(permissions, may)) return;
  const beyond = [...permissions].filter((one) => !may.has(one));
  const message = `Nobody gives what they may not do themselves: ${beyond.join(", ")}.`;
  throw new GatewayError("permission_denied", { param, message });
}

/** Nobody signs in to an organisation, and nobody acts for it but from a seat in it. */
export function assertPerson({ kind }: Pick<AccountRow, "kind">): void {
  if (kind === "person") return;
  const message = "This is an organisation: nobody signs in to it, and its members act for it.";
  throw new GatewayError("conflict", { message });
}
