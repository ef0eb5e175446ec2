// People who make an account of their own, where the operator lets them. It is an ordinary account
// of the default group without any money: nothing else can be asked for here.
import { GatewayError, invalid } from "../../core/errors.ts";
import {
  findInvitation,
  insertInvitedAccount,
  type InvitationRow,
} from "../../identity/access/queries.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { insertAccount, type AccountRow } from "../../identity/queries.ts";
import { digest } from "../../identity/secrets.ts";
import { StoreError } from "../../store/store.ts";
import { brief } from "../audit/changes.ts";
import { noting, visitorActor, type Note } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { EnterCalls } from "../session/contract.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { hashPassword } from "../passwords.ts";
import { openSession, type SignedIn, type Visitor } from "../session/open.ts";
import { assertNameFree, newAccount } from "./create.ts";
import { giveStartingCredit } from "./starting-credit.ts";

/** Registering signs in. */
export async function register(
  needs: SignInNeeds,
  visitor: Visitor,
  { body }: InputOf<EnterCalls["register"]>,
): Promise<SignedIn> {
  if (needs.registration === "off") {
    throw new GatewayError("permission_denied", { message: "Registration is closed." });
  }
  const { username, password, invitation: code } = body;
  needs.guesses.register(visitor.ip);
  // Before the name is looked at: without a code nobody learns which names there are.
  const invitation = needs.registration === "invitation" ? await findUsable(needs, code) : null;
  const account = newAccount(needs, { username, role: "user", group: defaultGroup });
  account.password_hash = await hashPassword(password);
  const { ip } = visitor;
  await exclusively(needs, "identity", () => insert(needs, account, { invitation, ip }));
  const { id } = account;
  await giveStartingCredit(needs, visitorActor(account, ip), account);
  needs.log.info("registered", { account: id, invitation: invitation?.id, ip });
  return await openSession(needs, visitor, { account, way: "registration" });
}

async function insert(
  needs: SignInNeeds,
  account: AccountRow,
  { invitation, ip }: { invitation: InvitationRow | null; ip: string },
): Promise<void> {
  await assertNameFree(needs, account.username);
  const note = registrationOf(account, { invitation: invitation?.id });
  const { store, database } = noting(needs, visitorActor(account, ip), note);
  if (!invitation) return await insertAccount(store, database, account, false);
  try {
    await insertInvitedAccount(store, database, account, invitation.id);
  } catch (error) {
    // Someone else took the last use, or an admin the code, while the password was hashed.
    if (error instanceof StoreError && error.kind === "conflict") throw notInvited();
    throw error;
  }
}

/** Origin of an account that came by itself. */
export function registrationOf(
  { id, username }: AccountRow,
  way: { invitation?: string | null | undefined; provider?: string },
): Note {
  return { action: "user.register", target: id, changes: brief({ username, ...way }) };
}

export async function findUsable(
  { database, clock }: SignInNeeds,
  code: string | undefined,
): Promise<InvitationRow> {
  const invitation = code === undefined ? null : await findInvitation(database, digest(code));
  const isExpired = (invitation?.expires_at_ms ?? Number.POSITIVE_INFINITY) <= clock.nowMs();
  if (!invitation || isExpired || invitation.uses >= invitation.uses_max) throw notInvited();
  return invitation;
}

/** Always the same, whatever is wrong with the code. */
export function notInvited(): GatewayError {
  return invalid("invitation", "is not a code that can be used.");
}
