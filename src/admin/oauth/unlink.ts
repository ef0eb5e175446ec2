// Takes an identity off one's own account.
import type { Operator } from "../../identity/caller.ts";
import { readIdentities } from "../../identity/oauth/queries.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readIdentityId } from "../input.ts";
import { dropIdentity } from "./drop-identity.ts";
import type { OAuthNeeds } from "./needs.ts";
import { assertWayIn } from "../way-in.ts";

/** Ends the account's other sessions. The last way in stays: nobody shuts themselves out. */
export async function unlinkIdentity(
  needs: OAuthNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const { accountId, sessionId = null } = operator;
  const identityId = readIdentityId(id);
  await exclusively(needs, "identity", async () => {
    const rows = await readIdentities(needs.database, accountId);
    const row = existing(rows.find(({ id: known }) => known === identityId));
    const { passkeys } = await needs.secondFactors.of(accountId);
    const left = { identities: rows.length - 1, passkeys: passkeys.length };
    await assertWayIn(needs, accountId, left);
    await dropIdentity(needs, operator, { row, rows, kept: sessionId });
  });
  return { id: identityId };
}
