// The routes that try channels out, of which one may be told step by step.
import type { ChannelNeeds } from "../admin/channel/needs.ts";
import {
  followTrial,
  prepareDraft,
  prepareSaved,
  runTrial,
  type PreparedTrial,
} from "../admin/channel/probe.ts";
import { trialEntries } from "../admin/channel/verbs.ts";
import { invalid } from "../core/errors.ts";
import type { ReferenceEntry } from "../core/reference-entry.ts";
import { paramId, readBody, readOptionalBody, route, succeed } from "./control-route.ts";
import type { ControlRoute, Incoming } from "./route.ts";

type Prepare = (incoming: Incoming) => Promise<PreparedTrial>;

export function trialRoutes(needs: ChannelNeeds): ControlRoute[] {
  const row = (path: string, entry: ReferenceEntry, prepare: Prepare) =>
    route({ method: "POST", path, role: "admin", entry }, async (incoming, operator) => {
      const isStreamed = readStreamed(incoming.query);
      const prepared = await prepare(incoming);
      if (!isStreamed) return succeed(await runTrial(needs, operator, prepared));
      return {
        status: 200,
        contentType: "text/event-stream",
        headers: { "cache-control": "no-store" },
        body: followTrial(needs, operator, prepared),
      };
    });
  return [
    row("/api/channel/test", trialEntries.draft, async (incoming) =>
      prepareDraft(needs, { body: await readBody(incoming), scope: incoming.scope }),
    ),
    row("/api/channel/{id}/test", trialEntries.saved, async (incoming) => {
      const body = await readOptionalBody(incoming);
      return await prepareSaved(needs, { id: paramId(incoming), body, scope: incoming.scope });
    }),
  ];
}

function readStreamed(query: URLSearchParams): boolean {
  const value = query.get("stream");
  if (value === null || value === "" || value === "1") return value === "1";
  throw invalid("stream", "must be 1, or be left out");
}
