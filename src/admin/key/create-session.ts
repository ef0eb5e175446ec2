// Makes the key of a page: for an hour, for as long as its session, and in no list.
import { GatewayError } from "../../core/errors.ts";
import type { Sessions } from "../../identity/access/sessions.ts";
import type { Operator } from "../../identity/caller.ts";
import { readSessionKeys, revocationOf } from "../../identity/keys/queries.ts";
import { findAccount, insertsOfKey } from "../../identity/queries.ts";
import { createApiKey } from "../../identity/secrets.ts";
import { commitTogether } from "../../store/database.ts";
import { noting } from "../audit/entry.ts";
import type { SessionKey } from "./contract.ts";
import { exclusively } from "../exclusively.ts";
import { existing, toSeconds } from "../input.ts";
import type { KeyNeeds } from "./needs.ts";
import { toFields, toNewRow } from "./row.ts";

export interface SessionKeyNeeds extends KeyNeeds {
  sessions: Sessions;
}

const lifeMs = 3_600_000;
/** One for each page that is open; of more than that the oldest ends. */
const keysPerSessionMax = 8;
/** The key's name in the log. */
const name = "console";

export async function createSessionKey(
  needs: SessionKeyNeeds,
  operator: Operator,
): Promise<SessionKey> {
  const { clock, authenticator } = needs;
  const { accountId, sessionId } = operator;
  return await exclusively(needs, "identity", async () => {
    const open = await needs.sessions.list(accountId);
    const session = open.find(({ id }) => id === sessionId);
    if (!session) throw new GatewayError("permission_denied");
    const { group_name: group } = existing(await findAccount(needs.database, accountId));
    const nowMs = clock.nowMs();
    const expiresAtMs = Math.min(nowMs + lifeMs, needs.sessions.endsAtMs(session));
    const text = createApiKey(needs.random);
    const row = {
      ...toNewRow(needs, { accountId, fields: toFields({ name }, group), text, declared: 0 }),
      expires_at_ms: expiresAtMs,
      session_id: session.id,
    };
    const known = await readSessionKeys(needs.database, session.id);
    const ended = known.filter(
      ({ expires_at_ms: untilMs }, at) =>
        at >= keysPerSessionMax - 1 || (untilMs !== null && untilMs <= nowMs),
    );
    const note = { action: "key.create", target: row.id, changes: { name } } as const;
    const { store, database } = noting(needs, operator, note);
    await commitTogether(store, [
      ...insertsOfKey(database, row, null),
      ...ended.map(({ id }) => revocationOf(database, id, nowMs)),
    ]);
    for (const { hash } of [row, ...ended]) authenticator.forgetKey(hash);
    return { id: row.id, key: text, expires_at: toSeconds(expiresAtMs) };
  });
}
