// Changes one's own password, or sets the first one of an account that a provider made.
import { GatewayError, invalid } from "../../core/errors.ts";
import { updateAccountAndEndSessions } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { tellingOfPassword } from "../email/tell.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import type { FactorProof } from "../second-factor/contract.ts";
import { stepUp } from "../second-factor/prove.ts";
import type { CookieCalls } from "../session/contract.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { hashPassword } from "../passwords.ts";
import { openSession, proveAccount, type SignedIn } from "../session/open.ts";
import type { Visitor } from "../session/visitor.ts";

type PasswordChange = InputOf<CookieCalls["changePassword"]>["body"];

/** Ends every session of the account; who did it in one gets a new one. Null: it was a token. */
export async function changePassword(
  needs: SignInNeeds,
  operator: Operator,
  { visitor, body: change }: { visitor: Visitor; body: PasswordChange },
): Promise<SignedIn | null> {
  const { accountId } = operator;
  const account = await prove(needs, operator, { visitor, change });
  const changed = { ...account, password_hash: await hashPassword(change.new_password) };
  await exclusively(needs, "identity", async () => {
    const { password_hash } = existing(await findAccount(needs.database, accountId));
    if (password_hash !== account.password_hash) throw new GatewayError("conflict");
    const isFirst = password_hash === "";
    const note = {
      action: "user.password",
      target: accountId,
      changes: { first: isFirst },
    } as const;
    const written = noting(needs, operator, note);
    const { store, database } = await tellingOfPassword(needs, written, account);
    const { password_hash: next } = changed;
    await updateAccountAndEndSessions(store, database, accountId, { password_hash: next });
  });
  needs.log.info("password changed", { account: accountId, ip: visitor.ip });
  if (operator.sessionId === undefined) return null;
  return await openSession(needs, visitor, { account: changed, way: "new password" });
}

/** An account with a password shows it; one without shows a second factor, where there is one. */
async function prove(
  needs: SignInNeeds,
  operator: Operator,
  { visitor, change }: { visitor: Visitor; change: PasswordChange },
): Promise<AccountRow> {
  const { current_password: password, new_password: _new, ...proof } = change;
  const before = existing(await findAccount(needs.database, operator.accountId));
  if (before.password_hash === "") return await proveWithout(needs, operator, visitor, proof);
  if (password === undefined) throw invalid("current_password", "is required");
  const account = await proveAccount(needs, visitor, { username: before.username, password });
  if (account?.id === before.id) return account;
  throw new GatewayError("invalid_credentials", {
    param: "current_password",
    message: "The current password is wrong.",
  });
}

/** A token is not a person: it must not become a way in that outlives it. */
async function proveWithout(
  needs: SignInNeeds,
  operator: Operator,
  visitor: Visitor,
  proof: FactorProof,
): Promise<AccountRow> {
  if (operator.sessionId !== undefined) return await stepUp(needs, operator, visitor, proof);
  const message = "A first password is set by someone who is signed in, not by an access token.";
  throw new GatewayError("permission_denied", { message });
}
