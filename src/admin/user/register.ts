// People who make an account of their own, where the operator lets them. It is an ordinary account
// of the default group without any money: nothing else can be asked for here.
import { GatewayError, invalid } from "../../core/errors.ts";
import {
  findInvitation,
  insertInvitedAccount,
  type InvitationRow,
} from "../../identity/access/queries.ts";
import { upsertOfPending } from "../../identity/email/queries.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { findAccount, insertAccount, type AccountRow } from "../../identity/queries.ts";
import { permissionsOf, rightsOf } from "../../identity/roles/rights.ts";
import { digest } from "../../identity/secrets.ts";
import { accompany } from "../../store/accompany.ts";
import { statementOf, type Database } from "../../store/database.ts";
import { StoreError, type Store } from "../../store/store.ts";
import { brief } from "../audit/changes.ts";
import { noting, visitorActor, type Actor, type Note } from "../audit/entry.ts";
import { assertMayGive } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { stepsOfProof, readEmailInput } from "../email/tokens.ts";
import { exclusively } from "../exclusively.ts";
import { isUsable, notInvited } from "../invitation/usable.ts";
import type { EnterCalls } from "../session/contract.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { hashPassword } from "../passwords.ts";
import { openSession, type SignedIn } from "../session/open.ts";
import type { Visitor } from "../session/visitor.ts";
import { assertNameFree, newAccount } from "./create.ts";
import { giveStartingCredit } from "./starting-credit.ts";

/** Registering signs in. */
export async function register(
  needs: SignInNeeds,
  visitor: Visitor,
  { body }: InputOf<EnterCalls["register"]>,
): Promise<SignedIn> {
  if (needs.accountRules.registration === "off") {
    throw new GatewayError("permission_denied", { message: "Registration is closed." });
  }
  const { username, password, invitation: code, email } = body;
  const address = readOwnAddress(needs, email);
  needs.guesses.register(visitor.ip);
  // Before the name is looked at: without a code nobody learns which names there are.
  const invitation =
    needs.accountRules.registration === "invitation" ? await findUsable(needs, code) : null;
  const role = await invitedRole(needs, invitation);
  const account = newAccount(needs, { username, role, group: defaultGroup });
  account.password_hash = await hashPassword(password);
  const { ip } = visitor;
  await exclusively(needs, "identity", () => insert(needs, account, { invitation, ip, address }));
  const { id } = account;
  await giveToNewcomer(needs, visitorActor(account, ip), account);
  needs.log.info("registered", { account: id, invitation: invitation?.id, ip });
  return await openSession(needs, visitor, { account, way: "registration" });
}

async function insert(
  needs: SignInNeeds,
  account: AccountRow,
  {
    invitation,
    ip,
    address,
  }: { invitation: InvitationRow | null; ip: string; address: string | null },
): Promise<void> {
  await assertNameFree(needs, account.username);
  const note = registrationOf(account, { invitation: invitation?.id });
  const written = noting(needs, visitorActor(account, ip), note);
  const { store, database } = await withAddress(needs, written, { account, address });
  if (!invitation) return await insertAccount(store, database, account, false);
  try {
    await insertInvitedAccount(store, database, account, invitation.id);
  } catch (error) {
    // Someone else took the last use, or an admin the code, while the password was hashed.
    if (error instanceof StoreError && error.kind === "conflict") throw notInvited("invitation");
    throw error;
  }
}

/** Null where none is given; throws the 400 of one that is missing or cannot be taken. */
function readOwnAddress({ mail }: SignInNeeds, email: string | undefined): string | null {
  if (email === undefined) {
    if (mail?.rules.isRequired) throw invalid("email", "is required");
    return null;
  }
  if (!mail) throw invalid("email", "is not taken: this gateway sends no e-mail to people");
  return readEmailInput(mail, email);
}

/** The commit of the account carries its address, and the letter that asks to prove it. */
async function withAddress(
  needs: SignInNeeds,
  written: { store: Store; database: Database },
  { account, address }: { account: AccountRow; address: string | null },
): Promise<{ store: Store; database: Database }> {
  const { mail } = needs;
  if (!mail || address === null) return written;
  const { steps, postings } = await stepsOfProof({ ...needs, mail }, account, address);
  const rows = [upsertOfPending(needs.database, account.id, address), ...steps];
  const store = accompany(written.store, rows.map(statementOf));
  return mail.outbox.carrying({ store }, postings);
}

/** The starting credit, unless the operator gives it for a proven address alone. */
export async function giveToNewcomer(
  needs: SignInNeeds,
  by: Actor,
  account: AccountRow,
): Promise<void> {
  if (!needs.mail?.rules.creditsProof) await giveStartingCredit(needs, by, account);
}

/** Origin of an account that came by itself. */
export function registrationOf(
  { id, username, staff_role: role }: AccountRow,
  way: { invitation?: string | null | undefined; provider?: string },
): Note {
  return {
    action: "user.register",
    target: id,
    changes: brief({ username, ...(role !== null && { role }), ...way }),
  };
}

/**
 * Role that an invitation gives; one that is gone by now gives nothing. A code works while its
 * maker could make it today: who was disabled, or lost the permissions, lets nobody in.
 */
export async function invitedRole(
  { database }: Pick<SignInNeeds, "database">,
  invitation: InvitationRow | null,
): Promise<string> {
  if (!invitation) return "user";
  const maker = await findAccount(database, invitation.created_by);
  if (maker?.status !== "enabled") throw notInvited("invitation");
  const rights = await rightsOf(database, maker);
  if (!rights.may.has("people.write")) throw notInvited("invitation");
  const { staff_role: role } = invitation;
  if (role === null || !(await permissionsOf(database, role))) return "user";
  try {
    await assertMayGive({ database }, rights, role);
  } catch (error) {
    if (error instanceof GatewayError) throw notInvited("invitation");
    throw error;
  }
  return role;
}

export async function findUsable(
  { database, clock }: SignInNeeds,
  code: string | undefined,
): Promise<InvitationRow> {
  const invitation = code === undefined ? null : await findInvitation(database, digest(code));
  // An organisation invites people who have an account, and gives nobody one.
  const isForAll = invitation?.organisation_id === null;
  if (!isForAll || !isUsable(invitation, clock.nowMs())) throw notInvited("invitation");
  return invitation;
}
