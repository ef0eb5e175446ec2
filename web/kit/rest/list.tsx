// Lists that the server pages.
import { count } from "../../core/format.ts";
import { query, setQuery } from "../../core/place.ts";
import { Button } from "../button.tsx";
import { ShortList, type ListAnswer, type ListOptions } from "../table.tsx";
// For the lists of most pages, and so in one file with them.
import "./amount.tsx";
import { t } from "./words.ts";

/** The table with all of its states, and the way to what follows. */
export function List<Row>(options: ListOptions<Row>) {
  const { data } = options.loaded;
  const isEmpty = data?.items.length === 0 && !query.value.get("cursor");
  return (
    <>
      <ShortList {...options} />
      {data && !isEmpty && <Pager data={data} />}
    </>
  );
}

/** The list's place stands in the address, as `p` or `cursor`. */
export function Pager({ data }: { data: ListAnswer<unknown> }) {
  const { total, page = 1, page_size: size = 0, next } = data;
  const words = t();
  const cursor = query.value.get("cursor");
  if (next !== undefined) {
    if (next === null && cursor === null) return null;
    return (
      <div class="pager">
        <span class="push" />
        <Button isSmall isDisabled={cursor === null} onClick={() => history.back()}>
          {words.newer}
        </Button>
        <Button isSmall isDisabled={next === null} onClick={() => setQuery({ cursor: next }, true)}>
          {words.older}
        </Button>
      </div>
    );
  }
  const pages = size > 0 && total !== undefined ? Math.max(1, Math.ceil(total / size)) : 1;
  if (pages === 1) return null;
  const turn = (to: number) => setQuery({ p: to === 1 ? null : String(to) }, true);
  return (
    <div class="pager">
      <span>{words.rows(count(total ?? 0))}</span>
      <span class="push">{words.pageOf(page, pages)}</span>
      <Button isSmall isDisabled={page <= 1} onClick={() => turn(page - 1)}>
        {words.previous}
      </Button>
      <Button isSmall isDisabled={page >= pages} onClick={() => turn(page + 1)}>
        {words.next}
      </Button>
    </div>
  );
}
