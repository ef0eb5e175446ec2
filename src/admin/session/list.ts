// Lists one's own sessions.
import type { Operator } from "../../identity/caller.ts";
import type { Listed, SessionView } from "../contract.ts";
import { toSeconds } from "../input.ts";
import { cutPage, readPage } from "../page.ts";
import type { SignInNeeds } from "./needs.ts";

/** Where one's own account is signed in. */
export async function listSessionViews(
  { sessions }: SignInNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<Listed<SessionView>> {
  const page = readPage(query);
  const rows = await sessions.list(operator.accountId);
  const views = rows.map((row) => ({
    id: row.id,
    current: row.id === operator.sessionId,
    ip: row.ip,
    agent: row.agent,
    created_at: toSeconds(row.created_at_ms),
    last_used_at: toSeconds(row.seen_at_ms),
    expires_at: toSeconds(sessions.endsAtMs(row)),
  }));
  return cutPage(page, views);
}
