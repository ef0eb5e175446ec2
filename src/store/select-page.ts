// A list in pages: the rows of one of them, and how many there are in all.
import type { SelectQueryBuilder } from "kysely";
import type { Tables } from "./schema.ts";

export interface Page {
  offset: number;
  limit: number;
}

export interface PageOfRows<Row> {
  items: Row[];
  total: number;
}

/** `rows` are what is shown, in order; `matching` is what is counted, before columns are chosen. */
export async function selectPage<Known, From extends keyof Known, Row>(
  rows: SelectQueryBuilder<Known, From, Row>,
  matching: SelectQueryBuilder<Tables, keyof Tables, Record<never, never>>,
  page: Page,
): Promise<PageOfRows<Row>> {
  const items = await rows.offset(page.offset).limit(page.limit).execute();
  const counted = await matching
    .select((query) => query.fn.countAll<number>().as("total"))
    .executeTakeFirst();
  return { items, total: counted?.total ?? 0 };
}
