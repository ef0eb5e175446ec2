// The routes of the ledger: its lines, also as a file that is written while it is read, and the
// books as a whole.
import { ledgerCsvEntry, ledgerFilter } from "../../admin/ledger/contract.ts";
import { ledgerCsv } from "../../admin/ledger/csv.ts";
import type { BooksNeeds } from "../../admin/ledger/needs.ts";
import { booksVerbs, ledgerVerbs } from "../../admin/ledger/verbs.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { statementVerbs } from "../../admin/statement/verbs.ts";
import { PiecesSource } from "../../gateway/stream/pieces-source.ts";
import { route, routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function ledgerRoutes(needs: BooksNeeds): ControlRoute[] {
  return [
    ...routesOf(needs.records, ledgerVerbs),
    ...routesOf(needs, booksVerbs),
    ...routesOf(needs.records, statementVerbs),
    csvRoute(needs.records),
  ];
}

function csvRoute(needs: RecordNeeds): ControlRoute {
  const address = { method: "GET", path: "/api/ledger.csv", permission: "money.read" } as const;
  return route({ ...address, entry: ledgerCsvEntry }, async ({ query }) => ({
    status: 200,
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": 'attachment; filename="ledger.csv"' },
    body: new PiecesSource(await ledgerCsv(needs, parseQuery(ledgerFilter, query)), {
      isCutShort: true,
    }),
  }));
}
