// Someone who is signed in gets another way in: the identity belongs to that account from now on.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findIdentity, insertIdentity, touchIdentity } from "../../identity/oauth/queries.ts";
import { noting } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import type { SignedIn } from "../session/open.ts";
import { viewSelf } from "../user/read.ts";
import type { Arrival } from "./arrival.ts";
import type { Comer } from "./begin.ts";
import { keyOf, newIdentity, seenOf } from "./enter.ts";
import type { OAuthNeeds } from "./needs.ts";

/** The session goes on under another text: it opens more than it did before. */
export async function link(needs: OAuthNeeds, comer: Comer, arrival: Arrival): Promise<SignedIn> {
  const { operator } = comer;
  if (!operator) throw new GatewayError("invalid_state");
  const { accountId } = operator;
  const { secret } = await exclusively(needs, "identity", async () => {
    await assertStillIn(needs, operator);
    await write(needs, operator, arrival);
    return await needs.sessions.open(accountId, comer, comer.session);
  });
  const { provider } = arrival;
  needs.log.info("an identity was linked", { account: accountId, provider, ip: comer.ip });
  return { self: await viewSelf(needs, accountId), secret, known: null };
}

/** The provider took its time, and the session may have ended meanwhile. */
async function assertStillIn({ sessions }: OAuthNeeds, operator: Operator): Promise<void> {
  const open = await sessions.list(operator.accountId);
  if (!open.some(({ id }) => id === operator.sessionId)) throw new GatewayError("invalid_state");
}

async function write(needs: OAuthNeeds, operator: Operator, arrival: Arrival): Promise<void> {
  const known = await findIdentity(needs.database, keyOf(arrival));
  if (known && known.account_id !== operator.accountId) {
    const message = "This identity is linked to another account.";
    throw new GatewayError("conflict", { message });
  }
  if (known) return await touchIdentity(needs.database, known.id, seenOf(needs, arrival));
  const row = newIdentity(needs, operator.accountId, arrival);
  const { id, provider, username } = row;
  const note = {
    action: "user.identity_link",
    target: operator.accountId,
    changes: { identity: id, provider, username },
  } as const;
  await insertIdentity(noting(needs, operator, note).database, row);
}
