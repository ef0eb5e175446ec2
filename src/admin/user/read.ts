import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { findListedAccount } from "../../identity/queries.ts";
import type { SelfView, UserView } from "../contract.ts";
import { found, readAccountId } from "../input.ts";
import type { ControlParts } from "../parts.ts";
import { viewRow } from "./view.ts";

export async function readUser(
  parts: ControlParts,
  _operator: Operator,
  { id }: { id: string },
): Promise<UserView> {
  return await viewAccount(parts, readAccountId(id));
}

export async function readSelf(parts: ControlParts, operator: Operator): Promise<SelfView> {
  return await viewSelf(parts, operator.accountId);
}

export async function viewSelf(parts: ControlParts, accountId: AccountId): Promise<SelfView> {
  const view = await viewAccount(parts, accountId);
  const { id, username, role, group, quota_micros, held_micros, used_micros } = view;
  return { id, username, role, group, quota_micros, held_micros, used_micros };
}

export async function viewAccount(parts: ControlParts, id: AccountId): Promise<UserView> {
  return await viewRow(parts, found(await findListedAccount(parts.database, id)));
}
