// A step of a program in SQLite's words. A cell is a numbered parameter, so that a fragment may
// name it more than once.
import type { Fragment, Step } from "../step.ts";

/** For so many rows at once, if they are new ones. */
export function compileStep(step: Step, rows = 1): string {
  const { table, columns, action } = step;
  switch (action.kind) {
    case "insert": {
      const { also = {} } = action;
      const names = [...columns, ...Object.keys(also)];
      const places = Array.from({ length: rows }, (_, row) => {
        const cell = cellsOf(step, row);
        const values = Object.values(also).map((fragment) => bind(fragment, cell));
        return `(${[...columns.map(cell), ...values].join(", ")})`;
      });
      // A commit is undone whole, so SQLite need not keep what would undo this statement alone.
      return `insert or rollback into ${table} (${names.join(", ")}) values ${places.join(", ")}`;
    }
    case "ensure":
      return `insert into ${table} (${columns.join(", ")})
        values (${columns.map(cellsOf(step)).join(", ")})
        on conflict (${action.key.join(", ")}) do nothing`;
    case "replace":
      return upsert(step, action.key, (column) => `excluded.${column}`);
    case "accumulate":
      return upsert(
        step,
        action.key,
        (column) => `min(${column} + excluded.${column}, ${action.max})`,
      );
    case "sum":
      throw new Error("sums are made by sum-steps");
    case "add":
      return update(step, action.key, (column, cell) => `${column} + ${cell}`);
    case "update":
      return update(step, action.key, (_column, cell) => cell, action);
    case "delete":
      return `delete from ${table} where ${conditions(columns, cellsOf(step))}`;
  }
}

type Cell = (column: string) => string;
type Rest = Extract<Step["action"], { kind: "update" }>;

function upsert(step: Step, key: readonly string[], value: (column: string) => string): string {
  const { table, columns } = step;
  const sets = without(columns, key).map((column) => `${column} = ${value(column)}`);
  const places = columns.map(cellsOf(step));
  return `insert into ${table} (${columns.join(", ")}) values (${places.join(", ")})
          on conflict (${key.join(", ")}) do update set ${sets.join(", ")}`;
}

function update(
  step: Step,
  key: readonly string[],
  value: (column: string, cell: string) => string,
  { compared = [], also = {}, where }: Partial<Rest> = {},
): string {
  const cell = cellsOf(step);
  const sets = [
    ...without(step.columns, [...key, ...compared]).map((column) => [
      column,
      value(column, cell(column)),
    ]),
    ...Object.entries(also).map(([column, fragment]) => [column, bind(fragment, cell)]),
  ].map((pair) => pair.join(" = "));
  const only = where === undefined ? "" : ` and (${bind(where, cell)})`;
  return `update ${step.table} set ${sets.join(", ")} where ${conditions(key, cell)}${only}`;
}

function conditions(key: readonly string[], cell: Cell): string {
  return key.map((column) => `${column} = ${cell(column)}`).join(" and ");
}

function without(columns: readonly string[], others: readonly string[]): string[] {
  return columns.filter((column) => !others.includes(column));
}

function cellsOf({ list, columns }: Step, row = 0): Cell {
  return (column) => {
    const at = columns.indexOf(column);
    if (at === -1) throw new Error(`a row of ${list} has no ${column}`);
    return `?${row * columns.length + at + 1}`;
  };
}

function bind(fragment: Fragment, cell: Cell): string {
  return fragment.replace(/:(\w+)/g, (_text, column: string) => cell(column));
}
