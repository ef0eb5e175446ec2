// The audit trail: who did what to which thing. An entry is part of the very commit that makes the
// change: there is no change without its entry, and no entry of what did not happen.
import type { Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Operator } from "../../identity/caller.ts";
import type { AccountRow } from "../../identity/queries.ts";
import { roleOf } from "../../identity/roles/rights.ts";
import { accompany } from "../../store/accompany.ts";
import { createDatabase, toStatement, type Database } from "../../store/database.ts";
import type { ListedRow } from "../../store/step.ts";
import type { Store } from "../../store/store.ts";
import { auditEntryStep, insertOfEntry, type AuditRow } from "./queries.ts";

/** The actor to be named; null where it is no account. */
export type Actor = Pick<AuditRow, "actor_id" | "actor_name" | "actor_role" | "carrier" | "ip">;

export interface Note {
  /** Kind of the thing, a point, and the act. */
  action: `${string}.${string}`;
  target: string;
  /** Never a secret. */
  changes?: JsonObject;
}

/** Needs of every change, for it is written together with its entry. */
export interface NotingNeeds {
  store: Store;
  database: Database;
  ids: Ids;
  clock: Clock;
}

export const configActor: Actor = {
  actor_id: null,
  actor_name: null,
  actor_role: null,
  carrier: "config",
  ip: null,
};

/** Someone who is still on the way in. */
export function visitorActor(account: AccountRow, ip: string): Actor {
  const { id: actor_id, username: actor_name } = account;
  return { actor_id, actor_name, actor_role: roleOf(account), carrier: "visitor", ip };
}

/** Someone of whom nothing is known but from where. */
export function strangerActor(ip: string): Actor {
  return { actor_id: null, actor_name: null, actor_role: null, carrier: "visitor", ip };
}

/** The person, also where it acts for an organisation. */
export function personOf(operator: Operator): Pick<Operator, "accountId" | "username" | "role"> {
  const { seat } = operator;
  if (!seat) return operator;
  return { accountId: seat.personId, username: seat.username, role: seat.platformRole };
}

export function actorOf(operator: Operator): Actor {
  const { accountId, username, role } = personOf(operator);
  const { ip = null } = operator;
  const facts = { actor_id: accountId, actor_name: username, actor_role: role, ip };
  if (operator.isCommandLine) return { ...facts, carrier: "cli" };
  return { ...facts, carrier: operator.sessionId === undefined ? "token" : "session" };
}

/** The store and the database whose one next commit carries the entry; a second one would fail. */
export function noting(
  needs: NotingNeeds,
  by: Operator | Actor,
  note: Note,
): { store: Store; database: Database } {
  const insert = insertOfEntry(needs.database, toRow(needs, by, note));
  const store = accompany(needs.store, [toStatement(insert.compile())]);
  return { store, database: createDatabase(store) };
}

/** The entry as a row that the ledger writes along with money. */
export function joinedEntry(needs: NotingNeeds, by: Operator | Actor, note: Note): ListedRow {
  return auditEntryStep.listed(toRow(needs, by, note));
}

/** The entry as a query, for a commit that makes many changes at once. */
export function entryQuery(needs: NotingNeeds, by: Operator | Actor, note: Note) {
  return insertOfEntry(needs.database, toRow(needs, by, note));
}

/** For what happened without changing anything else. */
export async function noteAlone(
  needs: NotingNeeds,
  by: Operator | Actor,
  note: Note,
): Promise<void> {
  await insertOfEntry(needs.database, toRow(needs, by, note)).execute();
}

function toRow({ ids, clock }: NotingNeeds, by: Operator | Actor, note: Note): AuditRow {
  const { action, target, changes = {} } = note;
  return {
    id: ids.audit(),
    at_ms: clock.nowMs(),
    ...("carrier" in by ? by : actorOf(by)),
    action,
    target_kind: action.slice(0, action.indexOf(".")),
    target_id: target,
    changes: JSON.stringify(changes),
  };
}
