// Makes an account, with a starting quota if one is given.
import { GatewayError, invalid } from "../../core/errors.ts";
import { micros } from "../../core/money.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { insertAccount, isNameTaken, type AccountRow } from "../../identity/queries.ts";
import { roleColumnsOf } from "../../identity/roles/rights.ts";
import type { Database } from "../../store/database.ts";
import { noting, type NotingNeeds } from "../audit/entry.ts";
import { assertPermitted, assertMayGive } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import { hashPassword } from "../passwords.ts";
import type { UserCalls, UserView } from "./contract.ts";
import type { UserNeeds } from "./needs.ts";
import { grantNoted } from "./grant.ts";
import { viewAccount } from "./read.ts";
import { giveStartingCredit } from "./starting-credit.ts";

export async function createUser(
  needs: UserNeeds,
  operator: Operator,
  { body: input }: InputOf<UserCalls["create"]>,
): Promise<UserView> {
  const { username, role = "user", group = defaultGroup, quota_micros: quota } = input;
  if (role !== "user") await assertMayGive(needs, operator, role);
  if (group !== defaultGroup) assertPermitted(operator, "groups.write", "group");
  if (quota !== undefined) assertPermitted(operator, "money.write", "quota_micros");
  const row = newAccount(needs, { username, role, group });
  row.password_hash = await hashPassword(input.password);
  await exclusively(needs, "identity", async () => {
    if (!needs.groups.find(group)) throw invalid("group", `names no group: ${group}`);
    await assertNameFree(needs, username);
    const changes = { username, role, group };
    const { store, database } = noting(needs, operator, {
      action: "user.create",
      target: row.id,
      changes,
    });
    await insertAccount(store, database, row, false);
  });
  if (quota === undefined) await giveStartingCredit(needs, operator, row);
  else if (quota > 0) {
    await grantNoted(needs, operator, {
      id: needs.ids.operation(),
      account: existing(await needs.balances.account(row.id)),
      micros: micros(quota),
      reason: "starting quota",
    });
  }
  return await viewAccount(needs, row.id);
}

/** Names are compared without case, so that nobody can be taken for another. */
export async function assertNameFree(
  { database }: { database: Database },
  username: string,
): Promise<void> {
  if (!(await isNameTaken(database, username))) return;
  const message = `There is already an account of the name ${username}, be it in other capitals.`;
  throw new GatewayError("conflict", { message, param: "username" });
}

/** An account that nobody can sign in to yet. */
export function newAccount(
  { ids, clock }: NotingNeeds,
  facts: { username: string; role: string; group: string },
): AccountRow {
  return {
    id: ids.account(),
    kind: "person",
    username: facts.username,
    password_hash: "",
    ...roleColumnsOf(facts.role),
    group_name: facts.group,
    status: "enabled",
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    created_at_ms: clock.nowMs(),
    deleted_at_ms: null,
    waits_since_ms: null,
  };
}
