// Second factors of an account, for operators, with taking one off.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  commitSteps,
  deleteOfPasskey,
  deleteOfTotp,
  deletesOfSessions,
  stepsOfRecoveryCodes,
} from "../../identity/factors/queries.ts";
import type { AccountRow } from "../../identity/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orNotFound, readPasskeyId } from "../input.ts";
import type { SecondFactorView } from "../second-factor/contract.ts";
import { viewFactors } from "../second-factor/own.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { PersonCalls } from "./contract.ts";
import { findPerson } from "./find.ts";

export async function readFactorsOf(
  needs: SignInNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<SecondFactorView> {
  const { id: accountId, role } = await findPerson(needs, operator, id);
  return await viewFactors(needs, { accountId, role });
}

/** The app, by the word `totp`, or a passkey by its id. Ends every session of the account. */
export async function removeFactorOf(
  needs: SignInNeeds,
  operator: Operator,
  { id, part }: InputOf<PersonCalls["removeFactor"]>,
): Promise<{ id: string }> {
  const account = await findPerson(needs, operator, id);
  if (account.id === operator.accountId) {
    const message = "Your own is removed with a proof.";
    throw new GatewayError("permission_denied", { message });
  }
  return await exclusively(needs, "identity", () => remove(needs, operator, { account, part }));
}

async function remove(
  needs: SignInNeeds,
  operator: Operator,
  { account, part }: { account: AccountRow; part: string },
): Promise<{ id: string }> {
  const { passkeys, kinds } = await needs.secondFactors.of(account.id);
  const kind = part === "totp" ? "totp" : "passkey";
  const passkeyId = kind === "totp" ? null : readPasskeyId(part);
  if (passkeyId !== null) existing(passkeys.find((row) => row.id === passkeyId));
  else if (!kinds.includes("totp")) throw new GatewayError("not_found");
  const changes = { kind, ...(passkeyId !== null && { passkey: passkeyId }) };
  const note = { action: "user.second_factor_off", target: account.id, changes } as const;
  const { store, database } = noting(needs, operator, note);
  const left = passkeys.length + (kinds.includes("totp") ? 1 : 0) - 1;
  const step =
    passkeyId === null
      ? deleteOfTotp(database, account.id)
      : deleteOfPasskey(database, account.id, passkeyId);
  const codes = left === 0 ? stepsOfRecoveryCodes(database, account.id, []) : [];
  const ended = deletesOfSessions(database, account.id);
  await orNotFound(commitSteps(store, [step, ...codes, ended]));
  return { id: part };
}
