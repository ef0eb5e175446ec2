// Signing in: the name and the password of an account for a session.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Browser } from "../../identity/access/sessions.ts";
import type { RelyingParty } from "../../identity/factors/passkeys.ts";
import { findAccount, findAccountByName, type AccountRow } from "../../identity/queries.ts";
import type { SelfView } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import type { SignInNeeds } from "./needs.ts";
import { noteRefusal, openNoted, type WayIn } from "./note.ts";
import { isPasswordOf } from "../passwords.ts";
import { askFactor, type AskedFactor } from "../second-factor/ask.ts";
import { viewSelf } from "../user/read.ts";

export interface Visitor extends Browser {
  /** The text of the session that the browser still has, be it anyone's. */
  session: string | null;
  /** What its cookie says of a sign-in that is half done. */
  mark?: string | null;
  /** As whom it knows the gateway; null where passkeys cannot work. */
  relyingParty?: RelyingParty | null;
}

export interface SignedIn {
  self: SelfView;
  /** The text for the browser's cookie. */
  secret: string;
}

const text = Type.String({ minLength: 1, maxLength: 256 });
export const signInChecker = compile(
  Type.Object({ username: text, password: text }, { additionalProperties: false }),
);

/** A name that is not there, a wrong password and a disabled account are told in the same words. */
export async function signIn(
  needs: SignInNeeds,
  visitor: Visitor,
  body: JsonObject,
): Promise<SignedIn | AskedFactor> {
  const claim = parseWith(signInChecker, body);
  const account = await proveAccount(needs, visitor, claim);
  if (!account) throw new GatewayError("invalid_credentials");
  const asked = await askFactor(needs, account);
  return asked ?? (await openSession(needs, visitor, { account, way: "password" }));
}

/**
 * The account whose password this is, or null; throws when it is too early for another try. Every
 * try that is let through takes as long as any other, and counts unless it opens the account.
 */
export async function proveAccount(
  needs: SignInNeeds,
  { ip }: Browser,
  { username, password }: { username: string; password: string },
): Promise<AccountRow | null> {
  const { database, guesses, log } = needs;
  const guess = guesses.begin(username.toLowerCase(), ip);
  try {
    const account = await findAccountByName(database, username);
    const isRight = await isPasswordOf(account, password);
    if (isRight && account?.status === "enabled") {
      guess.right();
      return account;
    }
    log.info("sign-in refused", { account: account?.id ?? null, ip });
    await noteRefusal(needs, account, { ip, way: "password" });
    return null;
  } catch (error) {
    guess.undo();
    throw error;
  }
}

/** The password was checked against this row, so nothing of it may have changed since. */
export async function openSession(
  needs: SignInNeeds,
  visitor: Visitor,
  { account, way }: { account: AccountRow; way: WayIn },
): Promise<SignedIn> {
  const { database, log } = needs;
  const opened = await inTurn(needs, "identity", async () => {
    const current = await findAccount(database, account.id);
    if (current?.status !== "enabled" || current.password_hash !== account.password_hash) {
      throw new GatewayError("invalid_credentials");
    }
    return await openNoted(needs, visitor, { account, way });
  });
  log.info("signed in", { account: account.id, session: opened.id, ip: visitor.ip });
  return { self: await viewSelf(needs, account.id), secret: opened.secret };
}
