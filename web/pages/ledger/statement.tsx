// The statement of a month: what was there, what came, where it went by model and key, and what is
// left. It is laid out for paper too: the browser makes a PDF of it.
import type { StatementView } from "../../../src/admin/contract.ts";
import { askedPath, useAsked } from "../../core/control.ts";
import { count, exactMoney, moment } from "../../core/format.ts";
import { query, setQuery } from "../../core/place.ts";
import { may, scopedAt, site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { monthName } from "./month.ts";
import { t } from "./words.ts";

const monthsOffered = 24;

/** This month and those before it, in UTC. */
function months(): string[] {
  const now = new Date();
  return Array.from({ length: monthsOffered }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

export function Statement() {
  const words = t();
  const known = months();
  const asked = query.value.get("month");
  const month = asked ?? known[0] ?? "";
  const account = may("money.read") ? (query.value.get("account") ?? "") : null;
  const at = scopedAt("GET /api/statement", "GET /api/statement/self", "money.read");
  const ask = { query: { month, account } };
  const { data, error, reload } = useAsked(account === "" ? null : at, ask);
  const options = known.includes(month) ? known : [month, ...known];
  return (
    <>
      <div class="bar">
        {account !== null && <SearchBox name="account" label={words.searchAccount} />}
        <FilterSelect<string>
          label={words.month}
          value={month}
          options={options.map((one) => [one, monthName(one)] as const)}
          onChange={(next) => setQuery({ month: next === known[0] ? null : next })}
        />
        <span class="push row">
          {data && (
            <Button icon="download" onClick={() => print()}>
              {words.print}
            </Button>
          )}
          <CurlButton path={askedPath(at, ask)} />
        </span>
      </div>
      {account === "" && (
        <Card>
          <Empty title={words.whose} text={words.whoseText} />
        </Card>
      )}
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && account !== "" && <Skeleton lines={10} />}
      {data && <Paper statement={data} />}
    </>
  );
}

function Paper({ statement }: { statement: StatementView }) {
  const words = t();
  const { account, month, from, to, is_over: isOver } = statement;
  const days = `${moment(from + 43_200, "date")} – ${moment(to - 43_200, "date")}`;
  return (
    <article class="stack statement" aria-label={words.statementOf(account, monthName(month))}>
      <header class="row wraps">
        <h2>{words.statementOf(account, monthName(month))}</h2>
        <span class="push faint">
          {site.value?.name} · {location.host}
        </span>
      </header>
      <p class="quiet">
        {days} (UTC){isOver ? "" : ` · ${words.stillOpen}`}
      </p>
      <Card title={words.sums} isFlush>
        <Sums statement={statement} />
      </Card>
      <Card title={words.chargesBy} isFlush>
        <Charges statement={statement} />
      </Card>
      {statement.credits.length > 0 && (
        <Card title={words.credits} isFlush>
          <Credits statement={statement} />
        </Card>
      )}
    </article>
  );
}

interface Sum {
  name: string;
  micros: number;
}

function Sums({ statement }: { statement: StatementView }) {
  const words = t();
  const rows: Sum[] = [
    { name: words.opening, micros: statement.opening_micros },
    { name: words.credits, micros: statement.granted_micros },
    { name: words.charges, micros: -statement.spent_micros },
  ];
  return (
    <Table<Sum>
      label={words.sums}
      rows={rows}
      idOf={({ name }) => name}
      columns={[
        { name: "name", head: words.what, cell: ({ name }) => name, card: "title" },
        amountColumn(words.amount, ({ micros }) => micros),
      ]}
      total={[words.closing, exactMoney(statement.closing_micros)]}
    />
  );
}

function amountColumn<Row>(head: string, of: (row: Row) => number): Column<Row> {
  return {
    name: "amount",
    head,
    cell: (row) => exactMoney(of(row)),
    isRight: true,
    card: "aside",
  };
}

type Line = StatementView["lines"][number];

function Charges({ statement: { lines, spent_micros: spent } }: { statement: StatementView }) {
  const words = t();
  if (lines.length === 0) return <Empty title={words.noCharges} />;
  const all = lines.reduce((sum, { charges }) => sum + charges, 0);
  return (
    <Table<Line>
      label={words.chargesBy}
      rows={lines}
      idOf={({ model, key_id: key }) => `${model} ${key}`}
      columns={[
        { name: "model", head: words.model, cell: ({ model }) => model ?? "–", card: "title" },
        { name: "key", head: words.key, cell: (one) => one.key_name ?? one.key_id ?? "–" },
        {
          name: "charges",
          head: words.charges,
          cell: ({ charges }) => count(charges),
          isRight: true,
          hasHead: true,
        },
        amountColumn(words.amount, ({ micros }) => micros),
      ]}
      total={[words.total, "", count(all), exactMoney(spent)]}
    />
  );
}

type Credit = StatementView["credits"][number];

function Credits({ statement }: { statement: StatementView }) {
  const words = t();
  return (
    <Table<Credit>
      label={words.credits}
      rows={statement.credits}
      idOf={({ id }) => id}
      columns={[
        { name: "at", head: words.at, cell: ({ at }) => moment(at, "date") },
        { name: "why", head: words.reason, cell: ({ reason }) => reason ?? "–", card: "title" },
        amountColumn(words.amount, ({ micros }) => micros),
      ]}
      total={[words.total, "", exactMoney(statement.granted_micros)]}
    />
  );
}
