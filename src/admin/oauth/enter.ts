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
import { notInvited } from "../invitation/usable.ts";
import { findUsable, giveToNewcomer, invitedRole, registrationOf } from "../user/register.ts";
import type { Arrival } from "./arrival.ts";
import type { Comer } from "./begin.ts";
import { followGroups } from "./groups.ts";
import type { OAuthNeeds } from "./needs.ts";
import { freeUsername } from "./username.ts";
import { givenBy } from "./wanted-seats.ts";

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
  const { secret, known } = session;
  return { self: await viewSelf(needs, account), secret, known };
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
  const { given_role: givenRole = null } = identity ?? {};
  return await followGroups(needs, comer, arrival, { account, givenRole });
}

/** An ordinary account without money and without a password. */
async function create(needs: OAuthNeeds, comer: Comer, arrival: Arrival): Promise<AccountId> {
  const { guesses, log } = needs;
  const registration = isExpected(needs, arrival) ? "open" : needs.accountRules.registration;
  if (registration === "off") {
    const message = "No account is linked to this identity, and registration is closed.";
    throw new GatewayError("permission_denied", { message });
  }
  guesses.register(comer.ip);
  const code = arrival.invitation ?? undefined;
  const invitation = registration === "invitation" ? await findUsable(needs, code) : null;
  const username = await freeUsername(needs, arrival);
  const role = await invitedRole(needs, invitation);
  const account = newAccount(needs, { username, role, group: defaultGroup });
  const identity = newIdentity(needs, account.id, arrival);
  const { id: invitationId = null } = invitation ?? {};
  const note = registrationOf(account, { invitation: invitationId, provider: arrival.provider });
  const { store, database } = noting(needs, visitorActor(account, comer.ip), note);
  try {
    await insertAccountOf(store, database, identity, { account, invitationId });
  } catch (error) {
    // Someone else took the last use, or an admin the code.
    if (error instanceof StoreError && error.kind === "conflict") throw notInvited("invitation");
    throw error;
  }
  await giveToNewcomer(needs, visitorActor(account, comer.ip), account);
  const facts = { account: account.id, ip: comer.ip, provider: arrival.provider };
  log.info("registered", { ...facts, invitation: invitationId ?? undefined });
  return account.id;
}

/** A mapped group opens the door where the provider's rules say so, whatever registration says. */
function isExpected({ oauth }: OAuthNeeds, { provider, person }: Arrival): boolean {
  const rules = oauth.groups.get(provider);
  return rules?.registers === true && givenBy(rules, person.groups ?? []).length > 0;
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
    given_role: null,
  };
}

export function keyOf({ provider, person: { issuer, subject } }: Arrival) {
  return { provider, issuer, subject };
}

export function seenOf({ clock }: OAuthNeeds, { person: { username, displayName } }: Arrival) {
  return { username, display_name: displayName, used_at_ms: clock.nowMs() };
}
