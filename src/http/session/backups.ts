// The routes of backups. A file leaves the gateway in a browser alone, by a link made with a proof.
import { backupLinkCalls } from "../../admin/backup/contract.ts";
import { linkBackup, openByLink } from "../../admin/backup/link.ts";
import type { BackupNeeds } from "../../admin/backup/needs.ts";
import { backupVerbs } from "../../admin/backup/verbs.ts";
import { text } from "../../core/schema-words.ts";
import { PiecesSource } from "../../gateway/stream/pieces-source.ts";
import { route, routesOf, rowOf, succeed } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";
import type { OriginRules } from "./origin.ts";
import { visitorOf } from "./routes.ts";

export function backupRoutes(needs: BackupNeeds, rules: OriginRules): ControlRoute[] {
  return [
    ...routesOf(needs, backupVerbs),
    rowOf(backupLinkCalls.link, async (input, operator, incoming) => {
      const visitor = visitorOf(incoming, rules);
      return succeed(await linkBackup(needs, operator, { ...input, visitor }));
    }),
    fileRoute(needs),
  ];
}

const entry = {
  tag: "Backups",
  summary: "Download a backup by its link",
  query: { ticket: { schema: text(), isRequired: true, description: "As the link has it." } },
  answer: { type: "application/gzip", description: "The archive." },
} as const;

function fileRoute(needs: BackupNeeds): ControlRoute {
  const address = {
    method: "GET",
    path: "/api/backup/{name}/file",
    permission: "gateway.backup",
  } as const;
  const row = route({ ...address, entry }, async ({ params, query }, operator) => {
    const name = params["name"] ?? "";
    const ticket = query.get("ticket") ?? "";
    const { bytes, pieces } = await openByLink(needs, operator, { name, ticket });
    return {
      status: 200,
      contentType: "application/gzip",
      headers: {
        "cache-control": "no-store",
        "content-disposition": `attachment; filename="${name}"`,
        "x-content-type-options": "nosniff",
      },
      body: new PiecesSource(pieces, { isCutShort: true }),
      bytes,
    };
  });
  return { ...row, carriers: ["session"] };
}
