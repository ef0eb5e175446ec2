// Captures that run, and those of the last day.
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { readKeyNames, readUsernames } from "../../identity/queries.ts";
import { readCaptures } from "../../observe/capture/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import { findConcerning, isOn, mayEnd, readRights, type Concerning } from "./concern.ts";
import type { CaptureCalls, CaptureView } from "./contract.ts";
import type { CaptureNeeds } from "./needs.ts";

export async function listCaptures(
  needs: CaptureNeeds,
  operator: Operator,
  { query }: InputOf<CaptureCalls["list"]>,
): Promise<Listed<CaptureView>> {
  const rows = await readCaptures(needs.database);
  const listed = cutPage(pageOf(query), await findConcerning(needs, operator, rows));
  return { ...listed, items: await viewCaptures(needs, operator, listed.items) };
}

export async function viewCaptures(
  { database, clock, channels }: Pick<CaptureNeeds, "database" | "clock" | "channels">,
  operator: Operator,
  concerning: readonly Concerning[],
): Promise<CaptureView[]> {
  const rows = concerning.map(({ row }) => row);
  const nowMs = clock.nowMs();
  const nameOf = (wanted: string | null) =>
    channels.all.find(({ settings }) => settings.id === wanted)?.settings.name;
  const accounts = rows.flatMap(({ account_id, actor_id }) => [account_id ?? [], actor_id].flat());
  const actors = await readRights(
    { database },
    rows.map(({ actor_id }) => actor_id),
  );
  const names = await readUsernames(database, [...new Set<AccountId>(accounts)]);
  const keyIds = rows.flatMap(({ key_id }) => key_id ?? []);
  const keyNames = await readKeyNames(database, keyIds);
  return rows.map((row, at) => ({
    id: row.id,
    account: row.account_id && (names.get(row.account_id) ?? row.account_id),
    key_id: row.key_id,
    key_name: keyNames.get(row.key_id ?? "") ?? null,
    model: row.model,
    // The way of requests is the gateway's affair.
    channel: operator.may.has("channels.read") ? (nameOf(row.channel_id) ?? row.channel_id) : null,
    requests: row.requests_max,
    taken: concerning[at]?.taken ?? row.taken,
    until: toSeconds(row.until_ms),
    is_on: isOn(row, nowMs),
    may_end: mayEnd(operator, row, actors),
    by: names.get(row.actor_id) ?? row.actor_id,
    created_at: toSeconds(row.created_at_ms),
  }));
}
