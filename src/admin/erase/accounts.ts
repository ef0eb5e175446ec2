// Deletes somebody's account for good, or one's own.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findEvenDeleted, isSameName } from "../../identity/queries.ts";
import { assertMayEdit } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { existing, readAccountId } from "../input.ts";
import { stepUp } from "../second-factor/prove.ts";
import type { Visitor } from "../session/visitor.ts";
import type { EraseCalls } from "./contract.ts";
import { erase, type EraseNeeds } from "./erase.ts";

export async function eraseUser(
  needs: EraseNeeds,
  operator: Operator,
  { id, body }: InputOf<EraseCalls["eraseUser"]>,
): Promise<{ id: string }> {
  const account = existing(await findEvenDeleted(needs.people.database, readAccountId(id)));
  await assertMayEdit(needs.people, operator, account);
  if (account.id === operator.accountId) {
    const message = "Your own is deleted with a proof, at /api/user/self/erase.";
    throw new GatewayError("permission_denied", { message });
  }
  if (account.deleted_at_ms === null && !isSameName(body.username, account.username)) {
    throw invalid("username", "is not the name of this account");
  }
  return await erase(needs, operator, account.id);
}

export async function eraseSelf(
  needs: EraseNeeds,
  operator: Operator,
  { visitor, body }: InputOf<EraseCalls["eraseSelf"]> & { visitor: Visitor },
): Promise<{ id: string }> {
  const account = await stepUp(needs.people, operator, visitor, body);
  return await erase(needs, operator, account.id);
}
