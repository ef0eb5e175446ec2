// Shows one account, or oneself.
import type { AccountId } from "../../core/ids.ts";
import type { Operator, Seat } from "../../identity/caller.ts";
import { findListedAccount } from "../../identity/queries.ts";
import { leaders, overseers } from "../../identity/role.ts";
import { rightsOf } from "../../identity/roles/rights.ts";
import type { SelfView, UserView } from "./contract.ts";
import { existing, readAccountId } from "../input.ts";
import type { UserViewNeeds } from "./needs.ts";
import { readProfile } from "./queries.ts";
import { viewRow } from "./view.ts";

export async function readUser(
  needs: UserViewNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<UserView> {
  return await viewAccount(needs, readAccountId(id));
}

export async function readSelf(needs: UserViewNeeds, operator: Operator): Promise<SelfView> {
  const self = await viewSelf(needs, operator.accountId);
  const { seat } = operator;
  if (!seat || leaders.includes(seat.role)) return self;
  // Addresses that are called often have a secret in them.
  const shown = { ...self, notice_url: null };
  return seesBalance(seat) ? shown : withoutMoney(shown);
}

/** Whether the seat is shown what the organisation has, and what it spent in all. */
export function seesBalance({ role }: Seat): boolean {
  return overseers.includes(role);
}

function withoutMoney(self: SelfView): SelfView {
  const { quota_micros: _left, held_micros: _held, used_micros: _used, ...rest } = self;
  return rest;
}

export async function viewSelf(needs: UserViewNeeds, accountId: AccountId): Promise<SelfView> {
  const row = existing(await findListedAccount(needs.database, accountId));
  const view = await viewRow(needs, row);
  const { may } = await rightsOf(needs.database, row);
  const { id, kind, username, role, group, quota_micros, held_micros, used_micros } = view;
  const { email, email_pending } = view;
  const money = { quota_micros, held_micros, used_micros };
  const profile = await readProfile(needs.database, accountId);
  const permissions = [...may];
  return {
    id,
    kind,
    username,
    role,
    permissions,
    group,
    ...money,
    email,
    email_pending,
    ...profile,
  };
}

export async function viewAccount(needs: UserViewNeeds, id: AccountId): Promise<UserView> {
  return await viewRow(needs, existing(await findListedAccount(needs.database, id)));
}
