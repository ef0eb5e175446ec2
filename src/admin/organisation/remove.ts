// Deletes an organisation for good, like any account: its lines of the ledger stay. The owner who
// does so proves itself.
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import { erase, type EraseNeeds } from "../erase/erase.ts";
import { stepUp } from "../second-factor/prove.ts";
import type { Visitor } from "../session/visitor.ts";
import type { OrganisationCalls } from "./contract.ts";
import { seatOf } from "./seat.ts";

export async function removeOrganisation(
  needs: EraseNeeds,
  operator: Operator,
  { visitor, body }: InputOf<OrganisationCalls["erase"]> & { visitor: Visitor },
): Promise<{ id: string }> {
  const { personId: accountId, username } = seatOf(operator);
  const { seat: _, ...person } = { ...operator, accountId, username };
  await stepUp(needs.people, person, visitor, body);
  return await erase(needs, operator, operator.accountId);
}
