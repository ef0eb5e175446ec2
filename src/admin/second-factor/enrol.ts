// Shared steps of turning a second factor on and off.
import type { Operator } from "../../identity/caller.ts";
import {
  commitSteps,
  deleteOfOtherSessions,
  stepsOfRecoveryCodes,
  type FactorStep,
} from "../../identity/factors/queries.ts";
import type { FactorKind, Factors } from "../../identity/factors/second-factors.ts";
import { noting } from "../audit/entry.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { Visitor } from "../session/visitor.ts";

/** Needs of a change of one's own factors, which is made in a browser. */
export interface FactorNeeds {
  people: SignInNeeds;
  visitor: Visitor;
}

/**
 * The first factor brings codes for paper and ends the account's other sessions, which nobody knows
 * who opened. Returns the codes, to be shown once.
 */
export async function turnOn(
  needs: SignInNeeds,
  operator: Operator,
  { before, kind, steps }: { before: Factors; kind: FactorKind; steps: readonly FactorStep[] },
): Promise<string[] | null> {
  const { accountId, sessionId } = operator;
  const note = { action: "user.second_factor_on", target: accountId, changes: { kind } } as const;
  const { store, database } = noting(needs, operator, note);
  if (before.kinds.length > 0) {
    await commitSteps(store, steps);
    return null;
  }
  const { codes, hashes } = needs.secondFactors.newRecoveryCodes(accountId);
  await commitSteps(store, [
    ...steps,
    ...stepsOfRecoveryCodes(database, accountId, hashes),
    ...(sessionId === undefined ? [] : [deleteOfOtherSessions(database, accountId, sessionId)]),
  ]);
  return codes;
}

/** With the last one the codes for paper go as well. */
export async function turnOff(
  needs: SignInNeeds,
  operator: Operator,
  { kind, step, isLast }: { kind: FactorKind; step: FactorStep; isLast: boolean },
): Promise<void> {
  const { accountId } = operator;
  const note = { action: "user.second_factor_off", target: accountId, changes: { kind } } as const;
  const { store, database } = noting(needs, operator, note);
  const codes = isLast ? stepsOfRecoveryCodes(database, accountId, []) : [];
  await commitSteps(store, [step, ...codes]);
}
