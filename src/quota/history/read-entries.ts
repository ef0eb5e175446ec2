// Reads a page of the ledger with work that has bounds, however long the book is: what no index
// leads to is looked for among so many lines, and the next page goes on from there.
import type { Database } from "../../store/database.ts";
import type { EntryTable } from "../../store/schema.ts";
import type { Page } from "../../store/select-page.ts";
import {
  countEntries,
  findEntryPlace,
  listEntryRows,
  type EntryFilter,
  type EntryPlace,
  type Stretch,
} from "./queries.ts";

interface EntryPage {
  rows: EntryTable[];
  /** At most `entriesCountedMax`. */
  total: number;
  isTotalExact: boolean;
  /** Null at the end. */
  next: EntryPlace | null;
}

/** Lines are counted up to this many. */
export const entriesCountedMax = 10_000;
const rowsLookedAtMax = 20_000;

export async function readEntries(
  database: Database,
  filter: EntryFilter,
  page: Page & { after: EntryPlace | null },
): Promise<EntryPage> {
  const stretch = await bound(database, filter, page.after);
  const rows = await readRows(database, filter, stretch, page);
  const counted = page.after === null ? stretch : await bound(database, filter, null);
  const total = await countEntries(database, filter, counted, entriesCountedMax + 1);
  const isTotalExact = total <= entriesCountedMax && counted.end === null;
  return { ...rows, total: Math.min(total, entriesCountedMax), isTotalExact };
}

/** A page alone, for those who go through all of them. */
export async function readOn(
  database: Database,
  filter: EntryFilter,
  page: Page & { after: EntryPlace | null },
): Promise<Pick<EntryPage, "rows" | "next">> {
  return await readRows(database, filter, await bound(database, filter, page.after), page);
}

async function readRows(
  database: Database,
  filter: EntryFilter,
  stretch: Stretch,
  { limit, offset }: Page,
): Promise<Pick<EntryPage, "rows" | "next">> {
  const more = await listEntryRows(database, filter, stretch, { limit: limit + 1, offset });
  const rows = more.slice(0, limit);
  const last = more.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last ? { atMs: last.at_ms, id: last.id } : stretch.end };
}

/** Up to where a look goes: to the end where an index leads to every line that is wanted. */
async function bound(
  database: Database,
  filter: EntryFilter,
  after: EntryPlace | null,
): Promise<Stretch> {
  const { keyIds, kind, ids, ...indexed } = filter;
  const passesOver = keyIds !== undefined || (kind !== undefined && kind !== "grant");
  if (!passesOver || ids !== undefined) return { after, end: null };
  const everything = { after, end: null };
  return { after, end: await findEntryPlace(database, indexed, everything, rowsLookedAtMax) };
}
