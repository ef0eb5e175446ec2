// Proof of the first part of an account that has a second one earns a ticket and no session.
import type { AccountRow } from "../../identity/queries.ts";
import { digest } from "../../identity/secrets.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { SecondFactorAsk } from "./contract.ts";

export interface AskedFactor extends SecondFactorAsk {
  /** The text for the browser's cookie: the ticket is good in that browser alone. */
  mark: string;
}

/** Null where nothing more is asked for. */
export async function askFactor(
  { secondFactors }: SignInNeeds,
  account: AccountRow,
): Promise<AskedFactor | null> {
  const { kinds } = await secondFactors.of(account.id);
  if (kinds.length === 0) return null;
  const mark = secondFactors.tickets.secret();
  const proof = digest(account.password_hash);
  const { text } = secondFactors.tickets.make("second", mark, { accountId: account.id, proof });
  return { second_factor: kinds, ticket: text, mark };
}
