// People whom a capture concerns, and those who may end it. One of a model or a channel has no
// account of its own: it concerns everybody whose requests it may take or has taken.
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { readKeyIdsOf } from "../../identity/organisations/queries.ts";
import { readGroupsOf, readRoles } from "../../identity/queries.ts";
import { isAbove, noPermissions, rightsOf, type Rights } from "../../identity/roles/rights.ts";
import { countCaptured, type CaptureRow } from "../../observe/capture/queries.ts";
import { personOf } from "../audit/entry.ts";
import type { CaptureNeeds } from "./needs.ts";

type ConcernNeeds = Pick<CaptureNeeds, "database" | "clock" | "channels">;

/** A capture as one person is shown it. */
export interface Concerning {
  row: CaptureRow;
  /** Requests taken that this person may know of. */
  taken: number;
}

/**
 * Those that the operator is shown: all with the permission, or what concerns its own account, and
 * of a member of an organisation what concerns the keys that it made there.
 */
export async function findConcerning(
  needs: ConcernNeeds,
  operator: Operator,
  rows: readonly CaptureRow[],
): Promise<Concerning[]> {
  const { may, accountId, seat } = operator;
  if (may.has("contents.read")) return rows.map((row) => ({ row, taken: row.taken }));
  if (seat?.role === "member") {
    const keys: readonly (KeyId | null)[] = [null, ...(await ownKeysOf(needs, operator))];
    const own = rows.filter((row) => row.account_id === accountId && keys.includes(row.key_id));
    return own.map((row) => ({ row, taken: row.taken }));
  }
  const nowMs = needs.clock.nowMs();
  const taken = await countCaptured(needs.database, accountId);
  const groups = await readGroupsOf(needs.database, accountId);
  return rows.flatMap((row) => {
    if (row.account_id === accountId) return [{ row, taken: row.taken }];
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

/** Keys that a member of an organisation made there. */
async function ownKeysOf(
  { database }: Pick<CaptureNeeds, "database">,
  { accountId, seat }: Operator,
): Promise<KeyId[]> {
  if (!seat) return [];
  return await readKeyIdsOf(database, accountId, { makerId: seat.personId });
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

/**
 * Allow its actor, the one account it captures, and those who capture and are above the actor. Of
 * an organisation's, a member may end what is of its own key alone, and a viewer none.
 */
export function mayEnd(
  operator: Operator,
  row: CaptureRow,
  actors: ReadonlyMap<AccountId, Rights>,
): boolean {
  const { accountId, seat } = operator;
  const isActor = row.actor_id === personOf(operator).accountId;
  if (seat?.role === "viewer") return false;
  if (seat?.role === "member") return isActor || row.key_id !== null;
  if (isActor || row.account_id === accountId) return true;
  const actor = actors.get(row.actor_id) ?? { role: "user", may: noPermissions };
  return operator.may.has("contents.capture") && isAbove(operator, actor);
}

export async function readRights(
  { database }: Pick<CaptureNeeds, "database">,
  ids: readonly AccountId[],
): Promise<Map<AccountId, Rights>> {
  const rows = [...(await readRoles(database, [...new Set(ids)]))];
  const all = rows.map(async ([id, row]) => [id, await rightsOf(database, row)] as const);
  return new Map(await Promise.all(all));
}
