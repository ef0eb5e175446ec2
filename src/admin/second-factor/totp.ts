// An authenticator app: its secret is shown once, and counts once a code of it has come back.
import { GatewayError } from "../../core/errors.ts";
import { toBase32, totpUri } from "../../identity/access/totp.ts";
import type { Operator } from "../../identity/caller.ts";
import { beginTotp, confirmOfTotp, deleteOfTotp } from "../../identity/factors/queries.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orNotFound } from "../input.ts";
import type { EnrolledFactor, SecondFactorCalls, TotpBegun } from "./contract.ts";
import { turnOff, turnOn, type FactorNeeds } from "./enrol.ts";
import { stepUp } from "./prove.ts";

const issuer = "Sluice";

export async function beginOwnTotp(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { body }: InputOf<SecondFactorCalls["beginTotp"]>,
): Promise<TotpBegun> {
  const account = await stepUp(needs, operator, visitor, body);
  const { secret, row } = needs.secondFactors.newTotp(account.id);
  if (!(await beginTotp(needs.database, row))) {
    const message = "There is an authenticator app already. Remove it first.";
    throw new GatewayError("conflict", { message });
  }
  return { secret: toBase32(secret), uri: totpUri(secret, issuer, account.username) };
}

export async function confirmOwnTotp(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { body }: InputOf<SecondFactorCalls["confirmTotp"]>,
): Promise<EnrolledFactor> {
  const { code } = body;
  const { accountId } = operator;
  const guess = needs.guesses.beginCode(accountId, visitor.ip);
  const codes = await exclusively(needs, "identity", async () => {
    const before = await needs.secondFactors.of(accountId);
    const row = existing(before.totp);
    const step = row.confirmed_at_ms === null ? needs.secondFactors.stepOf(row, code) : null;
    if (step === null) return undefined;
    const confirm = confirmOfTotp(needs.database, row, needs.clock.nowMs(), step);
    return await turnOn(needs, operator, { before, kind: "totp", steps: [confirm] });
  });
  if (codes === undefined) {
    throw new GatewayError("invalid_credentials", { param: "code", message: "The code is wrong." });
  }
  guess.right();
  needs.log.info("a second factor was turned on", { account: accountId, ip: visitor.ip });
  return { recovery_codes: codes };
}

export async function removeOwnTotp(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { body }: InputOf<SecondFactorCalls["removeTotp"]>,
): Promise<null> {
  await stepUp(needs, operator, visitor, body);
  const { accountId } = operator;
  await exclusively(needs, "identity", async () => {
    const { passkeys } = await needs.secondFactors.of(accountId);
    const step = deleteOfTotp(needs.database, accountId);
    const off = { kind: "totp", step, isLast: passkeys.length === 0 } as const;
    await orNotFound(turnOff(needs, operator, off));
  });
  needs.log.info("a second factor was turned off", { account: accountId, ip: visitor.ip });
  return null;
}
