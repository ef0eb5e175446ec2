// Ways in by a letter: a new password, or a sign-in. A second factor is asked for all the same.
import { GatewayError, invalid } from "../../core/errors.ts";
import { deletesOfTokens, spendOfToken, type MailTokenRow } from "../../identity/email/queries.ts";
import { readAssertion } from "../../identity/factors/passkeys.ts";
import { deletesOfSessions } from "../../identity/factors/queries.ts";
import { findAccount, updatesOfAccount, type AccountRow } from "../../identity/queries.ts";
import { digest } from "../../identity/secrets.ts";
import { commitTogether, type CommitStep } from "../../store/database.ts";
import { StoreError, type Store } from "../../store/store.ts";
import { noting, visitorActor } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { hashPassword } from "../passwords.ts";
import { askFactor, type AskedFactor } from "../second-factor/ask.ts";
import { proveFactor } from "../second-factor/prove.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { openSession, type SignedIn } from "../session/open.ts";
import type { Visitor } from "../session/visitor.ts";
import { asGuess } from "../session/try-link.ts";
import type { MailEnterCalls } from "./contract.ts";
import { tellingOfPassword } from "./tell.ts";
import { isCodeOf, openToken, over } from "./tokens.ts";

type ResetBody = InputOf<MailEnterCalls["reset"]>["body"];

/** Once; ends every session there is, and is itself ended by another password. */
export async function finishReset(
  needs: SignInNeeds,
  visitor: Visitor,
  { body }: InputOf<MailEnterCalls["reset"]>,
): Promise<SignedIn | AskedFactor> {
  return await asGuess(needs, visitor, async () => {
    const { token, account } = await openToken(needs, body.token, "reset");
    if (token.proof !== digest(account.password_hash)) throw over();
    const challenge = await askFactor(needs, account);
    if (challenge && body.ticket === undefined) return challenge;
    if (challenge) await proveSecond(needs, visitor, { account, body });
    const changed = { ...account, password_hash: await hashPassword(body.new_password) };
    await exclusively(needs, "identity", () =>
      setPassword(needs, visitor, { before: account, changed, hash: token.hash }),
    );
    needs.log.info("password reset by e-mail", { account: account.id, ip: visitor.ip });
    return await openSession(needs, visitor, { account: changed, way: "new password" });
  });
}

async function proveSecond(
  needs: SignInNeeds,
  visitor: Visitor,
  { account, body }: { account: AccountRow; body: ResetBody },
): Promise<void> {
  const { mark = null, ip } = visitor;
  const ticket = needs.secondFactors.tickets.open(body.ticket ?? "", ["second"], mark);
  if (ticket?.accountId !== account.id) throw over();
  if (ticket.proof !== digest(account.password_hash)) throw over();
  const { code, passkey } = body;
  if (code === undefined && passkey === undefined)
    throw invalid("code", "is required, or a passkey");
  const shown = code === undefined ? { assertion: readAssertion(passkey ?? {}) } : { code };
  await proveFactor(needs, { account, visitor, by: visitorActor(account, ip) }, shown, ticket);
}

async function setPassword(
  needs: SignInNeeds,
  { ip }: Visitor,
  { before, changed, hash }: { before: AccountRow; changed: AccountRow; hash: string },
): Promise<void> {
  const { id, password_hash } = changed;
  const now = await findAccount(needs.database, id);
  if (now?.password_hash !== before.password_hash) throw over();
  const note = { action: "user.password", target: id, changes: { by: "reset" } } as const;
  const written = noting(needs, visitorActor(before, ip), note);
  const { store, database } = await tellingOfPassword(needs, written, changed);
  await commitOnce(store, [
    spendOfToken(database, hash),
    ...updatesOfAccount(database, id, { password_hash }),
    deletesOfSessions(database, id),
    deletesOfTokens(database, id, "sign_in"),
  ]);
}

/**
 * In the browser that asked; any other shows the digits, which a program that only follows links
 * does not.
 */
export async function signInByMail(
  needs: SignInNeeds,
  visitor: Visitor,
  { body }: InputOf<MailEnterCalls["link"]>,
): Promise<SignedIn | AskedFactor> {
  return await asGuess(needs, visitor, async () => {
    const { token, account } = await openToken(needs, body.token, "sign_in");
    if (token.proof !== digest(account.password_hash)) throw over();
    const { mailMark = null } = visitor;
    const isSame = mailMark !== null && token.browser === digest(mailMark);
    if (!isSame) proveDigits(needs, visitor, token, body.code);
    const note = { action: "user.link_used", target: account.id } as const;
    const { store, database } = noting(needs, visitorActor(account, visitor.ip), note);
    await commitOnce(store, [spendOfToken(database, token.hash)]);
    const challenge = await askFactor(needs, account);
    return challenge ?? (await openSession(needs, visitor, { account, way: "link" }));
  });
}

function proveDigits(
  { guesses }: SignInNeeds,
  { ip }: Visitor,
  token: MailTokenRow,
  code: string | undefined,
): void {
  if (code === undefined) {
    throw invalid("code", "is required: this is another browser than the one that asked");
  }
  const guess = guesses.beginCode(token.account_id, ip);
  if (isCodeOf(token, code)) return guess.right();
  const message = "The digits are wrong.";
  throw new GatewayError("invalid_credentials", { param: "code", message });
}

/** One gets through of many who come with one token at once. */
async function commitOnce(store: Store, steps: readonly CommitStep[]): Promise<void> {
  await commitTogether(store, steps).catch((cause: unknown) => {
    if (cause instanceof StoreError && cause.kind === "conflict") throw over();
    throw cause;
  });
}
