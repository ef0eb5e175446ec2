// The ledger as a file, written while it is read.
import { ledgerCsv } from "../admin/ledger/csv.ts";
import { ledgerCsvEntry } from "../admin/ledger/verbs.ts";
import type { RecordNeeds } from "../admin/record-needs.ts";
import { PiecesSource } from "../gateway/stream/pieces-source.ts";
import { route } from "./control-route.ts";
import type { ControlRoute } from "./route.ts";

export function ledgerCsvRoute(needs: RecordNeeds): ControlRoute {
  const address = { method: "GET", path: "/api/ledger.csv", role: "admin" } as const;
  return route({ ...address, entry: ledgerCsvEntry }, async ({ query }) => ({
    status: 200,
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": 'attachment; filename="ledger.csv"' },
    body: new PiecesSource(await ledgerCsv(needs, query), { isCutShort: true }),
  }));
}
