// Sessions of somebody, for operators, with ending one or all of it.
import { deleteSessions } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readSessionId } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { SessionView } from "../session/contract.ts";
import { toView } from "../session/list.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { PersonCalls } from "./contract.ts";
import { findPerson } from "./find.ts";

export async function listSessionsOf(
  needs: SignInNeeds,
  operator: Operator,
  { id, query }: InputOf<PersonCalls["listSessions"]>,
): Promise<Listed<SessionView>> {
  const account = await findPerson(needs, operator, id);
  const rows = await needs.sessions.list(account.id);
  return cutPage(
    pageOf(query),
    rows.map((row) => toView(needs, operator, row)),
  );
}

export async function endSessionOf(
  needs: SignInNeeds,
  operator: Operator,
  { id, part }: InputOf<PersonCalls["endSession"]>,
): Promise<{ id: string }> {
  const account = await findPerson(needs, operator, id);
  const sessionId = readSessionId(part);
  return await exclusively(needs, "identity", async () => {
    const rows = await needs.sessions.list(account.id);
    existing(rows.find((row) => row.id === sessionId));
    const changes = { session: sessionId };
    const note = { action: "user.session_end", target: account.id, changes } as const;
    await deleteSessions(noting(needs, operator, note).database, account.id, sessionId);
    return { id: sessionId };
  });
}

export async function endSessionsOf(
  needs: SignInNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ ended: number }> {
  const account = await findPerson(needs, operator, id);
  return await exclusively(needs, "identity", async () => {
    const rows = await needs.sessions.list(account.id);
    if (rows.length === 0) return { ended: 0 };
    const changes = { all: true };
    const note = { action: "user.session_end", target: account.id, changes } as const;
    await deleteSessions(noting(needs, operator, note).database, account.id, null);
    return { ended: rows.length };
  });
}
