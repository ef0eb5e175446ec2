import { GatewayError } from "../../core/errors.ts";
import { parseWith } from "../../core/schema.ts";
import { updateAccountAndEndSessions } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { countRoots, findAccount, updateAccount, type AccountRow } from "../../identity/queries.ts";
import { assertMayEdit } from "../authority.ts";
import type { UserView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { found, invalid, readAccountId, type OnOne } from "../input.ts";
import { hashPassword } from "../passwords.ts";
import type { ControlParts } from "../parts.ts";
import { userChangeChecker } from "./fields.ts";
import { viewAccount } from "./read.ts";

export async function changeUser(
  parts: ControlParts,
  operator: Operator,
  { id, body }: OnOne,
): Promise<UserView> {
  const { password, group, ...rest } = parseWith(userChangeChecker, body);
  const accountId = readAccountId(id);
  const changes: Partial<AccountRow> = {
    ...rest,
    ...(group !== undefined && { group_name: group }),
    ...(password !== undefined && { password_hash: await hashPassword(password) }),
  };
  await inTurn(parts, "identity", async () => {
    const before = found(await findAccount(parts.database, accountId));
    assertMayEdit(operator, before);
    assertRole(operator, before, changes);
    await assertRootRemains(parts, before, changes);
    if (group !== undefined && !parts.groups.find(group)) {
      throw invalid("group", `names no group: ${group}`);
    }
    await write(parts, before, changes);
    parts.authenticator.forget();
  });
  return await viewAccount(parts, accountId);
}

/** Who knew the old password, or had the old role, has to sign in again. */
async function write(
  { store, database }: ControlParts,
  { id, role }: AccountRow,
  changes: Partial<AccountRow>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const isOtherRole = changes.role !== undefined && changes.role !== role;
  if (isOtherRole || changes.password_hash !== undefined || changes.status === "disabled") {
    await updateAccountAndEndSessions(store, database, id, changes);
  } else {
    await updateAccount(database, id, changes);
  }
}

/** Disabled, not deleted: what it spent stays its own. */
export async function disableUser(
  parts: ControlParts,
  operator: Operator,
  { id }: { id: string },
): Promise<UserView> {
  return await changeUser(parts, operator, { id, body: { status: "disabled" } });
}

/** Roles are root's to give, and nobody's to give to themselves. */
function assertRole(operator: Operator, before: AccountRow, { role }: Partial<AccountRow>): void {
  if (role === undefined || role === before.role) return;
  if (operator.role === "root" && operator.accountId !== before.id) return;
  throw new GatewayError("permission_denied", { param: "role" });
}

/** Without a root account nobody could ever make another one. */
async function assertRootRemains(
  { database }: ControlParts,
  before: AccountRow,
  { role = before.role, status = before.status }: Partial<AccountRow>,
): Promise<void> {
  const wasRoot = before.role === "root" && before.status === "enabled";
  if (!wasRoot || (role === "root" && status === "enabled")) return;
  if ((await countRoots(database)) > 1) return;
  throw new GatewayError("conflict", { message: "The last root account cannot be taken away." });
}
