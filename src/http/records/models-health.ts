// How the models are doing: for admins, or for anybody where the operator shows it.
import { ModelsHealth } from "../../admin/health/contract.ts";
import { readModelsHealth } from "../../admin/health/read.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { whole } from "../../core/schema-words.ts";
import { route, succeed } from "../control-route.ts";
import type { Incoming, Route } from "../route.ts";

export function modelsHealthRoutes(
  needs: RecordNeeds,
  { showsStatus }: { showsStatus: boolean },
): Route[] {
  const entry = {
    tag: "System",
    summary: "How the models are doing",
    description: "For admins, or for anybody where `site.shows_status` is set.",
    query: { days: { schema: whole(), description: "How many days: 30, at most 90." } },
    answer: ModelsHealth,
  };
  const address = { method: "GET", path: "/api/health/models", entry } as const;
  const serve = async ({ query }: Incoming) => succeed(await readModelsHealth(needs, query));
  return showsStatus
    ? [{ ...address, policy: "public", envelope: "session", serve }]
    : [route({ ...address, role: "admin" }, serve)];
}
