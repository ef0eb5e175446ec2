// One's own second factors: what there is, new codes for paper, and a question for a passkey.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { assertionOptions } from "../../identity/factors/passkeys.ts";
import { commitSteps, stepsOfRecoveryCodes } from "../../identity/factors/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { PasskeyAsk, RecoveryCodes, SecondFactorCalls, SecondFactorView } from "./contract.ts";
import type { FactorNeeds } from "./enrol.ts";
import { assertParty } from "./party.ts";
import { stepUp } from "./prove.ts";

export async function readOwnFactors(
  { people }: FactorNeeds,
  operator: Operator,
): Promise<SecondFactorView> {
  return await viewFactors(people, operator);
}

export async function viewFactors(
  { secondFactors, signInRules }: SignInNeeds,
  { accountId, role }: Pick<Operator, "accountId" | "role">,
): Promise<SecondFactorView> {
  const { kinds, totp, passkeys, recoveryCodes } = await secondFactors.of(accountId);
  return {
    second_factor: kinds,
    required: signInRules.adminSecondFactor === "required" && role !== "user",
    totp: {
      enabled: kinds.includes("totp"),
      enabled_at: toSecondsOrNull(totp?.confirmed_at_ms ?? null),
    },
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      created_at: toSeconds(row.created_at_ms),
      last_used_at: toSecondsOrNull(row.used_at_ms),
    })),
    recovery_codes_left: recoveryCodes,
  };
}

/** Challenge for a passkey, as a proof for the next change. */
export async function askOwnPasskey(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
): Promise<PasskeyAsk> {
  const party = assertParty(visitor);
  const { accountId, sessionId = "" } = operator;
  const { passkeys: known } = await needs.secondFactors.of(accountId);
  if (known.length === 0) throw new GatewayError("not_found");
  const { ticket, text } = needs.secondFactors.tickets.make("step-up", sessionId, { accountId });
  const { challenge } = ticket;
  return { ticket: text, passkey: await assertionOptions(party, { challenge, known }) };
}

/** The old ones work no more. */
export async function renewRecoveryCodes(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { body }: InputOf<SecondFactorCalls["renewRecoveryCodes"]>,
): Promise<RecoveryCodes> {
  const { accountId } = operator;
  if (!(await needs.secondFactors.isEnrolled(accountId))) {
    const message = "There is no second factor yet that they could stand in for.";
    throw new GatewayError("conflict", { message });
  }
  await stepUp(needs, operator, visitor, body);
  const { codes, hashes } = needs.secondFactors.newRecoveryCodes(accountId);
  const note = { action: "user.recovery_codes", target: accountId } as const;
  const { store, database } = noting(needs, operator, note);
  await exclusively(needs, "identity", () =>
    commitSteps(store, stepsOfRecoveryCodes(database, accountId, hashes)),
  );
  return { recovery_codes: codes };
}
