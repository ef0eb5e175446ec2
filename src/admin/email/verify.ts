// An address is proven by the link of the letter that went there, in whatever browser it is opened.
import { GatewayError } from "../../core/errors.ts";
import { comparableAddress } from "../../identity/email/address.ts";
import {
  claimCredit,
  deletesOfTokens,
  findAccountByEmail,
  findEmail,
  proofOfAddress,
  spendOfToken,
} from "../../identity/email/queries.ts";
import type { AccountRow } from "../../identity/queries.ts";
import { commitTogether, type CommitStep, type Database } from "../../store/database.ts";
import { StoreError } from "../../store/store.ts";
import { noting, visitorActor } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { Visitor } from "../session/visitor.ts";
import { asGuess } from "../session/try-link.ts";
import { giveStartingCredit } from "../user/starting-credit.ts";
import type { MailAskCalls } from "./contract.ts";
import { mailOf } from "./people-mail.ts";
import { openToken, over } from "./tokens.ts";

export async function verifyEmail(
  needs: SignInNeeds,
  visitor: Visitor,
  { body }: InputOf<MailAskCalls["verify"]>,
): Promise<null> {
  await asGuess(needs, visitor, () =>
    exclusively(needs, "email", () => prove(needs, visitor, body.token)),
  );
  return null;
}

async function prove(needs: SignInNeeds, visitor: Visitor, text: string): Promise<void> {
  const mail = mailOf(needs);
  const { token, account } = await openToken(needs, text, "verify");
  const address = token.address ?? "";
  const key = comparableAddress(address);
  const before = await findEmail(needs.database, account.id);
  if (key === null || before?.pending !== address) throw over();
  const holder = await findAccountByEmail(needs.database, key);
  if (holder && holder.id !== account.id) throw taken();
  // Before the token is spent: whoever is interrupted here opens the link again.
  if (mail.rules.creditsProof) await credit(needs, visitor, { account, key });
  const changes = { email: address, before: before.address };
  const note = { action: "user.email_proven", target: account.id, changes } as const;
  const written = noting(needs, visitorActor(account, visitor.ip), note);
  const facts = { name: account.username, address };
  const isOther = before.proven_key !== null && before.proven_key !== key;
  const { store, database } = isOther
    ? await mail.telling(written, account.id, { kind: "address_changed", facts })
    : written;
  const row = { account_id: account.id, address, proven_key: key };
  const proven = { ...row, proven_at_ms: needs.clock.nowMs() };
  try {
    await commitTogether(store, [
      spendOfToken(database, token.hash),
      proofOfAddress(database, proven),
      // Leave no way in to whoever has the old box.
      ...(isOther ? tokensOfOldBox(database, account.id) : []),
    ]);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.kind === "constraint") throw taken();
    throw error.kind === "conflict" ? over() : error;
  }
}

function tokensOfOldBox(database: Database, id: AccountRow["id"]): CommitStep[] {
  return [deletesOfTokens(database, id, "reset"), deletesOfTokens(database, id, "sign_in")];
}

/** A fact for those alone who have the box. */
function taken(): GatewayError {
  const message = "Another account has this e-mail address.";
  return new GatewayError("conflict", { message, param: "token" });
}

/** One credit for an account, and one for an address, whoever had it. */
async function credit(
  needs: SignInNeeds,
  { ip }: Visitor,
  { account, key }: { account: AccountRow; key: string },
): Promise<void> {
  const mark = mailOf(needs).markOf(key);
  const holderId = await claimCredit(needs.database, mark, account.id);
  if (holderId === account.id) {
    await giveStartingCredit(needs, visitorActor(account, ip), account);
  }
}
