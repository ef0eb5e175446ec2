// The lists that can be had as files: the usage log, sums of usage, and the audit log.
import type { Operator } from "../../identity/caller.ts";
import { readUsageRows } from "../../observe/listing/read-usage.ts";
import type { ListPlace, UsageFilter } from "../../observe/listing/queries.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import { toAuditFilter, toViews as toAuditViews } from "../audit/list.ts";
import { listEntriesBefore, type AuditFilter } from "../audit/queries.ts";
import { AuditView, type auditFilter } from "../audit/contract.ts";
import type { QueryOf } from "../call.ts";
import { LogView, type logFilter, type ownLogFilter } from "../log/contract.ts";
import { toFilter, toOwnFilter } from "../log/filter.ts";
import { toView, toViews } from "../log/view.ts";
import { awaitLog, type RecordNeeds } from "../record-needs.ts";
import {
  usageRowsMax,
  UsageView,
  type ListedUsage,
  type ownUsageFilter,
  type usageFilter,
} from "../usage/contract.ts";
import { listOwnUsage, listUsageViews } from "../usage/list.ts";
import { pageRows, type OpenTable } from "./table.ts";

const logColumns = Object.keys(LogView.properties).filter(
  (name) => name !== "tries" && name !== "trace",
);
const forAll: readonly string[] = LogView.required;

export const openLogTable: OpenTable<QueryOf<typeof logFilter>> = async (
  needs,
  _operator,
  query,
) => {
  const filter = await toFilter(needs, query);
  await awaitLog(needs);
  return { columns: logColumns, pages: pagesOfLog(needs, filter, (rows) => toViews(needs, rows)) };
};

export const openOwnLogTable: OpenTable<QueryOf<typeof ownLogFilter>> = async (
  needs,
  operator,
  query,
) => {
  const filter = await toOwnFilter(needs, operator, query);
  await awaitLog(needs);
  const columns = logColumns.filter((name) => forAll.includes(name));
  return { columns, pages: pagesOfLog(needs, filter, async (rows) => rows.map(toView)) };
};

async function* pagesOfLog(
  { store }: RecordNeeds,
  filter: UsageFilter,
  show: (rows: UsageRow[]) => Promise<object[]>,
): AsyncGenerator<object[]> {
  let after: ListPlace | undefined;
  for (;;) {
    const { rows, next } = await readUsageRows(store, filter, {
      limit: pageRows,
      offset: 0,
      after,
    });
    yield await show(rows);
    if (next === null) return;
    after = next;
  }
}

export const openUsageTable = usageTable<QueryOf<typeof usageFilter>>(listUsageViews);
export const openOwnUsageTable = usageTable<QueryOf<typeof ownUsageFilter>>(listOwnUsage);

interface UsagePage {
  p: number;
  page_size: number;
}

type ListUsage<Query> = (
  needs: RecordNeeds,
  operator: Operator,
  input: { query: Query & UsagePage },
) => Promise<ListedUsage>;

function usageTable<Query>(list: ListUsage<Query>): OpenTable<Query> {
  return async (needs, operator, query) => {
    const read = (page: number) =>
      list(needs, operator, { query: { ...query, p: page, page_size: usageRowsMax } });
    const first = await read(1);
    const [row = {}] = first.items;
    const columns = Object.keys(UsageView.properties).filter((name) => name in row);
    return { columns, pages: pagesOfUsage(first, read) };
  };
}

async function* pagesOfUsage(
  first: ListedUsage,
  read: (page: number) => Promise<ListedUsage>,
): AsyncGenerator<object[]> {
  let listed = first;
  for (;;) {
    yield listed.items;
    if (listed.page * listed.page_size >= listed.total) return;
    listed = await read(listed.page + 1);
  }
}

export const openAuditTable: OpenTable<QueryOf<typeof auditFilter>> = async (
  needs,
  _operator,
  query,
) => {
  const filter = await toAuditFilter(needs, query);
  await needs.store.applied();
  return { columns: Object.keys(AuditView.properties), pages: pagesOfAudit(needs, filter) };
};

async function* pagesOfAudit(
  { database }: RecordNeeds,
  filter: AuditFilter,
): AsyncGenerator<object[]> {
  let id: string | null = null;
  for (;;) {
    const rows = await listEntriesBefore(database, filter, { id, limit: pageRows });
    yield await toAuditViews(database, rows);
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) return;
    id = last.id;
  }
}
