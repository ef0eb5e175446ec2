// The second half of signing in, and signing in by a passkey alone.
import { GatewayError, invalid } from "../../core/errors.ts";
import { assertionOptions, ownerOf, readAssertion } from "../../identity/factors/passkeys.ts";
import type { Ticket } from "../../identity/factors/tickets.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { digest } from "../../identity/secrets.ts";
import { visitorActor } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { EnterCalls } from "../session/contract.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { noteRefusal } from "../session/note.ts";
import { openSession, type SignedIn } from "../session/open.ts";
import type { Visitor } from "../session/visitor.ts";
import type { AskPasskeyCalls, PasskeyAsk } from "./contract.ts";
import { proveFactor, type Shown } from "./prove.ts";
import { assertParty } from "./party.ts";

/** With the ticket of the first half and a second factor. */
export async function signInSecond(
  needs: SignInNeeds,
  visitor: Visitor,
  { body: proof }: InputOf<EnterCalls["signInSecond"]>,
): Promise<SignedIn> {
  const opened = openTicket(needs, visitor, proof.ticket);
  if (proof.passkey !== undefined) {
    const assertion = readAssertion(proof.passkey);
    const account = await accountBehind(needs, visitor, opened, { assertion });
    return await prove(needs, visitor, { account, shown: { assertion }, ticket: opened });
  }
  if (proof.code === undefined) throw invalid("code", "is required, or a passkey");
  const shown = { code: proof.code };
  const account = await accountBehind(needs, visitor, opened, shown);
  return await prove(needs, visitor, { account, shown, ticket: opened });
}

interface AskedPasskey extends PasskeyAsk {
  /** The text for the browser's cookie; null where it has it. */
  mark: string | null;
}

/** Challenge for a passkey: for a ticket of the first half, or to sign in with it alone. */
export async function askPasskey(
  needs: SignInNeeds,
  visitor: Visitor,
  { body }: InputOf<AskPasskeyCalls["ask"]>,
): Promise<AskedPasskey> {
  const { ticket: text } = body;
  const party = assertParty(visitor);
  const { tickets } = needs.secondFactors;
  if (text !== undefined) {
    const { accountId, challenge, kind } = openTicket(needs, visitor, text);
    if (accountId === null || kind !== "second") throw new GatewayError("invalid_state");
    const { passkeys: known } = await needs.secondFactors.of(accountId);
    return {
      ticket: text,
      passkey: await assertionOptions(party, { challenge, known }),
      mark: null,
    };
  }
  const mark = tickets.secret();
  const { ticket: question, text: opaque } = tickets.make("passkey", mark);
  const { challenge } = question;
  return {
    ticket: opaque,
    passkey: await assertionOptions(party, { challenge, known: [] }),
    mark,
  };
}

function openTicket({ secondFactors }: SignInNeeds, { mark = null }: Visitor, text: string) {
  const opened = secondFactors.tickets.open(text, ["second", "passkey"], mark);
  if (!opened) throw new GatewayError("invalid_state");
  return opened;
}

/** The ticket's account where there is one for the second half; else that of the passkey. */
async function accountBehind(
  needs: SignInNeeds,
  visitor: Visitor,
  { kind, accountId, proof }: Ticket,
  shown: Shown,
): Promise<AccountRow> {
  if (kind === "second" && accountId !== null) {
    const account = await findAccount(needs.database, accountId);
    if (account && digest(account.password_hash) === proof) return account;
    throw new GatewayError("invalid_state");
  }
  if ("code" in shown) throw invalid("passkey", "is required");
  const guess = needs.guesses.begin("a passkey", visitor.ip);
  const row = await needs.secondFactors.findPasskey(shown.assertion);
  const owner = ownerOf(shown.assertion);
  const isOwn = row !== null && (owner === null || owner === row.account_id);
  const account = isOwn ? await findAccount(needs.database, row.account_id) : null;
  if (!account) {
    await noteRefusal(needs, null, { ip: visitor.ip, way: "passkey" });
    const message = "The passkey does not open any account.";
    throw new GatewayError("invalid_credentials", { param: "passkey", message });
  }
  guess.right();
  return account;
}

async function prove(
  needs: SignInNeeds,
  visitor: Visitor,
  { account, shown, ticket: used }: { account: AccountRow; shown: Shown; ticket: Ticket },
): Promise<SignedIn> {
  const by = visitorActor(account, visitor.ip);
  await proveFactor(needs, { account, visitor, by }, shown, used);
  return await openSession(needs, visitor, { account, way: "second factor" });
}
