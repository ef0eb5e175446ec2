// Proving a second factor. Each proof uses something up in the same commit that uses up its ticket,
// so that of many at once one gets through; what was wrong is counted and written down.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { readAssertion, type Assertion } from "../../identity/factors/passkeys.ts";
import { commitSteps, spendOfTicket, type FactorStep } from "../../identity/factors/queries.ts";
import type { Ticket } from "../../identity/factors/tickets.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { StoreError } from "../../store/store.ts";
import { noteAlone, noting, type Actor, type Note } from "../audit/entry.ts";
import { existing } from "../input.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { proveAccount } from "../session/open.ts";
import type { Visitor } from "../session/visitor.ts";
import type { FactorProof } from "./contract.ts";

/** The account to be proven, and its name in the audit log. */
interface Claimant {
  account: AccountRow;
  visitor: Visitor;
  by: Operator | Actor;
}

/** A code, or the answer of a passkey to a ticket's question. */
export type Shown = { code: string } | { assertion: Assertion };

/** Throws unless it is right; `ticket` is used up with it. */
export async function proveFactor(
  needs: SignInNeeds,
  { account, visitor, by }: Claimant,
  shown: Shown,
  ticket: Ticket | null,
): Promise<void> {
  const guess = beginGuess(needs, { account, visitor, by }, shown);
  let isRight: boolean;
  try {
    const step = await stepOf(needs, { account, visitor, by }, shown, ticket);
    isRight =
      step !== null && (await use(needs, { account, visitor, by }, { shown, step, ticket }));
  } catch (error) {
    guess.undo();
    throw error;
  }
  if (isRight) return guess.right();
  const kind = "code" in shown ? "code" : "passkey";
  const note: Note = { action: "user.second_factor_failed", target: account.id, changes: { kind } };
  await noteAlone(needs, by, note);
  throw new GatewayError("invalid_credentials", {
    param: kind,
    message: kind === "code" ? "The code is wrong." : "The passkey does not open this account.",
  });
}

/** A passkey cannot be guessed, and trying one needs no password, so it must not slow the owner. */
function beginGuess({ guesses }: SignInNeeds, { account, visitor }: Claimant, shown: Shown) {
  if ("code" in shown) return guesses.beginCode(account.id, visitor.ip);
  return guesses.begin(`passkey of ${account.id}`, visitor.ip);
}

async function stepOf(
  { secondFactors }: SignInNeeds,
  { account, visitor }: Claimant,
  shown: Shown,
  ticket: Ticket | null,
): Promise<FactorStep | null> {
  if ("code" in shown) return await secondFactors.useOfCode(account.id, shown.code);
  const { assertion } = shown;
  const { relyingParty: party = null } = visitor;
  const row = await secondFactors.findPasskey(assertion);
  if (!party || !ticket || row?.account_id !== account.id) return null;
  const { challenge, kind } = ticket;
  const isAlone = kind === "passkey";
  return await secondFactors.useOfAssertion(assertion, { party, challenge, row, isAlone });
}

/** False when someone else was faster. */
async function use(
  needs: SignInNeeds,
  { account, by }: Claimant,
  { shown, step, ticket }: { shown: Shown; step: FactorStep; ticket: Ticket | null },
): Promise<boolean> {
  const spends = ticket
    ? [spendOfTicket(needs.database, { id: ticket.id, expires_at_ms: ticket.expiresAtMs })]
    : [];
  const isPaper = "code" in shown && shown.code.length > 6;
  const note: Note = { action: "user.recovery_code_used", target: account.id };
  const { store } = isPaper ? noting(needs, by, note) : needs;
  try {
    await commitSteps(store, [step, ...spends]);
    return true;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.kind !== "conflict" && error.kind !== "constraint") throw error;
    return false;
  }
}

/**
 * For changes of what an account proves itself with, by someone who is signed in: a second factor
 * where there is one, or else the password.
 */
export async function stepUp(
  needs: SignInNeeds,
  operator: Operator,
  visitor: Visitor,
  proof: FactorProof,
): Promise<AccountRow> {
  const account = existing(await findAccount(needs.database, operator.accountId));
  const claimant = { account, visitor, by: operator };
  if (await needs.secondFactors.isEnrolled(account.id)) {
    const { shown, ticket } = readShown(needs, operator, proof);
    await proveFactor(needs, claimant, shown, ticket);
  } else if (account.password_hash !== "") {
    await provePassword(needs, claimant, proof);
  }
  return account;
}

function readShown(
  { secondFactors }: SignInNeeds,
  { sessionId, accountId }: Operator,
  { code, passkey, ticket: text = "" }: FactorProof,
): { shown: Shown; ticket: Ticket | null } {
  if (code !== undefined) return { shown: { code }, ticket: null };
  if (passkey === undefined) throw invalid("code", "is required, or a passkey");
  const ticket = secondFactors.tickets.open(text, ["step-up"], sessionId ?? null);
  if (ticket?.accountId !== accountId) throw new GatewayError("invalid_state");
  return { shown: { assertion: readAssertion(passkey) }, ticket };
}

async function provePassword(
  needs: SignInNeeds,
  { account: { username }, visitor }: Claimant,
  { password }: FactorProof,
): Promise<void> {
  if (password === undefined) throw invalid("password", "is required");
  if (await proveAccount(needs, visitor, { username, password })) return;
  const message = "The password is wrong.";
  throw new GatewayError("invalid_credentials", { param: "password", message });
}
