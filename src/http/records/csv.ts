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
import { assertAskable, shownTable, type Seen } from "../../admin/hidden.ts";
import { AuditView, auditFilter } from "../../admin/audit/contract.ts";
import { LogView, logFilter, ownLogFilter } from "../../admin/log/contract.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { ownUsageFilter, usageFilter, UsageView } from "../../admin/usage/contract.ts";
import type { QueryEntry } from "../../core/reference-entry.ts";
import type { TSchema } from "../../core/schema.ts";
import { PiecesSource } from "../../gateway/stream/pieces-source.ts";
import { everySeat, holders } from "../../identity/role.ts";
import { inScope, route } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function csvRoutes(needs: RecordNeeds): ControlRoute[] {
  return [
    csv(needs, "/api/log.csv", {
      permission: "usage.read",
      item: LogView,
      name: "log",
      summary: "The usage log as a file",
      query: logFilter,
      open: openLogTable,
    }),
    inScope(
      csv(needs, "/api/log/self.csv", {
        item: LogView,
        name: "log",
        summary: "One's usage log as a file",
        query: ownLogFilter,
        open: openOwnLogTable,
      }),
      holders,
    ),
    csv(needs, "/api/usage.csv", {
      permission: "usage.read",
      item: UsageView,
      name: "usage",
      summary: "Sums of what was used as a file",
      query: usageFilter,
      open: openUsageTable,
    }),
    inScope(
      csv(needs, "/api/usage/self.csv", {
        item: UsageView,
        name: "usage",
        summary: "Sums of what one has used as a file",
        query: ownUsageFilter,
        open: openOwnUsageTable,
      }),
      everySeat,
    ),
    csv(needs, "/api/audit.csv", {
      permission: "audit.read",
      item: AuditView,
      name: "audit",
      summary: "The audit log as a file",
      query: auditFilter,
      open: openAuditTable,
    }),
  ];
}

interface CsvFile<Query extends QueryEntry> extends Seen {
  item: TSchema;
  name: string;
  summary: string;
  query: Query;
  open: OpenTable<QueryOf<Query>>;
}

function csv<Query extends QueryEntry>(
  needs: RecordNeeds,
  path: string,
  { name, summary, query, open, ...seen }: CsvFile<Query>,
): ControlRoute {
  const description = "Comma-separated values with a line of names, at most a million rows.";
  const answer = { type: "text/csv", description };
  const entry = { tag: "Records", summary, query, answer };
  const { permission, item } = seen;
  const address = { method: "GET", path, ...(permission && { permission }), entry } as const;
  return route(address, async (incoming, operator) => {
    assertAskable({ ...seen, query, answer: item }, operator, incoming.query);
    const table = await open(needs, operator, parseQuery(query, incoming.query));
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: { "content-disposition": `attachment; filename="sluice-${name}.csv"` },
      body: new PiecesSource(csvPieces(shownTable(seen, operator, table)), { isCutShort: true }),
    };
  });
}
