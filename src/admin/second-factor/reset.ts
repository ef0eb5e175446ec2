// Takes an account's second factors off.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { commitSteps, deletesOfFactors } from "../../identity/factors/queries.ts";
import { findAccount } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import { assertMayEdit } from "../authority.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readAccountId } from "../input.ts";
import type { NotingNeeds } from "../audit/entry.ts";

/** For one who has lost all of them: the password alone signs in again. Ends every session. */
export async function resetFactors(
  needs: NotingNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const accountId = readAccountId(id);
  return await exclusively(needs, "identity", async () => {
    const account = existing(await findAccount(needs.database, accountId));
    await assertMayEdit(needs, operator, account);
    // One's own would need no proof here; only whoever has the machine itself goes without one.
    if (account.id === operator.accountId && !operator.isCommandLine) {
      const message = "Your own is reset by the command line, or removed with a proof.";
      throw new GatewayError("permission_denied", { message });
    }
    const note = { action: "user.second_factor_reset", target: account.id } as const;
    const { store, database } = noting(needs, operator, note);
    await commitSteps(store, deletesOfFactors(database, account.id));
    return { id: account.id };
  });
}
