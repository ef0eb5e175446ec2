// The routes that try channels out, of which one may be told step by step.
import { trialCalls } from "../admin/channel/contract.ts";
import type { ChannelNeeds } from "../admin/channel/needs.ts";
import {
  followTrial,
  prepareDraft,
  prepareSaved,
  runTrial,
  type PreparedTrial,
} from "../admin/channel/probe.ts";
import type { Answer } from "../gateway/answer.ts";
import type { Operator } from "../identity/caller.ts";
import { rowOf, succeed } from "./control-route.ts";
import type { ControlRoute } from "./route.ts";

export function trialRoutes(needs: ChannelNeeds): ControlRoute[] {
  async function run(
    operator: Operator,
    { stream }: { stream?: "1" },
    prepared: PreparedTrial,
  ): Promise<Answer> {
    if (stream === undefined) return succeed(await runTrial(needs, operator, prepared));
    return {
      status: 200,
      contentType: "text/event-stream",
      headers: { "cache-control": "no-store" },
      body: followTrial(needs, operator, prepared),
    };
  }

  return [
    rowOf(trialCalls.draft, async ({ query, body }, operator, { scope }) =>
      run(operator, query, await prepareDraft(needs, operator, { body, scope })),
    ),
    rowOf(trialCalls.saved, async ({ query, id, body }, operator, { scope }) =>
      run(operator, query, await prepareSaved(needs, { id, body, scope })),
    ),
  ];
}
