// The usage log as people read it: one row a request, and one for the end of each task.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { sumListed } from "../../observe/listing/sum-usage.ts";
import { readUsage, totalMax, type UsageListing } from "../../observe/listing/read-usage.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import type { InputOf } from "../call.ts";
import { pageOf, toListed } from "../page.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import { toSums } from "../usage/sums.ts";
import type { ListedLog, LogCalls, LogView } from "./contract.ts";
import { toFilter, toOwnFilter } from "./filter.ts";
import { readTraces, toOwnTrace, withRoute } from "./trace.ts";
import { toView, toViews } from "./view.ts";
import { readTries, toAttemptView, toOwnAttemptView } from "./tries.ts";

/** Everyone's requests, or those of the `account` that is named. */
export async function listLog(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<LogCalls["list"]>,
): Promise<ListedLog> {
  const filter = await toFilter(needs, query);
  return await list(needs, { filter, query }, async (rows) => {
    const tries = await readTries(needs, filter, rows);
    const trace = await readTraces(needs, filter, rows);
    const views = await toViews(needs, rows);
    return rows.map((row, at) => {
      const shown = tries(row, toAttemptView);
      const { tries: each = [] } = shown;
      const traced = withRoute(trace(row, each), row, each);
      return { ...(views[at] ?? toView(row)), ...shown, ...traced };
    });
  });
}

/** The operator's own requests, without what is the gateway's own affair. */
export async function listOwnLog(
  needs: RecordNeeds,
  operator: Operator,
  { query }: InputOf<LogCalls["listOwn"]>,
): Promise<ListedLog> {
  const filter = await toOwnFilter(needs, operator, query);
  return await list(needs, { filter, query }, async (rows) => {
    const tries = await readTries(needs, filter, rows);
    const trace = await readTraces(needs, filter, rows);
    return rows.map((row) => {
      const shown = tries(row, toOwnAttemptView);
      return { ...toView(row), ...shown, ...toOwnTrace(trace(row, shown.tries ?? [])) };
    });
  });
}

async function list(
  needs: RecordNeeds,
  { filter, query }: { filter: UsageFilter; query: InputOf<LogCalls["listOwn"]>["query"] },
  show: (rows: UsageRow[]) => Promise<LogView[]>,
): Promise<ListedLog> {
  const page = pageOf(query);
  const { cursor: after } = query;
  if (after === undefined && page.offset + page.limit > totalMax) {
    throw invalid("p", `goes beyond ${totalMax} rows: go on with the cursor in next`);
  }
  const offset = after === undefined ? page.offset : 0;
  await awaitLog(needs);
  const usage = await readUsage(needs.store, filter, { limit: page.limit, offset, after });
  const isFirst = after === undefined && page.number === 1;
  return {
    ...toListed(page, await show(usage.rows), usage.total),
    sum: isFirst ? await readSum(needs, filter, usage) : null,
    total_is_exact: usage.isTotalExact,
    next: usage.next && [usage.next.atMs, usage.next.id ?? []].flat().join("-"),
  };
}

/** So few rows are summed one by one. */
const fewRows = 1000;

async function readSum(
  { store, clock }: RecordNeeds,
  filter: UsageFilter,
  { total, isTotalExact }: UsageListing,
): Promise<ListedLog["sum"]> {
  const isFew = isTotalExact && total <= fewRows;
  const sum = await sumListed(store, filter, { nowMs: clock.nowMs(), isFew });
  return sum && { ...toSums((measure) => sum.sums[measure]), is_exact: sum.isExact };
}
