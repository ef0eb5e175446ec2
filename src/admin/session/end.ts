// Ends sessions of one's own.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { readSessionId } from "../input.ts";
import type { SignInNeeds } from "./needs.ts";

/** One of one's own sessions, at once. */
export async function endSession(
  { sessions }: SignInNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const sessionId = readSessionId(id);
  if (!(await sessions.end(operator.accountId, sessionId))) throw new GatewayError("not_found");
  return { id: sessionId };
}

/** The session of this very request. */
export async function signOut({ sessions }: SignInNeeds, operator: Operator): Promise<null> {
  const { accountId, sessionId } = operator;
  if (sessionId !== undefined) await sessions.end(accountId, sessionId);
  return null;
}
