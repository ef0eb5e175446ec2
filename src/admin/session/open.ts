// Signing in: the name and the password of an account for a session.
import { GatewayError } from "../../core/errors.ts";
import type { Browser } from "../../identity/access/sessions.ts";
import {
  findAccount,
  findAccountByName,
  updateAccount,
  type AccountRow,
} from "../../identity/queries.ts";
import { noting, visitorActor } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { EnterCalls } from "./contract.ts";
import type { SignInNeeds } from "./needs.ts";
import { noteRefusal, openNoted, type WayIn } from "./note.ts";
import { hashPassword, isForeignHash, isPasswordOf } from "../passwords.ts";
import { askFactor, type AskedFactor } from "../second-factor/ask.ts";
import type { SelfView } from "../user/contract.ts";
import { viewSelf } from "../user/read.ts";
import type { Visitor } from "./visitor.ts";

export interface SignedIn {
  self: SelfView;
  /** The text for the browser's cookie. */
  secret: string;
  /** Marks of the accounts that the browser is known to; null where nobody is told of others. */
  known: string | null;
}

/** A name that is not there, a wrong password and a disabled account are told in the same words. */
export async function signIn(
  needs: SignInNeeds,
  visitor: Visitor,
  { body: claim }: InputOf<EnterCalls["signIn"]>,
): Promise<SignedIn | AskedFactor> {
  const proven = await proveAccount(needs, visitor, claim);
  if (!proven) throw new GatewayError("invalid_credentials");
  const account = await renewHash(needs, visitor, { account: proven, password: claim.password });
  const challenge = await askFactor(needs, account);
  return challenge ?? (await openSession(needs, visitor, { account, way: "password" }));
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

/** Once, and before a ticket is made, which is good for one hash alone. */
async function renewHash(
  needs: SignInNeeds,
  { ip }: Browser,
  { account, password }: { account: AccountRow; password: string },
): Promise<AccountRow> {
  if (!isForeignHash(account.password_hash)) return account;
  const change = { password_hash: await hashPassword(password) };
  return await exclusively(needs, "identity", async () => {
    const current = await findAccount(needs.database, account.id);
    if (current?.password_hash !== account.password_hash) {
      // Another sign-in was faster, or the password is another by now, which opens no session.
      return current && (await isPasswordOf(current, password)) ? current : account;
    }
    const note = { action: "user.password_rehash", target: account.id } as const;
    const { store, database } = noting(needs, visitorActor(account, ip), note);
    await updateAccount(store, database, account.id, change);
    return { ...account, ...change };
  });
}

/** The password was checked against this row, so nothing of it may have changed since. */
export async function openSession(
  needs: SignInNeeds,
  visitor: Visitor,
  { account, way }: { account: AccountRow; way: WayIn },
): Promise<SignedIn> {
  const { database, log } = needs;
  const opened = await exclusively(needs, "identity", async () => {
    const current = await findAccount(database, account.id);
    if (current?.status !== "enabled" || current.password_hash !== account.password_hash) {
      throw new GatewayError("invalid_credentials");
    }
    return await openNoted(needs, visitor, { account, way });
  });
  log.info("signed in", { account: account.id, session: opened.id, ip: visitor.ip });
  const { secret, known } = opened;
  return { self: await viewSelf(needs, account.id), secret, known };
}
