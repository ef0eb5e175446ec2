// Makes an invitation, a code by which people may register, or come into an organisation.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Random } from "../../core/random.ts";
import { insertInvitation } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Letter } from "../../mail/letter.ts";
import type { SeatRole } from "../../identity/role.ts";
import { createInvitationCode, digest } from "../../identity/secrets.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { brief } from "../audit/changes.ts";
import { noting, personOf, type NotingNeeds } from "../audit/entry.ts";
import { assertMayGive } from "../authority.ts";
import { mailOf, type PeopleMail } from "../email/people-mail.ts";
import { readEmailInput } from "../email/tokens.ts";
import type { InputOf } from "../call.ts";
import { readExpiry } from "../moments.ts";
import type { CreatedInvitation, InvitationCalls } from "./contract.ts";
import { toView } from "./view.ts";

export interface InvitationNeeds extends NotingNeeds {
  random: Random;
  mail: PeopleMail | null;
}

interface Written {
  store: Store;
  database: Database;
}

interface Offer {
  code: string;
  role: SeatRole | null;
}

/** The answer is the only time that the code is seen. */
export async function createInvitation(
  needs: InvitationNeeds,
  operator: Operator,
  { body }: InputOf<InvitationCalls["create"]>,
): Promise<CreatedInvitation> {
  const { note = "", uses_max = 1, expires_at, role, account_role: accountRole } = body;
  if (accountRole !== undefined) await assertAccountRole(needs, operator, accountRole);
  const { random, ids, clock } = needs;
  const code = createInvitationCode(random);
  const row = {
    id: ids.invitation(),
    hash: digest(code),
    note,
    uses_max,
    uses: 0,
    expires_at_ms: expires_at === undefined ? null : readExpiry(needs, expires_at) * 1000,
    created_by: personOf(operator).accountId,
    created_at_ms: clock.nowMs(),
    organisation_id: scopeOf(operator),
    role: roleOf(operator, role),
    staff_role: accountRole ?? null,
  };
  const view = toView(row);
  const entry = { action: "invitation.create", target: row.id, changes: brief(view) } as const;
  const written = noting(needs, operator, entry);
  const offer = { code, role: row.role };
  const { database } =
    body.email === undefined
      ? written
      : await carrying(needs, operator, written, { ...offer, email: body.email });
  await insertInvitation(database, row);
  return { ...view, code };
}

/** The organisation that an operator invites into; null: to an account of one's own. */
export function scopeOf({ seat, accountId }: Operator): AccountId | null {
  return seat ? accountId : null;
}

/** Ownership has to be taken, and is an owner's to offer. */
function roleOf({ seat }: Operator, role: SeatRole | undefined): SeatRole | null {
  if (!seat) {
    if (role !== undefined) throw invalid("role", "is said in the scope of an organisation");
    return null;
  }
  if (role === "owner" && seat.role !== "owner") {
    const message = "An owner of the organisation is invited by an owner.";
    throw new GatewayError("permission_denied", { param: "role", message });
  }
  return role ?? "member";
}

/** Root is made by root alone, and by name. */
async function assertAccountRole(
  needs: InvitationNeeds,
  operator: Operator,
  role: string,
): Promise<void> {
  const param = "account_role";
  if (operator.seat) throw invalid(param, "is not said in the scope of an organisation");
  if (role === "root" || role === "user") throw invalid(param, "names no role that a code gives");
  await assertMayGive(needs, operator, role, param);
}

/**
 * The code goes to its address in the commit that makes it good. Letters of organisations are
 * counted: whoever owns one may be anybody.
 */
async function carrying(
  needs: InvitationNeeds,
  operator: Operator,
  written: Written,
  { email, ...offer }: Offer & { email: string },
): Promise<Written> {
  const mail = mailOf(needs);
  const to = readEmailInput(mail, email);
  const { seat, accountId, ip = "" } = operator;
  if (seat) mail.asks.countSent(to, ip, accountId);
  // Silently, as everywhere: what a box was sent tells whether somebody has it here.
  if (seat && (await mail.outbox.isFull(to))) return written;
  const letter = letterOf(mail, operator, offer);
  const language = mail.defaultLanguage;
  return mail.outbox.carrying(written, [{ to, accountId: null, language, letter }]);
}

function letterOf(mail: PeopleMail, { seat, username }: Operator, { code, role }: Offer): Letter {
  if (!seat) return { kind: "invitation", facts: { url: mail.invitationLinkOf(code) } };
  const facts = { by: seat.username, organisation: username, role: role ?? "member" } as const;
  return {
    kind: "organisation_invitation",
    facts: { ...facts, url: mail.joinLinkOf(code) },
  };
}
