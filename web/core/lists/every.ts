// All rows of a list, page after page, for choices and counts that must not stop at one page.
import { useEffect, useState } from "preact/hooks";
import { call, type Loaded } from "../api.ts";
import { askedPath, useAsked, type Listing, type RowOf } from "../control.ts";

interface RowList<Row> {
  items: readonly Row[];
  total?: number;
}

interface EveryRow<Row> extends Loaded<RowList<Row>> {
  /** Rows that have come so far; none until the first page is there. */
  rows: readonly Row[];
}

/** Null asks nothing. The first page is shown while the others are on their way. */
export function useEvery<At extends Listing>(
  at: At | null,
  query: Readonly<Record<string, string>> = {},
): EveryRow<RowOf<At>> {
  type List = RowList<RowOf<At>>;
  const asked = { ...query, page_size: 100 };
  const loaded = useAsked(at, { query: asked }) as Loaded<unknown> as Loaded<List>;
  const { data } = loaded;
  const [read, setRead] = useState<{ of: List | null; rows: List["items"] }>(nothing);
  useEffect(() => {
    let isOver = false;
    const readOn = async (p: number, before: List["items"]): Promise<void> => {
      if (!at || isOver || before.length >= (data?.total ?? 0)) return;
      const { items } = await call<List>("GET", askedPath(at, { query: { ...asked, p } }));
      const rows = [...before, ...items];
      if (isOver || items.length === 0) return;
      setRead({ of: data, rows });
      await readOn(p + 1, rows);
    };
    // A page that does not come leaves those before it.
    readOn(2, data?.items ?? []).catch(() => {});
    return () => {
      isOver = true;
    };
  }, [data]);
  return { ...loaded, rows: data && read.of === data ? read.rows : (data?.items ?? []) };
}

const nothing = { of: null, rows: [] };
