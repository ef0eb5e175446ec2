// Changes an account, within what the operator's role allows.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { updateAccountAndEndSessions } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  countRoots,
  findAccount,
  isSameName,
  updateAccount,
  type AccountRow,
} from "../../identity/queries.ts";
import { roleColumnsOf, roleOf } from "../../identity/roles/rights.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import { assertPermitted, assertMayEdit, assertMayGive, assertPerson } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { tellingOfPassword } from "../email/tell.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readAccountId } from "../input.ts";
import { hashPassword } from "../passwords.ts";
import type { SelfCalls, SelfView, UserCalls, UserView } from "./contract.ts";
import type { SelfNeeds, UserNeeds } from "./needs.ts";
import { assertNameFree } from "./create.ts";
import { rootName } from "./fields.ts";
import { readProfile, writeProfile, type ProfileRow } from "./queries.ts";
import { viewAccount, viewSelf } from "./read.ts";

export async function changeUser(
  needs: UserNeeds,
  operator: Operator,
  { id, body }: InputOf<UserCalls["change"]>,
): Promise<UserView> {
  const { password, group, role, ...rest } = body;
  const accountId = readAccountId(id);
  const changes: Partial<AccountRow> = {
    ...rest,
    // An operator who enables it has looked at it.
    ...(rest.status === "enabled" && { waits_since_ms: null }),
    ...(role !== undefined && roleColumnsOf(role)),
    ...(group !== undefined && { group_name: group }),
    ...(password !== undefined && { password_hash: await hashPassword(password) }),
  };
  await exclusively(needs, "identity", async () => {
    const before = existing(await findAccount(needs.database, accountId));
    await assertMayEdit(needs, operator, before);
    if (password !== undefined || role !== undefined) assertPerson(before);
    await assertRole(needs, operator, { before, role });
    if (group !== undefined) assertPermitted(operator, "groups.write", "group");
    await assertRename(needs, before, changes);
    await assertRootRemains(needs, before, changes);
    if (group !== undefined && !needs.groups.find(group)) {
      throw invalid("group", `names no group: ${group}`);
    }
    await write(needs, operator, before, changes);
    needs.authenticator.forget();
  });
  return await viewAccount(needs, accountId);
}

/** Sessions opened with the old password or the old role end. */
async function write(
  needs: UserNeeds,
  operator: Operator,
  before: AccountRow,
  changes: Partial<AccountRow>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const { id } = before;
  const note = { action: "user.change", target: id, changes: noteOf(before, changes) } as const;
  const written = noting(needs, operator, note);
  const isNewPassword = changes.password_hash !== undefined;
  const { store, database } = isNewPassword
    ? await tellingOfPassword(needs, written, before)
    : written;
  const isOtherRole = roleOf({ ...before, ...changes }) !== roleOf(before);
  if (isOtherRole || isNewPassword || changes.status === "disabled") {
    await updateAccountAndEndSessions(store, database, id, changes);
  } else {
    await updateAccount(store, database, id, changes);
  }
}

/** That there is a new password is all that is said of it. */
function noteOf(before: AccountRow, changes: Partial<AccountRow>): JsonObject {
  const after = { ...before, ...changes };
  const { password_hash: was, ...facts } = factsOf(before);
  const { password_hash: hash, ...rest } = factsOf(after);
  const differing = changesOf(facts, rest);
  return hash === was ? differing : { ...differing, password: "changed" };
}

function factsOf({ staff_role: _staff, ...row }: AccountRow) {
  return { ...row, role: roleOf({ ...row, staff_role: _staff }) };
}

/** One's own name and profile: what was booked under the old name stays as it is. */
export async function changeSelf(
  { accounts: needs, acceptsUrl }: SelfNeeds,
  operator: Operator,
  { body }: InputOf<SelfCalls["change"]>,
): Promise<SelfView> {
  const { username, ...profile } = body;
  const changes = username === undefined ? {} : { username };
  const url = profile.notice_url ?? null;
  // The call itself is guarded, too; this is for whoever would wait for it in vain.
  if (url !== null && acceptsUrl(url) === null) {
    throw invalid("notice_url", "must be a public http or https address");
  }
  await exclusively(needs, "identity", async () => {
    const before = existing(await findAccount(needs.database, operator.accountId));
    await assertRename(needs, before, changes);
    await write(needs, operator, before, changes);
    await writeOwnProfile(needs, operator, profile);
    needs.authenticator.forget();
  });
  return await viewSelf(needs, operator.accountId);
}

async function writeOwnProfile(
  needs: UserNeeds,
  operator: Operator,
  profile: Partial<ProfileRow>,
): Promise<void> {
  if (Object.keys(profile).length === 0) return;
  const { accountId } = operator;
  const before = await readProfile(needs.database, accountId);
  const after = { ...before, ...profile };
  const changes = changesOf(before, after);
  const note = { action: "user.profile", target: accountId, changes } as const;
  await writeProfile(noting(needs, operator, note).database, accountId, after);
}

/** The first account is known by its name: to the configuration, and to the command line. */
async function assertRename(
  needs: UserNeeds,
  before: AccountRow,
  { username = before.username }: Partial<AccountRow>,
): Promise<void> {
  if (username === before.username) return;
  if (before.username === rootName) {
    const message = "The account root keeps its name: configuration and command line use it.";
    throw new GatewayError("conflict", { param: "username", message });
  }
  if (!isSameName(username, before.username)) await assertNameFree(needs, username);
}

/** Disabled, not deleted: what it spent stays its own. */
export async function disableUser(
  needs: UserNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<UserView> {
  return await changeUser(needs, operator, { id, body: { status: "disabled" } });
}

/** Roles are nobody's to give to themselves. */
async function assertRole(
  needs: UserNeeds,
  operator: Operator,
  { before, role }: { before: AccountRow; role: string | undefined },
): Promise<void> {
  if (role === undefined || role === roleOf(before)) return;
  if (operator.accountId === before.id)
    throw new GatewayError("permission_denied", { param: "role" });
  await assertMayGive(needs, operator, role);
}

/** Without a root account nobody could ever make another one. */
async function assertRootRemains(
  { database }: UserNeeds,
  before: AccountRow,
  { role = before.role, status = before.status }: Partial<AccountRow>,
): Promise<void> {
  const wasRoot = before.role === "root" && before.status === "enabled";
  if (!wasRoot || (role === "root" && status === "enabled")) return;
  if ((await countRoots(database)) > 1) return;
  throw new GatewayError("conflict", { message: "The last root account cannot be taken away." });
}
