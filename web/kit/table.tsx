// Lists as tables, which below 760 px become cards of two lines.
import type { ComponentChildren } from "preact";
import { query, setQuery } from "../core/place.ts";
import type { Loaded } from "../core/api.ts";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";
import "./list-parts.ts";
import { t } from "./words.ts";

export interface Column<Row> {
  /** The column's name in code: unique in its table. */
  name: string;
  head: string;
  cell(row: Row): ComponentChildren;
  /** For numbers. */
  isRight?: boolean;
  /** The field that the server sorts by: the head of the column then does, in the address. */
  sort?: string;
  /** Its place in a card: the first line's left or right, the second line, or nowhere. */
  card?: "title" | "aside" | "line" | "hidden";
  /** In a card, a line says its head before its value. */
  hasHead?: boolean;
  /** Leaves where there is no room for all columns: the soonest first. */
  yields?: "soonest" | "soon" | "late";
}

interface TableOptions<Row> {
  label: string;
  columns: readonly (Column<Row> | null | false)[];
  rows: readonly Row[];
  idOf(row: Row): string;
  /** The whole row opens; in its title, or its first cell, stands a button for the keyboard. */
  onOpen?: ((row: Row) => void) | undefined;
  openId?: string | null;
  isWaiting?: boolean;
  /** Last line, of all rows together: a cell for each column. */
  total?: readonly ComponentChildren[] | undefined;
}

export function Table<Row>(options: TableOptions<Row>) {
  const { label, rows, idOf, onOpen, openId = null, isWaiting = false } = options;
  const columns = options.columns.filter(
    (one): one is Column<Row> => one !== null && one !== false,
  );
  const opener = columns.find(({ card }) => card === "title") ?? columns[0];
  return (
    <table
      class={`table cards${isWaiting ? " waiting" : ""}`}
      aria-label={label}
      aria-busy={isWaiting}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.name} {...column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={idOf(row)}
            data-opens={onOpen ? "" : undefined}
            data-selected={openId === idOf(row) ? "" : undefined}
            onClick={(event) => opens(event) && onOpen?.(row)}
          >
            {columns.map((column) => (
              <Cell
                key={column.name}
                {...{ column, row }}
                isTitle={column === opener}
                onOpen={onOpen}
              />
            ))}
          </tr>
        ))}
      </tbody>
      {options.total && <Total columns={columns} cells={options.total} />}
    </table>
  );
}

interface TotalOptions<Row> {
  columns: readonly Column<Row>[];
  cells: readonly ComponentChildren[];
}

function Total<Row>({ columns, cells }: TotalOptions<Row>) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ name, isRight, card = "line", yields }, at) => (
          <td
            key={name}
            class={isRight ? "right" : ""}
            data-card={at === 0 ? "title" : card === "title" ? "line" : card}
            data-yields={yields}
          >
            {cells[at]}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

const sorts = { ascending: "up", descending: "down", none: null } as const;

type HeadOptions = Pick<Column<never>, "head" | "isRight" | "sort" | "yields">;

function Head({ head, isRight, sort, yields }: HeadOptions) {
  const side = isRight ? "right" : "";
  if (sort === undefined) {
    return (
      <th scope="col" class={side} data-yields={yields}>
        {head || <span class="unseen">{t().more}</span>}
      </th>
    );
  }
  const now = query.value.get("sort");
  const state = now === sort ? "ascending" : now === `-${sort}` ? "descending" : "none";
  const next = { none: sort, ascending: `-${sort}`, descending: null }[state];
  const icon = sorts[state];
  return (
    <th scope="col" class={side} aria-sort={state} data-yields={yields}>
      <button
        type="button"
        class="sorts"
        onClick={() => setQuery({ sort: next, p: null, cursor: null })}
      >
        {head}
        {icon && <Icon name={icon} />}
      </button>
    </th>
  );
}

/** A click on something that does a thing of its own, or that marks text, opens nothing. */
function opens(event: MouseEvent): boolean {
  if (!(event.target instanceof Element) || event.target.closest("a, button, input, [popover]"))
    return false;
  return getSelection()?.isCollapsed !== false;
}

interface CellOptions<Row> {
  column: Column<Row>;
  row: Row;
  isTitle: boolean;
  onOpen: ((row: Row) => void) | undefined;
}

function Cell<Row>({ column, row, isTitle, onOpen }: CellOptions<Row>) {
  const content = column.cell(row);
  const place = column.card ?? (isTitle ? "title" : "line");
  const head = column.hasHead && place === "line" ? column.head : undefined;
  return (
    <td
      class={column.isRight ? "right" : ""}
      data-card={place}
      data-head={head}
      data-yields={column.yields}
    >
      {isTitle && onOpen ? (
        <button type="button" class="opens" onClick={() => onOpen(row)}>
          {content}
        </button>
      ) : (
        content
      )}
    </td>
  );
}

/** Answer of every list of the API: by pages, or by a cursor. */
export interface ListAnswer<Row> {
  items: Row[];
  total?: number;
  page?: number;
  page_size?: number;
  /** Cursor of the next page, where the list goes by cursors; null at its end. */
  next?: string | null;
}

export interface ListOptions<Row> extends Omit<TableOptions<Row>, "rows" | "isWaiting"> {
  loaded: Loaded<ListAnswer<Row>>;
  /** Stands in place of the table where there is nothing. */
  empty: ComponentChildren;
}

/** The table with all of its states, for few rows: first load, failure, nothing, all of them. */
export function ShortList<Row>({ loaded, empty, ...table }: ListOptions<Row>) {
  const { data, error, isPending, reload } = loaded;
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  if (!data) return <Waiting />;
  if (data.items.length === 0 && !query.value.get("cursor")) return <>{empty}</>;
  return (
    <>
      {error && <Failure error={error} onRetry={reload} />}
      <div class="scrolls">
        <Table {...table} rows={data.items} isWaiting={isPending} />
      </div>
    </>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label={t().loading}>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} style={{ height: "var(--row)", padding: "12px 16px" }}>
          <span class="skeleton" style={{ width: `${88 - ((at * 13) % 45)}%` }} />
        </div>
      ))}
    </div>
  );
}
