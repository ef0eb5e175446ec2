// Deletes an organisation for good, like any account: its lines of the ledger stay.
import type { Operator } from "../../identity/caller.ts";
import { erase } from "../erase/erase.ts";
import type { OrganisationNeeds } from "./needs.ts";

export async function removeOrganisation(
  { erasing }: OrganisationNeeds,
  operator: Operator,
): Promise<{ id: string }> {
  return await erase(erasing, operator, operator.accountId);
}
