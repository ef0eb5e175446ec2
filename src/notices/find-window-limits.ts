// Open windows of budgets whose limit is not what the budget and their raises make: an earlier
// version moved it.
import { dollarText } from "../core/money.ts";
import type { Database } from "../store/database.ts";
import { causesMax, type Cause } from "./notice.ts";
import { readUnexplainedWindows } from "./queries.ts";

export async function findWindowLimits(database: Database, nowMs: number): Promise<Cause[]> {
  const rows = await readUnexplainedWindows(database, nowMs, causesMax);
  return rows.map((row): Cause => {
    const parts = [row.budget_micros, row.carried_micros, row.raised_micros];
    const explained = Math.max(
      0,
      parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
    );
    const [limit, wanted] = [dollarText(row.limit_micros), dollarText(explained)];
    const command = `sluice budget correct ${row.budget_id}`;
    return {
      cause: `window_limit:${row.id}`,
      kind: "window_limit",
      accountId: row.account_id,
      isOwn: false,
      text:
        `The open window of the budget ${row.name} of ${row.username} has a limit of ${limit} ` +
        `instead of ${wanted}: ${command}.`,
      details: {
        account: row.username,
        budget: row.name,
        budget_id: row.budget_id,
        subject: row.subject_id,
        limit_micros: row.limit_micros,
        explained_micros: explained,
      },
    };
  });
}
