// Lists as files of comma-separated values, written as they are read.
import type { QueryOf } from "../../admin/call.ts";
import { csvPieces, type OpenTable } from "../../admin/csv/table.ts";
import {
  openAuditTable,
  openLogTable,
  openOwnLogTable,
  openOwnUsageTable,
  openUsageTable,
} from "../../admin/csv/tables.ts";
import { auditFilter } from "../../admin/audit/contract.ts";
import { logFilter, ownLogFilter } from "../../admin/log/contract.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { ownUsageFilter, usageFilter } from "../../admin/usage/contract.ts";
import type { QueryEntry } from "../../core/reference-entry.ts";
import { PiecesSource } from "../../gateway/stream/pieces-source.ts";
import { route } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function csvRoutes(needs: RecordNeeds): ControlRoute[] {
  return [
    csv(needs, "/api/log.csv", "admin", {
      name: "log",
      summary: "The usage log as a file",
      query: logFilter,
      open: openLogTable,
    }),
    csv(needs, "/api/log/self.csv", "user", {
      name: "log",
      summary: "One's usage log as a file",
      query: ownLogFilter,
      open: openOwnLogTable,
    }),
    csv(needs, "/api/usage.csv", "admin", {
      name: "usage",
      summary: "Sums of what was used as a file",
      query: usageFilter,
      open: openUsageTable,
    }),
    csv(needs, "/api/usage/self.csv", "user", {
      name: "usage",
      summary: "Sums of what one has used as a file",
      query: ownUsageFilter,
      open: openOwnUsageTable,
    }),
    csv(needs, "/api/audit.csv", "admin", {
      name: "audit",
      summary: "The audit log as a file",
      query: auditFilter,
      open: openAuditTable,
    }),
  ];
}

interface CsvFile<Query extends QueryEntry> {
  name: string;
  summary: string;
  query: Query;
  open: OpenTable<QueryOf<Query>>;
}

function csv<Query extends QueryEntry>(
  needs: RecordNeeds,
  path: string,
  role: ControlRoute["role"],
  { name, summary, query, open }: CsvFile<Query>,
): ControlRoute {
  const description = "Comma-separated values with a line of names, at most a million rows.";
  const answer = { type: "text/csv", description };
  const entry = { tag: "Records", summary, query, answer };
  return route({ method: "GET", path, role, entry }, async (incoming, operator) => {
    const table = await open(needs, operator, parseQuery(query, incoming.query));
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: { "content-disposition": `attachment; filename="sluice-${name}.csv"` },
      body: new PiecesSource(csvPieces(table), { isCutShort: true }),
    };
  });
}
