// Someone whom a provider vouches for gets a session: of the account that the identity is linked
// to, or of a new one where the operator lets people make their own. Nothing but the provider's id
// of a person leads to an account: a name or an e-mail address proves nothing.
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { defaultGroup } from "../../identity/groups.ts";
import {
  findIdentity,
  insertAccountOf,
  touchIdentity,
  type IdentityRow,
} from "../../identity/oauth/queries.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { StoreError } from "../../store/store.ts";
import { noting, visitorActor } from "../audit/entry.ts";
import { exclusively } from "../exclusively.ts";
import { askFactor, type AskedFactor } from "../second-factor/ask.ts";
import { noteRefusal, openNoted } from "../session/note.ts";
import type { SignedIn } from "../session/open.ts";
import { newAccount } from "../user/create.ts";
import { viewSelf } from "../user/read.ts";
import { findUsable, notInvited, registrationOf } from "../user/register.ts";
import { giveStartingCredit } from "../user/starting-credit.ts";
import type { Arrival } from "./arrival.ts";
import type { Comer } from "./begin.ts";
import type { OAuthNeeds } from "./needs.ts";
import { freeUsername } from "./username.ts";

/** Sign in, or ask for the second factor where the account has one. */
export async function enter(
  needs: OAuthNeeds,
  comer: Comer,
  arrival: Arrival,
): Promise<SignedIn | AskedFactor> {
  const { ip } = comer;
  const { provider } = arrival;
  const entered = await exclusively(needs, "identity", async () => {
    const account = await accountOf(needs, comer, arrival);
    const opened = async () => ({
      account: account.id,
      session: await openNoted(needs, comer, { account, way: "provider", provider }),
    });
    return (await askFactor(needs, account)) ?? (await opened());
  });
  if ("ticket" in entered) return entered;
  const { account, session } = entered;
  needs.log.info("signed in", { account, session: session.id, ip, provider });
  return { self: await viewSelf(needs, account), secret: session.secret };
}

async function accountOf(needs: OAuthNeeds, comer: Comer, arrival: Arrival): Promise<AccountRow> {
  const { database } = needs;
  const identity = await findIdentity(database, keyOf(arrival));
  const accountId = identity?.account_id ?? (await create(needs, comer, arrival));
  const account = await findAccount(database, accountId);
  if (account?.status !== "enabled") {
    await noteRefusal(needs, account, { ip: comer.ip, way: "provider" });
    throw new GatewayError("permission_denied");
  }
  if (identity) await touchIdentity(database, identity.id, seenOf(needs, arrival));
  return account;
}

/** An ordinary account without money and without a password. */
async function create(needs: OAuthNeeds, comer: Comer, arrival: Arrival): Promise<AccountId> {
  const { registration, guesses, log } = needs;
  if (registration === "off") {
    const message = "No account is linked to this identity, and registration is closed.";
    throw new GatewayError("permission_denied", { message });
  }
  guesses.register(comer.ip);
  const code = arrival.invitation ?? undefined;
  const invitation = registration === "invitation" ? await findUsable(needs, code) : null;
  const username = await freeUsername(needs, arrival);
  const account = newAccount(needs, { username, role: "user", group: defaultGroup });
  const identity = newIdentity(needs, account.id, arrival);
  const { id: invitationId = null } = invitation ?? {};
  const note = registrationOf(account, { invitation: invitationId, provider: arrival.provider });
  const { store, database } = noting(needs, visitorActor(account, comer.ip), note);
  try {
    await insertAccountOf(store, database, identity, { account, invitationId });
  } catch (error) {
    // Someone else took the last use, or an admin the code.
    if (error instanceof StoreError && error.kind === "conflict") throw notInvited();
    throw error;
  }
  await giveStartingCredit(needs, visitorActor(account, comer.ip), account);
  const facts = { account: account.id, ip: comer.ip, provider: arrival.provider };
  log.info("registered", { ...facts, invitation: invitationId ?? undefined });
  return account.id;
}

export function newIdentity(
  needs: OAuthNeeds,
  accountId: AccountId,
  arrival: Arrival,
): IdentityRow {
  const seen = seenOf(needs, arrival);
  return {
    id: needs.ids.identity(),
    ...keyOf(arrival),
    account_id: accountId,
    ...seen,
    created_at_ms: seen.used_at_ms,
  };
}

export function keyOf({ provider, person: { issuer, subject } }: Arrival) {
  return { provider, issuer, subject };
}

export function seenOf({ clock }: OAuthNeeds, { person: { username, displayName } }: Arrival) {
  return { username, display_name: displayName, used_at_ms: clock.nowMs() };
}
