// Lists in pages: `p` from 1 on and `page_size` in, the same and the total out.
import { invalid } from "../core/errors.ts";
import type { Listed } from "./contract/reply.ts";
import { pageNumberMax, usualPages } from "./contract/basics.ts";

interface PageAsk {
  number: number;
  limit: number;
  offset: number;
}

export function readPage(query: URLSearchParams, sizes = usualPages): PageAsk {
  const number = readWhole(query, "p", pageNumberMax) ?? 1;
  const limit = readWhole(query, "page_size", sizes.most) ?? sizes.usual;
  return { number, limit, offset: (number - 1) * limit };
}

/** Page of a parsed query. */
export function pageOf({ p, page_size: limit }: { p: number; page_size: number }): PageAsk {
  return { number: p, limit, offset: (p - 1) * limit };
}

export function toListed<Item>(page: PageAsk, items: Item[], total: number): Listed<Item> {
  return { items, total, page: page.number, page_size: page.limit };
}

/** For lists that are short enough to be read as a whole. */
export function cutPage<Item>(page: PageAsk, all: readonly Item[]): Listed<Item> {
  return toListed(page, all.slice(page.offset, page.offset + page.limit), all.length);
}

function readWhole(query: URLSearchParams, name: string, most: number): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw invalid(name, `must be a whole number from 1 to ${most}.`);
}
