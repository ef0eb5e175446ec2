// A page that is a list: search, filters, pages, what is open beside it, and what makes a new one.
// All of it stands in the address.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Permission } from "../../src/admin/contract.ts";
import { withQuery, type Loaded } from "../core/api.ts";
import { askedPath, useAsked } from "../core/control.ts";
import type { Answer, Ask, Listing, RowOf } from "../core/control.ts";
import { isMaking, openId, pageId, query, setMaking, setQuery } from "../core/place.ts";
import { may } from "../core/session.ts";
import { Button, LinkButton } from "../kit/button.tsx";
import { CurlButton } from "../kit/code.tsx";
import { Empty } from "../kit/empty.tsx";
import { FilterSelect } from "../kit/field.tsx";
import { ClearFilters, FilterChips, SearchBox } from "../kit/filters.tsx";
import { Card } from "../kit/figures.tsx";
import { List } from "../kit/rest/list.tsx";
import type { Column, ListAnswer } from "../kit/table.tsx";
import { common } from "../kit/page-words.ts";
import { t } from "../kit/rest/words.ts";
import { titleOf, type PageName } from "../pages/titles.ts";
import { Screen } from "./screen.tsx";

/** Searched by what is typed, chosen among options, or set by links alone. */
export interface Filter<Name extends string = string> {
  name: Name;
  label: string;
  /** Values to choose from with their words, and the word for no choice. */
  choices?: Readonly<Record<string, string>>;
  all?: string;
  /** Only links set it: a chip tells of it, or nothing does. */
  isLinked?: "chip" | "hidden";
  /** The value on its chip. */
  shown?(value: string): string;
  /** A choice that is not its parameter alone. */
  value?: string;
  onChange?(value: string): void;
  /** Value for the API, where the address says it in other words. */
  asked?(value: string | null): string | null;
}

/** To the neighbours in the list. */
export interface Steps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** Drawer beside the list. */
export interface Opened<Row> extends Steps {
  id: string;
  /** Undefined where the list does not have it, or is awaited. */
  row: Row | undefined;
  isLoaded: boolean;
}

interface ListWords {
  empty: string;
  emptyText?: string;
  noMatch?: string;
  noMatchText?: string;
}

interface Parts<Row> {
  items: readonly Row[];
  table: ComponentChildren;
  loaded: Loaded<ListAnswer<Row>>;
  empty: ComponentChildren;
}

/** Also where they depend on all that is shown. */
type Columns<One, Row> =
  readonly (One | false)[] | ((items: readonly Row[]) => readonly (One | false)[]);

interface ViewOptions<Row, Answer, Name extends string = string> {
  label: string;
  words: ListWords;
  filters?: readonly (Filter<Name> | false)[];
  columns: Columns<Column<Row>, Row>;
  /** The row's name in the address; otherwise its `id`. */
  idOf?(row: Row): string;
  /** Key of the row where two may have one id. */
  rowKey?(row: Row): string;
  open?(opened: Opened<Row>): ComponentChildren;
  /** At the end of the filters. */
  tools?(answer: Answer | null, path: string): ComponentChildren;
  /** Between the filters and the list. */
  above?: ComponentChildren;
  /** Stands where there is nothing yet. */
  offer?: ComponentChildren;
  /** In place of the table in its card. */
  show?(parts: Parts<Row>): ComponentChildren;
  pageSize?: number;
  /** Goes by cursors in place of numbers. */
  isByCursor?: true;
  everyMs?: number;
  /** Asked again only while there is such a row. */
  moves?(row: Row): boolean;
}

interface PlainOptions<Row, Answer> extends ViewOptions<Row, Answer> {
  at: Listing;
  always?: Query;
}

const usualSize = 50;

function PlainList<Row extends object, Answer extends ListAnswer<Row> = ListAnswer<Row>>(
  options: PlainOptions<Row, Answer>,
) {
  const { label, idOf = idIn, open, show, everyMs = 0, moves } = options;
  const [isMoving, setMoving] = useState(moves === undefined);
  const filters = (options.filters ?? []).filter((one) => one !== false);
  const ask = { query: queryFor(options, filters) };
  const path = askedPath(options.at, ask);
  const loaded = useAsked(
    options.at,
    ask,
    isMoving ? everyMs : 0,
  ) as Loaded<unknown> as Loaded<Answer>;
  const items = loaded.data?.items ?? [];
  const columns = columnsFor(options, items);
  const someMove = moves === undefined || items.some(moves);
  useEffect(() => setMoving(someMove), [someMove]);
  const empty = <Nothing {...{ filters }} words={options.words} offer={options.offer} />;
  const shown = items.find((row) => idOf(row) === pageId.value);
  const keyOf = options.rowKey ?? idOf;
  const table = (
    <List<Row>
      {...{ label, loaded, columns, empty }}
      idOf={keyOf}
      openId={shown ? keyOf(shown) : null}
      onOpen={open && ((row) => openId(idOf(row)))}
    />
  );
  return (
    <>
      <Filters {...{ filters, path }} tools={options.tools?.(loaded.data, path)} />
      {options.above}
      {show ? show({ items, table, loaded, empty }) : <Card isFlush>{table}</Card>}
      {pageId.value !== null && open?.(openedOf(pageId.value, items, idOf, loaded.data !== null))}
    </>
  );
}

const idIn = (row: object) => String(Reflect.get(row, "id"));

function columnsFor<Row, Answer>(
  { columns }: PlainOptions<Row, Answer>,
  items: readonly Row[],
): readonly (Column<Row> | false)[] {
  return typeof columns === "function" ? columns(items) : columns;
}

type Query = Parameters<typeof askedPath>[1]["query"];

function queryFor<Row, Answer>(
  options: PlainOptions<Row, Answer>,
  filters: readonly Filter[],
): Query {
  const isSorted = columnsFor(options, []).some((one) => one && one.sort);
  const page = options.isByCursor ? "cursor" : "p";
  const names = [...filters.map(({ name }) => name), ...(isSorted ? ["sort"] : []), page];
  const said = Object.fromEntries(names.map((name) => [name, query.value.get(name)]));
  const asked: Record<string, string | null> = { ...said };
  for (const { name, asked: inOtherWords } of filters)
    if (inOtherWords) asked[name] = inOtherWords(said[name] ?? null);
  const page_size = options.pageSize ?? usualSize;
  return { ...options.always, ...asked, page_size };
}

function openedOf<Row>(
  id: string,
  items: readonly Row[],
  idOf: (row: Row) => string,
  isLoaded: boolean,
): Opened<Row> {
  const at = items.findIndex((row) => idOf(row) === id);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(idOf(to)));
  };
  return { id, row: items[at], isLoaded, onPrevious: step(-1), onNext: step(1) };
}

type QueryOf<At extends Listing> =
  Ask<At> extends { query?: infer Query } ? NonNullable<Query> : Record<never, never>;
/** Parameters that one of two addresses knows. */
type Parameter<At extends Listing> = At extends Listing
  ? Exclude<keyof QueryOf<At>, "p" | "page_size" | "sort"> & string
  : never;
/** Sorted by nothing that the address does not know. */
export type ColumnOf<At extends Listing> = Column<RowOf<At>> & {
  sort?: Exclude<QueryOf<At> extends { sort?: infer By } ? By : never, `-${string}` | null>;
};

interface ListOptions<At extends Listing> extends Omit<
  ViewOptions<RowOf<At>, Answer<At>, Parameter<At>>,
  "columns"
> {
  at: At;
  /** Said with every question. */
  always?: QueryOf<At>;
  columns: Columns<ColumnOf<At>, RowOf<At>>;
}

/** The list of an address, within a page: what it does not know does not compile. */
export function ListView<At extends Listing>(options: ListOptions<At>) {
  return <PlainList<RowOf<At>, Answer<At> & ListAnswer<RowOf<At>>> {...options} />;
}

interface PageOptions {
  name: PageName;
  /** Button for a new one; offered too where there is none yet. */
  make?: {
    label: string;
    form(onClose: () => void): ComponentChildren;
    isOffered?: true;
    /** Without it there is no button. */
    needs?: Permission;
  };
  /** In the top bar, in place of the button that makes a new one. */
  buttons?: ComponentChildren;
  /** Dialogs over the list. */
  children?: ComponentChildren;
}

type PageOf<Options> = Omit<Options, "label"> & PageOptions;

export function ListPage<At extends Listing>({
  name,
  make: stated,
  buttons,
  children,
  ...list
}: PageOf<ListOptions<At>>) {
  const title = titleOf(name);
  const make = stated?.needs && !may(stated.needs) ? undefined : stated;
  const maker = make && (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {make.label}
    </Button>
  );
  // The rest of the options is the list's own.
  const options = { ...list, label: title, offer: list.offer ?? (make?.isOffered && maker) };
  return (
    <Screen title={title} tools={buttons ?? maker}>
      <ListView<At> {...(options as unknown as ListOptions<At>)} />
      {make && isMaking() && make.form(() => setMaking(false))}
      {children}
    </Screen>
  );
}

interface FiltersOptions {
  filters: readonly Filter[];
  path: string;
  tools: ComponentChildren;
}

function Filters({ filters, path, tools }: FiltersOptions) {
  const chips = filters.map(({ name, label, isLinked, shown = String }) => {
    const value = query.value.get(name);
    return isLinked === "chip" && value !== null && { name, text: `${label}: ${shown(value)}` };
  });
  return (
    <div class="bar">
      {filters
        .filter(({ isLinked }) => isLinked === undefined)
        .map((one) =>
          one.choices ? (
            <Choice key={one.name} {...one} />
          ) : (
            <SearchBox key={one.name} name={one.name} label={one.label} />
          ),
        )}
      <FilterChips chips={chips} />
      <span class="push row">
        {tools}
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function Choice({ name, label, all = "", choices = {}, ...choice }: Filter) {
  const options = [["", all], ...Object.entries(choices)] as const;
  const value = choice.value ?? query.value.get(name) ?? "";
  const known = options.find(([one]) => one === value)?.[0] ?? "";
  const onChange =
    choice.onChange ?? ((next: string) => setQuery({ [name]: next, p: null, cursor: null }));
  return <FilterSelect<string> value={known} {...{ label, options, onChange }} />;
}

/** The rows of a path in one file, without pages. */
export function CsvLink({ path, name }: { path: string; name: string }) {
  const [place, text] = path.split("?");
  const {
    p: _,
    cursor: __,
    page_size: ___,
    ...asked
  } = Object.fromEntries(new URLSearchParams(text));
  return (
    <LinkButton
      kind="plain"
      isSmall
      icon="download"
      href={withQuery(`${place}.csv`, asked)}
      download={`${name}.csv`}
    >
      {common().csv}
    </LinkButton>
  );
}

interface NothingOptions {
  filters: readonly Filter[];
  words: ListWords;
  offer: ComponentChildren;
}

function Nothing({ filters, words, offer }: NothingOptions) {
  if (!filters.some(({ name }) => query.value.get(name))) {
    const { empty, emptyText } = words;
    return (
      <Empty title={empty} {...(emptyText !== undefined && { text: emptyText })}>
        {offer}
      </Empty>
    );
  }
  const { noMatch = t().noMatch, noMatchText = common().noMatchText } = words;
  const all = [...filters.map(({ name }) => name), "p", "cursor"];
  return (
    <Empty title={noMatch} text={noMatchText}>
      <ClearFilters onClick={() => setQuery(Object.fromEntries(all.map((name) => [name, null])))} />
    </Empty>
  );
}
