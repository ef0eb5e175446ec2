import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { deleteIdentity, readIdentities } from "../../identity/oauth/queries.ts";
import { findAccount } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import { inTurn } from "../in-turn.ts";
import { found, readIdentityId } from "../input.ts";
import type { ControlParts } from "../parts.ts";

/** Ends the account's other sessions. The last way in stays: nobody shuts themselves out. */
export async function unlinkIdentity(
  parts: ControlParts,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const { accountId, sessionId = null } = operator;
  const identityId = readIdentityId(id);
  await inTurn(parts, "identity", async () => {
    const rows = await readIdentities(parts.database, accountId);
    const row = found(rows.find((one) => one.id === identityId));
    await assertOtherWay(parts, operator, rows.length - 1);
    const note = {
      action: "user.identity_unlink",
      target: accountId,
      changes: { identity: row.id, provider: row.provider, username: row.username },
    } as const;
    const { store, database } = noting(parts, operator, note);
    await deleteIdentity(store, database, row, sessionId);
  });
  return { id: identityId };
}

/** A passkey opens an account alone; a code of an authenticator does not. */
async function assertOtherWay(
  { database, secondFactors }: ControlParts,
  { accountId }: Operator,
  identitiesLeft: number,
): Promise<void> {
  const account = found(await findAccount(database, accountId));
  const { passkeys } = await secondFactors.of(accountId);
  if (identitiesLeft + passkeys.length > 0 || account.password_hash !== "") return;
  throw new GatewayError("conflict", {
    message: "This is the last way into the account. Link another identity first.",
  });
}
