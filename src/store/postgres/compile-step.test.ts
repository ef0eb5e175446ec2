import { expect, test } from "bun:test";
import type { Step } from "../step.ts";
import { compileStep } from "./compile-step.ts";

const item = { list: "items", table: "item", columns: ["id", "amount", "owner"] };
const types = new Map([["item.amount", "bigint"]]);
const plain = (text: string) => text.replace(/\s+/g, " ");
const listed = "jsonb_array_elements(_rows) with ordinality as listed (_row, _place)";

test.each<[Step["action"], string]>([
  [
    { kind: "insert", also: { state: "'new'", first: ":amount" } },
    `insert into item (id, amount, owner, state, first) select (_row ->> 0), (_row ->> 1)::bigint,
     (_row ->> 2), 'new', (_row ->> 1)::bigint from ${listed} order by _place;`,
  ],
  [
    { kind: "replace", key: ["id", "owner"] },
    `insert into item (id, amount, owner) values ((_row ->> 0), (_row ->> 1)::bigint, (_row ->> 2))
     on conflict (id, owner) do update set amount = excluded.amount;`,
  ],
  [
    { kind: "update", key: ["id"], compared: ["owner"], where: "owner = :owner" },
    `update item set amount = (_row ->> 1)::bigint where id = (_row ->> 0)
     and (owner = (_row ->> 2));`,
  ],
  [
    { kind: "accumulate", key: ["id", "owner"], max: 9 },
    "do update set amount = least(item.amount + excluded.amount, 9);",
  ],
  [{ kind: "delete" }, "delete from item where id = (_row ->> 0) and amount ="],
])("%j is a statement of PostgreSQL's", (action, sql) => {
  const step = { ...item, action };
  expect(plain(compileStep(step, [step], types))).toContain(plain(sql));
});

test("rows of one key are added up, and locked in the order of their keys", () => {
  const columns = ["id", "amount"];
  const step: Step = { ...item, columns, action: { kind: "add", key: ["id"] } };
  const text = plain(compileStep(step, [step], types));
  expect(text).toContain("order by id for no key update;");
  expect(text).toContain("sum((_row ->> 1)::bigint)::bigint as amount");
});

test("sums are made of the rows of the list that the step before has made", () => {
  const rows: Step = { ...item, action: { kind: "insert" } };
  const sums: Step = {
    list: "items",
    table: "total",
    columns: ["owner", "amount"],
    action: {
      kind: "sum",
      of: "item",
      key: ["owner"],
      values: { owner: "coalesce(owner, '')", amount: "amount" },
      max: 9,
    },
  };
  const text = plain(compileStep(sums, [rows, sums], types));
  expect(text).toContain("select coalesce(owner, '') as owner, amount as amount from (select");
  expect(() => compileStep(sums, [sums], types)).toThrow("no step makes the rows of item");
});

test("a cell that older rows lack has what the step says", () => {
  const step: Step = { ...item, action: { kind: "insert" }, lacking: { amount: 0 } };
  expect(compileStep(step, [step], types)).toContain("coalesce((_row ->> 1)::bigint, 0)");
});

test("a fragment that names no cell of the row is a mistake", () => {
  const step: Step = { ...item, action: { kind: "update", key: ["id"], where: "a = :state" } };
  expect(() => compileStep(step, [step], types)).toThrow("a row of items has no state");
});
