// The routes of the ledger: its lines, also as a file that is written while it is read, and the
// books as a whole.
import { ledgerCsv } from "../../admin/ledger/csv.ts";
import type { BooksNeeds } from "../../admin/ledger/needs.ts";
import { ledgerCsvEntry, ledgerVerbs } from "../../admin/ledger/verbs.ts";
import type { RecordNeeds } from "../../admin/record-needs.ts";
import { PiecesSource } from "../../gateway/stream/pieces-source.ts";
import { route, rowsWith } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function ledgerRoutes(needs: BooksNeeds): ControlRoute[] {
  const record = rowsWith(needs.records);
  const whole = rowsWith(needs);
  return [
    record("GET", "/api/ledger", "admin", ledgerVerbs.list),
    record("GET", "/api/ledger/self", "user", ledgerVerbs.listOwn),
    record("GET", "/api/hold", "admin", ledgerVerbs.holds),
    whole("GET", "/api/user/{id}/balance", "admin", ledgerVerbs.balance),
    whole("GET", "/api/user/self/balance", "user", ledgerVerbs.ownBalance),
    whole("GET", "/api/ledger/verify", "admin", ledgerVerbs.verdict),
    whole("POST", "/api/ledger/verify", "admin", ledgerVerbs.verify),
    csvRoute(needs.records),
  ];
}

function csvRoute(needs: RecordNeeds): ControlRoute {
  const address = { method: "GET", path: "/api/ledger.csv", role: "admin" } as const;
  return route({ ...address, entry: ledgerCsvEntry }, async ({ query }) => ({
    status: 200,
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": 'attachment; filename="ledger.csv"' },
    body: new PiecesSource(await ledgerCsv(needs, query), { isCutShort: true }),
  }));
}
