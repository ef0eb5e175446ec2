// Lists in pages: `p` from 1 on and `page_size` in, the same and the total out.
import type { Listed } from "./contract/reply.ts";

interface PageAsk {
  number: number;
  limit: number;
  offset: number;
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
