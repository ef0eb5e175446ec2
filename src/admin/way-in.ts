// Nobody shuts themselves out: the last way into an account stays.
import { GatewayError } from "../core/errors.ts";
import type { AccountId } from "../core/ids.ts";
import { findAccount } from "../identity/queries.ts";
import type { Database } from "../store/database.ts";
import { existing } from "./input.ts";

/**
 * Ways in that would be left; a passkey opens an account alone, a code of an authenticator does
 * not.
 */
interface WaysLeft {
  identities: number;
  passkeys: number;
}

export async function assertWayIn(
  { database }: { database: Database },
  accountId: AccountId,
  { identities, passkeys }: WaysLeft,
): Promise<void> {
  const account = existing(await findAccount(database, accountId));
  if (identities + passkeys > 0 || account.password_hash !== "") return;
  throw new GatewayError("conflict", {
    message: "This is the last way into the account. Add another one first.",
  });
}
