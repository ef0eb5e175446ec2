import { expect, test } from "bun:test";
import type { AccountId, KeyId } from "../core/ids.ts";
import { TableStep } from "./step.ts";

const step = new TableStep({
  list: "keys",
  table: "ledger_key",
  cells: (row) => [row.key_id, row.held_micros, row.limit_micros],
  action: { kind: "add", key: ["key_id"] },
});

const row = { key_id: "key_1" as KeyId, limit_micros: null, held_micros: 5 };

test("a step has the columns that it reads, and reads a row's cells in their order", () => {
  expect(step.columns).toEqual(["key_id", "held_micros", "limit_micros"]);
  expect(step.cells(row)).toEqual(["key_1", 5, null]);
  expect(step.listed(row)).toEqual({ list: "keys", cells: ["key_1", 5, null] });
  expect(step.toList([row, row])).toEqual({ keys: [step.cells(row), step.cells(row)] });
});

test("a thread gets its data and nothing else", () => {
  const { list, table, columns, action } = step;
  expect(structuredClone<object>(step)).toEqual({
    list,
    table,
    columns,
    action,
    lacking: undefined,
  });
});

test("a row with a cell too few, too many or of another kind does not compile", () => {
  const account = "acc_1" as AccountId;
  const refused = () => [
    // @ts-expect-error A cell is missing.
    step.cells({ key_id: row.key_id, held_micros: 5 }),
    // @ts-expect-error The step has no such column.
    step.cells({ ...row, spent_micros: 5 }, step.cells({ ...row, limit_micros: null, other: 1 })),
    // @ts-expect-error A limit is a number.
    step.cells({ ...row, limit_micros: "5" }),
    // @ts-expect-error An account's id is no key's.
    step.cells({ ...row, key_id: account }),
    new TableStep({
      list: "tasks",
      table: "task",
      // @ts-expect-error The table has no such column.
      cells: (task) => [task.id, task.micros],
      action: { kind: "insert" },
    }),
    new TableStep({
      list: "tasks",
      table: "task",
      cells: (task) => [task.id],
      // @ts-expect-error A row has no cell of that column.
      action: { kind: "replace", key: ["owner"] },
    }),
  ];
  expect(refused).toBeFunction();
});
