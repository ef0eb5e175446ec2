// One's own address: set, changed and removed by someone who proves to be the person.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  deleteOfEmail,
  deletesOfTokens,
  findEmail,
  upsertOfPending,
} from "../../identity/email/queries.ts";
import { commitTogether } from "../../store/database.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { existing } from "../input.ts";
import { stepUp } from "../second-factor/prove.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { Visitor } from "../session/visitor.ts";
import type { OwnEmailCalls } from "./contract.ts";
import { mailOf } from "./people-mail.ts";
import { stepsOfProof, readEmailInput } from "./tokens.ts";

interface OwnEmailNeeds {
  people: SignInNeeds;
  visitor: Visitor;
}

/** The one that is proven holds until the letter to the new one has come. */
export async function setEmail(
  { people, visitor }: OwnEmailNeeds,
  operator: Operator,
  { body }: InputOf<OwnEmailCalls["set"]>,
): Promise<null> {
  const { email, ...proof } = body;
  const mail = mailOf(people);
  const address = readEmailInput(mail, email);
  const account = await stepUp(people, operator, visitor, proof);
  mail.asks.count(address, visitor.ip);
  const { steps, postings } = await stepsOfProof({ ...people, mail }, account, address);
  const note = { action: "user.email", target: account.id, changes: { pending: address } } as const;
  const { store, database } = mail.outbox.carrying(noting(people, operator, note), postings);
  await commitTogether(store, [upsertOfPending(database, account.id, address), ...steps]);
  return null;
}

export async function removeEmail(
  { people, visitor }: OwnEmailNeeds,
  operator: Operator,
  { body: proof }: InputOf<OwnEmailCalls["remove"]>,
): Promise<null> {
  const mail = mailOf(people);
  if (mail.rules.isRequired) {
    const message = "An e-mail address is required here. Set another one instead.";
    throw new GatewayError("conflict", { message });
  }
  const { id, username: name } = await stepUp(people, operator, visitor, proof);
  const { address } = existing(await findEmail(people.database, id));
  const note = { action: "user.email", target: id, changes: { removed: address } } as const;
  const letter = { kind: "address_changed", facts: { name, address: "" } } as const;
  const { store, database } = await mail.telling(noting(people, operator, note), id, letter);
  await commitTogether(store, [
    deleteOfEmail(database, id),
    deletesOfTokens(database, id, "verify"),
    deletesOfTokens(database, id, "reset"),
    deletesOfTokens(database, id, "sign_in"),
  ]);
  return null;
}
