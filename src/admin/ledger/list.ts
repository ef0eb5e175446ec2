// The lines of the ledger: what was given, charged and given back.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { readUsernames } from "../../identity/queries.ts";
import type { EntryFilter, EntryPlace } from "../../quota/history/queries.ts";
import { entriesCountedMax, readEntries } from "../../quota/history/read-entries.ts";
import type { EntryTable } from "../../store/schema.ts";
import type {
  KeptCreditView,
  LedgerView,
  ListedLedger,
  ListedOwnLedger,
  OwnLedgerView,
} from "../contract.ts";
import { toSeconds } from "../input.ts";
import { readMomentMs } from "../moments.ts";
import { readOwnWhose, readWhose } from "../named.ts";
import { readPage, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import { readWord } from "../search.ts";

export const entryKinds = ["grant", "post", "void"] as const;
const creditPrefix = "credit_";

export async function listLedgerViews(
  needs: RecordNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<ListedLedger> {
  const filter = await readFilter(needs, query);
  return await list(needs, filter, query, (rows) => toLedgerViews(needs, rows));
}

/** One's own, without who booked it and what the gateway lost. */
export async function listOwnLedgerViews(
  needs: RecordNeeds,
  { accountId }: Pick<Operator, "accountId">,
  query: URLSearchParams,
): Promise<ListedOwnLedger> {
  const filter = { ...readPlain(query), ...(await readOwnWhose(needs, accountId, query)) };
  return await list(needs, filter, query, async (rows) => rows.map(toOwnView));
}

async function list<View>(
  { database, ledger, store }: RecordNeeds,
  filter: EntryFilter,
  query: URLSearchParams,
  toViews: (rows: readonly EntryTable[]) => Promise<View[]>,
) {
  const page = readPage(query);
  const after = readCursor(query);
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

export async function readFilter(needs: RecordNeeds, query: URLSearchParams): Promise<EntryFilter> {
  const hasLoss = readWord(query, "loss", ["true"]) !== null;
  const whose = await readWhose(needs, query);
  return { ...readPlain(query), ...whose, ...(hasLoss && { hasLoss: true as const }) };
}

function readPlain(query: URLSearchParams): EntryFilter {
  const [fromMs, toMs] = [readMomentMs(query, "from"), readMomentMs(query, "to")];
  const id = query.get("id");
  const kind = readWord(query, "kind", entryKinds);
  return {
    ...(fromMs !== null && { fromMs }),
    ...(toMs !== null && { toMs }),
    ...(kind !== null && { kind }),
    ...(id && { ids: [id, creditPrefix + id] }),
  };
}

function readCursor(query: URLSearchParams): EntryPlace | null {
  const text = query.get("cursor");
  if (text === null || text === "") return null;
  const [, atMs, id] = /^(\d{1,15})-(.{1,200})$/.exec(text) ?? [];
  if (atMs === undefined || id === undefined) {
    throw invalid("cursor", "must be the next of a page before");
  }
  return { atMs: Number(atMs), id };
}

export async function toLedgerViews(
  { database }: Pick<RecordNeeds, "database">,
  rows: readonly EntryTable[],
): Promise<LedgerView[]> {
  const names = await readUsernames(database, [...new Set(rows.map((row) => row.account_id))]);
  return rows.map((row) => ({
    ...toOwnView(row),
    loss_micros: row.loss_micros,
    account: names.get(row.account_id) ?? row.account_id,
    actor: row.actor,
  }));
}

function toOwnView(row: EntryTable): OwnLedgerView {
  return {
    id: shownId(row),
    kind: row.kind,
    at: toSeconds(row.at_ms),
    micros: row.micros,
    held_micros: row.held_micros,
    given_back_micros: row.kind === "grant" ? 0 : Math.max(0, row.held_micros - row.micros),
    key_id: row.key_id,
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
