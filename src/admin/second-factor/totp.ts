// An authenticator app: its secret is shown once, and counts once a code of it has come back.
import { GatewayError } from "../../core/errors.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import { toBase32, totpUri } from "../../identity/access/totp.ts";
import type { Operator } from "../../identity/caller.ts";
import { beginTotp, confirmOfTotp, deleteOfTotp } from "../../identity/factors/queries.ts";
import type { EnrolledFactor, TotpBegun } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { existing, orNotFound } from "../input.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { turnOff, turnOn, type OwnChange } from "./enrol.ts";
import { proofBody } from "./contract.ts";
import { stepUp } from "./prove.ts";

const issuer = "Sluice";
export const codeChecker = compile(
  Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 64 }) },
    { additionalProperties: false },
  ),
);

export async function beginOwnTotp(
  needs: SignInNeeds,
  operator: Operator,
  { visitor, body }: OwnChange,
): Promise<TotpBegun> {
  const account = await stepUp(needs, operator, visitor, proofBody.parse(body));
  const { secret, row } = needs.secondFactors.newTotp(account.id);
  if (!(await beginTotp(needs.database, row))) {
    const message = "There is an authenticator app already. Remove it first.";
    throw new GatewayError("conflict", { message });
  }
  return { secret: toBase32(secret), uri: totpUri(secret, issuer, account.username) };
}

export async function confirmOwnTotp(
  needs: SignInNeeds,
  operator: Operator,
  { visitor, body }: OwnChange,
): Promise<EnrolledFactor> {
  const { code } = parseWith(codeChecker, body);
  const { accountId } = operator;
  const guess = needs.guesses.beginCode(accountId, visitor.ip);
  const codes = await inTurn(needs, "identity", async () => {
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
  needs: SignInNeeds,
  operator: Operator,
  { visitor, body }: OwnChange,
): Promise<null> {
  await stepUp(needs, operator, visitor, proofBody.parse(body));
  const { accountId } = operator;
  await inTurn(needs, "identity", async () => {
    const { passkeys } = await needs.secondFactors.of(accountId);
    const step = deleteOfTotp(needs.database, accountId);
    const off = { kind: "totp", step, isLast: passkeys.length === 0 } as const;
    await orNotFound(turnOff(needs, operator, off));
  });
  needs.log.info("a second factor was turned off", { account: accountId, ip: visitor.ip });
  return null;
}
