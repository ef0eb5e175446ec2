// Lists as files of comma-separated values, written as they are read.
import { csvPieces, type OpenTable } from "../../admin/csv/table.ts";
import {
  openAuditTable,
  openLogTable,
  openOwnLogTable,
  openOwnUsageTable,
  openUsageTable,
} from "../../admin/csv/tables.ts";
import { auditFilter } from "../../admin/audit/contract.ts";
import { logFilter } from "../../admin/log/verbs.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { ofOthers } from "../../admin/search.ts";
import { usageFilter } from "../../admin/usage/verbs.ts";
import type { QueryEntry } from "../../core/reference-entry.ts";
import { PiecesSource } from "../../gateway/stream/pieces-source.ts";
import { route } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function csvRoutes(needs: RecordNeeds): ControlRoute[] {
  return [
    csv(needs, "/api/log.csv", "admin", {
      name: "log",
      summary: "The usage log as a file",
      query: { ...logFilter, ...ofOthers },
      open: openLogTable,
    }),
    csv(needs, "/api/log/self.csv", "user", {
      name: "log",
      summary: "One's usage log as a file",
      query: logFilter,
      open: openOwnLogTable,
    }),
    csv(needs, "/api/usage.csv", "admin", {
      name: "usage",
      summary: "Sums of what was used as a file",
      query: { ...usageFilter, ...ofOthers },
      open: openUsageTable,
    }),
    csv(needs, "/api/usage/self.csv", "user", {
      name: "usage",
      summary: "Sums of what one has used as a file",
      query: usageFilter,
      open: openOwnUsageTable,
    }),
    csv(needs, "/api/audit.csv", "admin", {
      name: "audit",
      summary: "The audit log as a file",
      query: auditFilter,
      open: (...[records, operator, query]) =>
        openAuditTable(records, operator, parseQuery(auditFilter, query)),
    }),
  ];
}

interface CsvFile {
  name: string;
  summary: string;
  query: QueryEntry;
  open: OpenTable<URLSearchParams>;
}

function csv(
  needs: RecordNeeds,
  path: string,
  role: ControlRoute["role"],
  { name, summary, query, open }: CsvFile,
): ControlRoute {
  const description = "Comma-separated values with a line of names, at most a million rows.";
  const answer = { type: "text/csv", description };
  const entry = { tag: "Records", summary, query, answer };
  return route({ method: "GET", path, role, entry }, async (incoming, operator) => {
    const table = await open(needs, operator, incoming.query);
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: { "content-disposition": `attachment; filename="sluice-${name}.csv"` },
      body: new PiecesSource(csvPieces(table), { isCutShort: true }),
    };
  });
}
