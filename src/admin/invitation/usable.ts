// Judgement of an invitation that somebody comes with.
import { invalid, type GatewayError } from "../../core/errors.ts";
import type { InvitationRow } from "../../identity/access/queries.ts";

export function isUsable(invitation: InvitationRow, nowMs: number): boolean {
  const { expires_at_ms: endMs, uses, uses_max: most } = invitation;
  return (endMs === null || endMs > nowMs) && uses < most;
}

/** Always the same, whatever is wrong with the code. */
export function notInvited(param: string): GatewayError {
  return invalid(param, "is not a code that can be used.");
}
