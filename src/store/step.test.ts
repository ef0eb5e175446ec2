import { expect, expectTypeOf, test } from "bun:test";
import type { AccountId, KeyId } from "../core/ids.ts";
import { TableStep, type RowOf } from "./step.ts";

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
  expect(step.allCells([row, row])).toEqual([step.cells(row), step.cells(row)]);
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

test("a row with a cell too few, or with one of another kind, does not compile", () => {
  type Row = RowOf<typeof step>;
  expectTypeOf<typeof row>().toExtend<Row>();
  expectTypeOf<Row>().toEqualTypeOf<{
    readonly key_id: KeyId;
    readonly held_micros: number;
    readonly limit_micros: number | null;
  }>();
  expectTypeOf<Omit<Row, "held_micros">>().not.toExtend<Row>();
  expectTypeOf<Omit<Row, "key_id"> & { key_id: AccountId }>().not.toExtend<Row>();
  expectTypeOf<Omit<Row, "limit_micros"> & { limit_micros: string }>().not.toExtend<Row>();
});
