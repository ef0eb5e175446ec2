// People whom a capture concerns, and those who may end it. One of a model or a channel has no
// account of its own: it concerns everybody whose requests it may take or has taken.
import type { AccountId } from "../../core/ids.ts";
import type { Operator, Role } from "../../identity/caller.ts";
import { readGroupsOf } from "../../identity/queries.ts";
import { countCaptured, type CaptureRow } from "../../observe/capture/queries.ts";
import type { CaptureNeeds } from "./needs.ts";

type ConcernNeeds = Pick<CaptureNeeds, "database" | "clock" | "channels">;

/** A capture as one person is shown it. */
export interface Concerning {
  row: CaptureRow;
  /** Requests taken that this person may know of. */
  taken: number;
}

/** Those that the operator is shown: admins all, members what concerns their own account. */
export async function findConcerning(
  needs: ConcernNeeds,
  { role, accountId }: Operator,
  rows: readonly CaptureRow[],
): Promise<Concerning[]> {
  if (role !== "user") return rows.map((row) => ({ row, taken: row.taken }));
  const nowMs = needs.clock.nowMs();
  const taken = await countCaptured(needs.database, accountId);
  const groups = await readGroupsOf(needs.database, accountId);
  return rows.flatMap((row) => {
    if (isOwn(row, accountId)) return [{ row, taken: row.taken }];
    if (row.account_id !== null) return [];
    const own = taken.get(row.id) ?? 0;
    return own > 0 || (isOn(row, nowMs) && canTake(needs, row, groups))
      ? [{ row, taken: own }]
      : [];
  });
}

export function isOn({ taken, requests_max, until_ms }: CaptureRow, nowMs: number): boolean {
  return taken < requests_max && nowMs < until_ms;
}

function isOwn({ account_id, actor_id }: CaptureRow, accountId: AccountId): boolean {
  return account_id === accountId || actor_id === accountId;
}

/** Whether a key of one of the groups can get a request to where it is captured. */
function canTake(
  { channels }: ConcernNeeds,
  { model, channel_id }: CaptureRow,
  groups: readonly string[],
): boolean {
  return groups.some((group) => {
    const reached =
      model === null
        ? channels.all.filter(({ settings }) => settings.groups.includes(group))
        : channels.candidates(model, group);
    return reached.some(({ settings }) => channel_id === null || settings.id === channel_id);
  });
}

/** Allow its actor, the one account it captures, root, and an admin where the actor is a member. */
export function mayEnd(
  { role, accountId }: Operator,
  row: CaptureRow,
  roles: ReadonlyMap<AccountId, Role>,
): boolean {
  if (isOwn(row, accountId) || role === "root") return true;
  return role === "admin" && roles.get(row.actor_id) === "user";
}
