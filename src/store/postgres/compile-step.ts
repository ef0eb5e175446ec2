// A step of a program in PostgreSQL's words: statements for the body of a function that has the
// step's list in `_rows`. New rows and sums go in at once; what may name the same row twice goes
// one by one, in order.
import { boundNames } from "../bound-names.ts";
import type { Fragment, Program, Step } from "../step.ts";
import type { Value } from "../store.ts";
import { conflictState } from "./store-error.ts";

/** Type of every column that is not text, under `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

type Cell = (column: string) => string;
type Action<Kind extends Step["action"]["kind"]> = Extract<Step["action"], { kind: Kind }>;

export function compileStep(step: Step, program: Program, types: ColumnTypes): string {
  const { table, columns, action } = step;
  const cell = cellsOf(step, types);
  switch (action.kind) {
    case "insert":
      return atOnce(step, insertAll(step, action, cell));
    case "ensure":
      return `${insertAll(step, {}, cell)}
    on conflict (${action.key.join(", ")}) do nothing;`;
    case "replace":
      return oneByOne(step, upsertOne(step, action.key, cell));
    case "add":
      return addAll(step, action.key, cell);
    case "accumulate":
      return upsertSums(step, action, `select ${selected(columns, cell)} from ${listed}`);
    case "sum":
      return upsertSums(step, action, sourceOf(step, action, program, types));
    case "update":
      return oneByOne(step, updateOne(step, action, cell));
    case "delete": {
      const [first = ""] = columns;
      if (columns.length > 1) {
        return oneByOne(step, `delete from ${table} where ${conditions(columns, cell)}`);
      }
      // A join with the list is planned badly where the table was small; this never is.
      const keys = `array(select ${cell(first)} from ${listed})`;
      return atOnce(step, `delete from ${table} where ${first} = any (${keys})`);
    }
  }
}

const listed = "jsonb_array_elements(_rows) with ordinality as listed (_row, _place)";

function insertAll(
  { table, columns }: Step,
  { also = {} }: Omit<Action<"insert">, "kind">,
  cell: Cell,
): string {
  const names = [...columns, ...Object.keys(also)];
  const values = [
    ...columns.map(cell),
    ...Object.values(also).map((fragment) => bind(fragment, cell)),
  ];
  return `insert into ${table} (${names.join(", ")})
    select ${values.join(", ")} from ${listed} order by _place`;
}

function upsertOne({ table, columns }: Step, key: readonly string[], cell: Cell): string {
  const sets = without(columns, key).map((column) => `${column} = excluded.${column}`);
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map(cell).join(", ")})
    on conflict (${key.join(", ")}) do update set ${sets.join(", ")}`;
}

function updateOne(
  { table, columns }: Step,
  { key, compared = [], also = {}, where }: Action<"update">,
  cell: Cell,
): string {
  const sets = [
    ...without(columns, [...key, ...compared]).map((column) => `${column} = ${cell(column)}`),
    ...Object.entries(also).map(([column, fragment]) => `${column} = ${bind(fragment, cell)}`),
  ];
  const only = where === undefined ? "" : ` and (${bind(where, cell)})`;
  return `update ${table} set ${sets.join(", ")} where ${conditions(key, cell)}${only}`;
}

/** Rows that others change as well are locked in the order of their keys, so that nobody waits. */
function addAll({ list, table, columns }: Step, key: readonly string[], cell: Cell): string {
  const rest = without(columns, key);
  const sums = [
    ...key.map((column) => `${cell(column)} as ${column}`),
    ...rest.map((column) => `sum(${cell(column)})::bigint as ${column}`),
  ];
  const grouped = `select ${sums.join(", ")} from ${listed} group by ${places(key)}`;
  const sets = rest.map((column) => `${column} = changed.${column} + summed.${column}`);
  const isSame = key.map((column) => `changed.${column} = summed.${column}`).join(" and ");
  return `
    perform 1 from ${table} as changed
      where (${key.join(", ")}) in (select ${key.map(cell).join(", ")} from ${listed})
      order by ${key.join(", ")} for no key update;
    update ${table} as changed set ${sets.join(", ")} from (${grouped}) as summed where ${isSame};
    get diagnostics _changed = row_count;
    select count(*) into _expected from (${grouped}) as summed;
    ${unless(list)}`;
}

function upsertSums(
  { table, columns }: Step,
  { key, max }: Action<"accumulate"> | Action<"sum">,
  source: string,
): string {
  const rest = without(columns, key);
  const sums = rest.map((column) => `least(sum(${column})::numeric, ${max})::bigint`);
  const sets = rest.map(
    (column) => `${column} = least(${table}.${column} + excluded.${column}, ${max})`,
  );
  return `insert into ${table} (${[...key, ...rest].join(", ")})
    select ${[...key, ...sums].join(", ")} from (${source}) as source
    group by ${places(key)} order by ${places(key)}
    on conflict (${key.join(", ")}) do update set ${sets.join(", ")};`;
}

/** The rows that are summed were made of the same list, so they are read from that. */
function sourceOf(
  step: Step,
  { of, values, names }: Action<"sum">,
  program: Program,
  types: ColumnTypes,
) {
  const maker = program.find(({ table, list }) => table === of && list === step.list);
  if (!maker) throw new Error(`no step makes the rows of ${of} that ${step.table} sums`);
  const own = selected(maker.columns, cellsOf(maker, types));
  const words: Readonly<Record<string, Fragment>> = values;
  const measured = step.columns.map((column) => `${words[column] ?? "0"} as ${column}`);
  const source = `select ${measured.join(", ")} from (select ${own} from ${listed}) as ${of}`;
  return names ? boundNames(step, names, source) : source;
}

function atOnce({ list }: Step, statement: string): string {
  return `${statement};
    get diagnostics _changed = row_count;
    _expected := jsonb_array_length(_rows);
    ${unless(list)}`;
}

function oneByOne({ list }: Step, statement: string): string {
  return `
    _expected := 1;
    for _row in select listed._row from ${listed} order by _place loop
      ${statement};
      get diagnostics _changed = row_count;
      ${unless(list)}
    end loop;`;
}

function unless(list: string): string {
  return `if _changed <> _expected then
      raise exception using errcode = '${conflictState}',
        message = format('${list} from %s on: %s rows changed', _rows -> 0 ->> 0, _changed);
    end if;`;
}

function selected(columns: readonly string[], cell: Cell): string {
  return columns.map((column) => `${cell(column)} as ${column}`).join(", ");
}

function places(key: readonly string[]): string {
  return key.map((_, at) => at + 1).join(", ");
}

function conditions(key: readonly string[], cell: Cell): string {
  return key.map((column) => `${column} = ${cell(column)}`).join(" and ");
}

function without(columns: readonly string[], others: readonly string[]): string[] {
  return columns.filter((column) => !others.includes(column));
}

function cellsOf({ list, table, columns, lacking = {} }: Step, types: ColumnTypes): Cell {
  const missing: Readonly<Record<string, Value | undefined>> = lacking;
  return (column) => {
    const at = columns.indexOf(column);
    if (at === -1) throw new Error(`a row of ${list} has no ${column}`);
    const type = types.get(`${table}.${column}`);
    const cell = type === undefined ? `(_row ->> ${at})` : `(_row ->> ${at})::${type}`;
    const otherwise = missing[column];
    return otherwise === undefined || otherwise === null ? cell : `coalesce(${cell}, ${otherwise})`;
  };
}

function bind(fragment: Fragment, cell: Cell): string {
  return fragment.replace(/:(\w+)/g, (_text, column: string) => cell(column));
}
