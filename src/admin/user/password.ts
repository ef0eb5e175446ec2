// Changes one's own password.
import { GatewayError } from "../../core/errors.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { JsonObject } from "../../core/json.ts";
import { updateAccountAndEndSessions } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import { inTurn } from "../in-turn.ts";
import { existing } from "../input.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { hashPassword } from "../passwords.ts";
import { openSession, proveAccount, type SignedIn, type Visitor } from "../session/open.ts";
import { passwordField } from "./fields.ts";

export const passwordChecker = compile(
  Type.Object(
    {
      current_password: Type.String({ minLength: 1, maxLength: 256 }),
      new_password: passwordField,
    },
    { additionalProperties: false },
  ),
);

/** Ends every session of the account; who did it in one gets a new one. Null: it was a token. */
export async function changePassword(
  needs: SignInNeeds,
  operator: Operator,
  { visitor, body }: { visitor: Visitor; body: JsonObject },
): Promise<SignedIn | null> {
  const { current_password: password, new_password } = parseWith(passwordChecker, body);
  const { log } = needs;
  const { accountId, username } = operator;
  const account = await proveAccount(needs, visitor, { username, password });
  if (!account) {
    throw new GatewayError("invalid_credentials", {
      param: "current_password",
      message: "The current password is wrong.",
    });
  }
  const changed = { ...account, password_hash: await hashPassword(new_password) };
  await inTurn(needs, "identity", async () => {
    const { password_hash } = existing(await findAccount(needs.database, accountId));
    if (password_hash !== account.password_hash) throw new GatewayError("conflict");
    const change = { password_hash: changed.password_hash };
    const note = { action: "user.password", target: accountId } as const;
    const { store, database } = noting(needs, operator, note);
    await updateAccountAndEndSessions(store, database, accountId, change);
  });
  log.info("password changed", { account: accountId, ip: visitor.ip });
  return operator.sessionId === undefined ? null : await openSession(needs, visitor, changed);
}
