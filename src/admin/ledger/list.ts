// The lines of the ledger: what was given, charged and given back.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { readKeyNames, readUsernames } from "../../identity/queries.ts";
import type { EntryFilter } from "../../quota/history/queries.ts";
import { entriesCountedMax, readEntries } from "../../quota/history/read-entries.ts";
import type { EntryTable } from "../../store/schema.ts";
import type { InputOf, QueryOf } from "../call.ts";
import { toSeconds } from "../input.ts";
import { ownWhoseNamed, whoseNamed } from "../named.ts";
import { pageOf, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import { spanOf } from "../span.ts";
import type {
  KeptCreditView,
  LedgerCalls,
  ledgerFilter,
  LedgerView,
  ListedLedger,
  ListedOwnLedger,
  ownLedgerFilter,
  OwnLedgerView,
} from "./contract.ts";

const creditPrefix = "credit_";

export async function listLedgerViews(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<LedgerCalls["list"]>,
): Promise<ListedLedger> {
  const filter = await toFilter(needs, query);
  return await list(needs, filter, query, (rows) => toLedgerViews(needs, rows));
}

/** One's own, without who booked it and what the gateway lost. */
export async function listOwnLedgerViews(
  needs: RecordNeeds,
  operator: Pick<Operator, "accountId" | "seat">,
  { query }: InputOf<LedgerCalls["listOwn"]>,
): Promise<ListedOwnLedger> {
  const filter = { ...toPlain(query), ...(await ownWhoseNamed(needs, operator, query)) };
  return await list(needs, filter, query, (rows) => toOwnViews(needs, rows));
}

async function list<View>(
  { database, ledger, store }: RecordNeeds,
  filter: EntryFilter,
  query: InputOf<LedgerCalls["listOwn"]>["query"],
  toViews: (rows: readonly EntryTable[]) => Promise<View[]>,
) {
  const page = pageOf(query);
  const { cursor: after = null } = query;
  if (after === null && page.offset + page.limit > entriesCountedMax) {
    throw invalid("p", `goes beyond ${entriesCountedMax} rows: go on with the cursor in next`);
  }
  await ledger.settled();
  await store.applied();
  const offset = after === null ? page.offset : 0;
  const read = await readEntries(database, filter, { limit: page.limit, offset, after });
  const { next } = read;
  return {
    ...toListed(page, await toViews(read.rows), read.total),
    total_is_exact: read.isTotalExact,
    next: next && `${next.atMs}-${next.id}`,
  };
}

export async function toFilter(
  needs: RecordNeeds,
  query: QueryOf<typeof ledgerFilter>,
): Promise<EntryFilter> {
  const whose = await whoseNamed(needs, query);
  return { ...toPlain(query), ...whose, ...(query.loss && { hasLoss: true as const }) };
}

function toPlain(query: QueryOf<typeof ownLedgerFilter>): EntryFilter {
  const { id, kind } = query;
  return {
    ...spanOf(query),
    ...(kind && { kind }),
    ...(id && { ids: [id, creditPrefix + id] }),
  };
}

export async function toLedgerViews(
  needs: Pick<RecordNeeds, "database">,
  rows: readonly EntryTable[],
): Promise<LedgerView[]> {
  const accounts = [...new Set(rows.map((row) => row.account_id))];
  const names = await readUsernames(needs.database, accounts);
  const views = await toOwnViews(needs, rows);
  return rows.flatMap((row, at) => {
    const { loss_micros, actor, account_id: id } = row;
    const view = views[at];
    return view ? [{ ...view, loss_micros, account: names.get(id) ?? id, actor }] : [];
  });
}

async function toOwnViews(
  { database }: Pick<RecordNeeds, "database">,
  rows: readonly EntryTable[],
): Promise<OwnLedgerView[]> {
  const names = await readKeyNames(database, [
    ...new Set(rows.flatMap(({ key_id }) => key_id ?? [])),
  ]);
  return rows.map((row) => toOwnView(row, names.get(row.key_id ?? "") ?? null));
}

function toOwnView(row: EntryTable, keyName: string | null): OwnLedgerView {
  return {
    id: shownId(row),
    kind: row.kind,
    at: toSeconds(row.at_ms),
    micros: row.micros,
    held_micros: row.held_micros,
    given_back_micros: row.kind === "grant" ? 0 : Math.max(0, row.held_micros - row.micros),
    key_id: row.key_id,
    key_name: keyName,
    group: row.group_name,
    model: row.model,
    price: row.price,
    usage: row.usage,
    reason: row.reason,
  };
}

export function toKeptCredit(row: EntryTable): KeptCreditView {
  const { micros, reason } = row;
  return { id: shownId(row), kind: "grant", at: toSeconds(row.at_ms), micros, reason };
}

function shownId({ id }: EntryTable): string {
  return id.startsWith(creditPrefix) ? id.slice(creditPrefix.length) : id;
}
