// Lists one's own sessions.
import type { SessionRow } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { SessionCalls, SessionView } from "./contract.ts";
import type { SignInNeeds } from "./needs.ts";

/** Sessions of one's own account. */
export async function listSessionViews(
  needs: SignInNeeds,
  operator: Operator,
  { query }: InputOf<SessionCalls["list"]>,
): Promise<Listed<SessionView>> {
  const rows = await needs.sessions.list(operator.accountId);
  return cutPage(
    pageOf(query),
    rows.map((row) => toView(needs, operator, row)),
  );
}

export function toView(
  { sessions }: SignInNeeds,
  operator: Operator,
  row: SessionRow,
): SessionView {
  return {
    id: row.id,
    current: row.id === operator.sessionId,
    ip: row.ip,
    agent: row.agent,
    created_at: toSeconds(row.created_at_ms),
    last_used_at: toSeconds(row.seen_at_ms),
    expires_at: toSeconds(sessions.endsAtMs(row)),
  };
}
