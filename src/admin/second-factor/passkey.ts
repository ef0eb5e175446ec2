// Passkeys of one's own.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  readRegistration,
  registrationOptions,
  toPasskeyRow,
  type NewPasskey,
} from "../../identity/factors/passkeys.ts";
import { deleteOfPasskey, insertOfPasskey, spendOfTicket } from "../../identity/factors/queries.ts";
import type { Ticket } from "../../identity/factors/tickets.ts";
import { readIdentities } from "../../identity/oauth/queries.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orConflict, orNotFound, readPasskeyId } from "../input.ts";
import type { SignInNeeds } from "../session/needs.ts";
import { assertWayIn } from "../way-in.ts";
import type { EnrolledPasskey, PasskeyAsk, SecondFactorCalls } from "./contract.ts";
import { turnOff, turnOn, type FactorNeeds } from "./enrol.ts";
import { assertParty } from "./party.ts";
import { stepUp } from "./prove.ts";

const passkeysMax = 20;

/** Options for a browser to make a passkey. */
export async function beginOwnPasskey(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { body }: InputOf<SecondFactorCalls["beginPasskey"]>,
): Promise<PasskeyAsk> {
  const party = assertParty(visitor);
  const account = await stepUp(needs, operator, visitor, body);
  const { passkeys: known } = await needs.secondFactors.of(account.id);
  if (known.length >= passkeysMax) {
    throw new GatewayError("conflict", { message: `There are ${passkeysMax} passkeys already.` });
  }
  const { accountId, sessionId = "" } = operator;
  const { ticket, text } = needs.secondFactors.tickets.make("enrol", sessionId, { accountId });
  const question = { owner: account, challenge: ticket.challenge, known };
  return { ticket: text, passkey: await registrationOptions(party, question) };
}

export async function addOwnPasskey(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { body: answer }: InputOf<SecondFactorCalls["addPasskey"]>,
): Promise<EnrolledPasskey> {
  const party = assertParty(visitor);
  const { accountId, sessionId = null } = operator;
  const ticket = needs.secondFactors.tickets.open(answer.ticket, ["enrol"], sessionId);
  if (ticket?.accountId !== accountId) throw new GatewayError("invalid_state");
  const passkey = await readRegistration(party, ticket.challenge, answer.passkey);
  if (!passkey) throw invalid("passkey", "is not an answer to what was asked");
  const added = await add(needs, operator, { passkey, ticket, name: answer.name ?? "passkey" });
  needs.log.info("a second factor was turned on", { account: accountId, ip: visitor.ip });
  return added;
}

async function add(
  needs: SignInNeeds,
  operator: Operator,
  { passkey, ticket, name: label }: { passkey: NewPasskey; ticket: Ticket; name: string },
): Promise<EnrolledPasskey> {
  const { accountId } = operator;
  const [id, nowMs] = [needs.ids.passkey(), needs.clock.nowMs()];
  const row = toPasskeyRow(passkey, { id, accountId, name: label, nowMs });
  const spent = { id: ticket.id, expires_at_ms: ticket.expiresAtMs };
  const steps = [insertOfPasskey(needs.database, row), spendOfTicket(needs.database, spent)];
  return await exclusively(needs, "identity", async () => {
    const before = await needs.secondFactors.of(accountId);
    const codes = await orConflict(
      turnOn(needs, operator, { before, kind: "passkey", steps }),
      "This passkey is registered already.",
    );
    return { id, name: label, recovery_codes: codes };
  });
}

export async function removeOwnPasskey(
  { people: needs, visitor }: FactorNeeds,
  operator: Operator,
  { id, body }: InputOf<SecondFactorCalls["removePasskey"]>,
): Promise<{ id: string }> {
  const passkeyId = readPasskeyId(id);
  await stepUp(needs, operator, visitor, body);
  const { accountId } = operator;
  await exclusively(needs, "identity", async () => {
    const { passkeys, kinds } = await needs.secondFactors.of(accountId);
    existing(passkeys.find(({ id: known }) => known === passkeyId));
    const identities = (await readIdentities(needs.database, accountId)).length;
    await assertWayIn(needs, accountId, { identities, passkeys: passkeys.length - 1 });
    const step = deleteOfPasskey(needs.database, accountId, passkeyId);
    const isLast = passkeys.length === 1 && !kinds.includes("totp");
    await orNotFound(turnOff(needs, operator, { kind: "passkey", step, isLast }));
  });
  needs.log.info("a second factor was turned off", { account: accountId, ip: visitor.ip });
  return { id: passkeyId };
}
