// Takes an identity off one's own account.
import type { Operator } from "../../identity/caller.ts";
import { deleteIdentity, readIdentities } from "../../identity/oauth/queries.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readIdentityId } from "../input.ts";
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
    const note = {
      action: "user.identity_unlink",
      target: accountId,
      changes: { identity: row.id, provider: row.provider, username: row.username },
    } as const;
    const { store, database } = noting(needs, operator, note);
    await deleteIdentity(store, database, row, sessionId);
  });
  return { id: identityId };
}
