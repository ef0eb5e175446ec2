// Lists one's own sessions.
import type { SessionRow } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Listed, SessionView } from "../contract.ts";
import { toSeconds } from "../input.ts";
import { cutPage, readPage } from "../page.ts";
import type { SignInNeeds } from "./needs.ts";

/** Where one's own account is signed in. */
export async function listSessionViews(
  needs: SignInNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<Listed<SessionView>> {
  const page = readPage(query);
  const rows = await needs.sessions.list(operator.accountId);
  return cutPage(
    page,
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
