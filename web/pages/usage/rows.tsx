// The data behind the chart, one line for each name.
import type { SeriesAnswer, SeriesView } from "../../../src/admin/contract.ts";
import { seesMoney } from "../../core/session.ts";
import { compact, count, exactMoney, money, percent } from "../../core/format.ts";
import { Card } from "../../kit/figures.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { labels, nextSide, partsOf, type Side } from "./choices.ts";
import { requestsOf } from "./picture.tsx";
import { t } from "./words.ts";

interface Row {
  name: string | null;
  text: string;
  /** Payer of a key, for those who see the use of all. */
  account?: string | undefined;
  requests: number;
  failures: number;
  input: number;
  /** Part of the input. */
  cached: number;
  output: number;
  micros: number;
  /** Null where the reader is no operator. */
  margin: { cost: number; margin: number } | null;
}

export function Rows({ answer, by }: { answer: SeriesAnswer; by: Side }) {
  const words = t();
  const rows = answer.series.map((one) => rowOf(one, by));
  const columns = columnsOf(answer, by).filter((one) => one !== false);
  return (
    <Card title={words.table} isFlush>
      <div class="scrolls">
        <Table
          label={words.table}
          columns={columns}
          rows={rows}
          idOf={({ name }) => name ?? "*"}
          total={totalOf(columns, rows, by)}
        />
      </div>
    </Card>
  );
}

function rowOf({ name, label, account, points }: SeriesView, by: Side): Row {
  const words = t();
  const sum = (of: (point: SeriesView["points"][number]) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  if (name && label) labels.set(name, label);
  const rest = by === "none" ? words.all : words.others;
  return {
    name,
    text: name === null ? rest : label || name || words.unnamed,
    account,
    requests: sum(({ requests }) => requests),
    failures: sum(({ failures }) => failures),
    input: sum((point) => point.input_tokens),
    cached: sum((point) => point.cache_read_tokens),
    output: sum((point) => point.output_tokens),
    micros: sum(({ micros }) => micros),
    margin: points.some((point) => point.margin_micros !== undefined)
      ? {
          cost: sum(({ cost_micros: cost = 0 }) => cost),
          margin: sum(({ margin_micros: margin = 0 }) => margin),
        }
      : null,
  };
}

/** All rows as one, where there are several: its shares are those of the sums. */
function totalOf(columns: readonly Column<Row>[], rows: readonly Row[], by: Side) {
  if (rows.length < 2 || by === "none") return undefined;
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const all: Row = {
    name: null,
    text: t().all,
    requests: sum(({ requests }) => requests),
    failures: sum(({ failures }) => failures),
    input: sum(({ input }) => input),
    cached: sum(({ cached }) => cached),
    output: sum(({ output }) => output),
    micros: sum(({ micros }) => micros),
    margin: rows.some(({ margin }) => margin)
      ? {
          cost: sum(({ margin }) => margin?.cost ?? 0),
          margin: sum(({ margin }) => margin?.margin ?? 0),
        }
      : null,
  };
  return columns.map(({ cell }) => cell(all));
}

function amountOf(micros: number) {
  return <span title={exactMoney(micros)}>{money(micros)}</span>;
}

function marginColumns({ sum }: SeriesAnswer): Column<Row>[] {
  if (sum.margin_micros === undefined) return [];
  const words = t();
  const cell = (part: "cost" | "margin") => (row: Row) => row.margin && amountOf(row.margin[part]);
  const rest = { isRight: true, card: "hidden", yields: "late" } as const;
  return [
    { name: "cost", head: words.vendorCost, cell: cell("cost"), ...rest },
    { name: "margin", head: words.earned, cell: cell("margin"), ...rest },
  ];
}

function columnsOf(answer: SeriesAnswer, by: Side): (Column<Row> | false)[] {
  const words = t();
  const tokens = (value: number) => <span title={count(value)}>{compact(value)}</span>;
  const right = { isRight: true } as const;
  const next = nextSide(by);
  return [
    { name: "name", head: words.sides[by], cell: (row) => nameOf(row, by), card: "title" },
    {
      name: "requests",
      head: words.metrics.requests,
      cell: (row) => count(row.requests),
      ...right,
      hasHead: true,
    },
    {
      name: "success",
      head: words.success,
      cell: ({ requests, failures }) => percent(requests - failures, requests),
      ...right,
    },
    {
      name: "in",
      head: words.metrics.input,
      cell: ({ input }) => tokens(input),
      ...right,
      yields: "late",
      card: "hidden",
    },
    {
      name: "cached",
      head: words.cachedShare,
      cell: ({ cached, input }) => percent(cached, input),
      ...right,
      yields: "soon",
      card: "hidden",
    },
    {
      name: "out",
      head: words.metrics.output,
      cell: ({ output }) => tokens(output),
      ...right,
      yields: "late",
      card: "hidden",
    },
    seesMoney("usage.read") && {
      name: "spend",
      head: words.metrics.spend,
      cell: ({ micros }) => amountOf(micros),
      ...right,
      card: "aside",
    },
    ...marginColumns(answer),
    seesMoney("usage.read") && {
      name: "share",
      head: words.share,
      cell: ({ micros }) => <span class="quiet">{percent(micros, answer.sum.micros)}</span>,
      ...right,
      yields: "soon",
      card: "hidden",
    },
    ...(next === "none" || by === "none" ? [] : [partsColumn(by, next)]),
  ];
}

function partsColumn(by: Side, next: Side): Column<Row> {
  const words = t();
  return {
    name: "parts",
    head: words.next,
    cell: ({ name, text }) =>
      name && (
        <a
          class="parts"
          href={partsOf(by, name)}
          aria-label={words.partsOf(text, words.sides[next])}
        >
          {words.byText(words.sides[next])}
        </a>
      ),
  };
}

function nameOf({ name, text, account }: Row, by: Side) {
  const href = name === null || name === "" ? undefined : requestsOf(by)?.(name);
  if (href === undefined) return text;
  return (
    <span class="row">
      <a class="cut strong" href={href}>
        {text}
      </a>
      {account !== undefined && <span class="cut faint">{account}</span>}
    </span>
  );
}
