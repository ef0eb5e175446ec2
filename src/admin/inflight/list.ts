// Requests under way: the paid requests of this process, the oldest first.
import { formatOfRoute } from "../../observe/format-of-route.ts";
import type { AccountId } from "../../core/ids.ts";
import type { OpenCalls, RunningCall } from "../../gateway/open-calls.ts";
import type { Operator } from "../../identity/caller.ts";
import { readUsernames } from "../../identity/queries.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { cutPage, pageOf } from "../page.ts";
import type { InflightCalls, InflightView } from "./contract.ts";

export interface InflightNeeds extends NotingNeeds {
  openCalls: Pick<OpenCalls, "all" | "find">;
}

export async function listInflight(
  { openCalls, database, clock }: InflightNeeds,
  _operator: Operator,
  { query }: InputOf<InflightCalls["list"]>,
): Promise<Listed<InflightView>> {
  const nowMs = clock.monotonicMs();
  const listed = cutPage(pageOf(query), openCalls.all);
  const ids = new Set<AccountId>(listed.items.map(({ caller }) => caller.accountId));
  const usernames = await readUsernames(database, [...ids]);
  const items = listed.items.map((call) => {
    const { accountId } = call.caller;
    return { ...toView(call, nowMs), account: usernames.get(accountId) ?? accountId };
  });
  return { ...listed, items };
}

function toView(call: RunningCall, nowMs: number): Omit<InflightView, "account"> {
  const { caller, channel, scope } = call;
  return {
    request_id: scope.requestId,
    age_ms: Math.round(nowMs - scope.startedAtMs),
    key_id: caller.keyId,
    key_name: caller.keyName,
    group: caller.group,
    route: call.route,
    format: formatOfRoute(call.route),
    model: call.model,
    stream: call.stream,
    channel: channel?.settings.name ?? null,
    channel_id: channel?.settings.id ?? null,
    attempts: call.attempts,
    ip: call.ip,
    bytes: call.ending?.shownBytes ?? 0,
    can_end: call.ending !== null,
  };
}
