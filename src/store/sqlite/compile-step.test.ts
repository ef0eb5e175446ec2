import { expect, test } from "bun:test";
import type { Step } from "../step.ts";
import { compileStep } from "./compile-step.ts";

const item = { list: "items", table: "item", columns: ["id", "amount", "owner"] };

test.each<[Step["action"], string]>([
  [
    { kind: "insert", also: { state: "'new'", first: ":amount" } },
    "insert or rollback into item (id, amount, owner, state, first) values (?1, ?2, ?3, 'new', ?2)",
  ],
  [
    { kind: "replace", key: ["id", "owner"] },
    `insert into item (id, amount, owner) values (?1, ?2, ?3)
     on conflict (id, owner) do update set amount = excluded.amount`,
  ],
  [
    { kind: "add", key: ["id"] },
    "update item set amount = amount + ?2, owner = owner + ?3 where id = ?1",
  ],
  [
    { kind: "accumulate", key: ["id", "owner"], max: 9 },
    `insert into item (id, amount, owner) values (?1, ?2, ?3)
     on conflict (id, owner) do update set amount = min(amount + excluded.amount, 9)`,
  ],
  [
    {
      kind: "update",
      key: ["id"],
      compared: ["owner"],
      also: { seen: "seen + 1" },
      where: "owner = :owner or :amount > 5",
    },
    "update item set amount = ?2, seen = seen + 1 where id = ?1 and (owner = ?3 or ?2 > 5)",
  ],
  [{ kind: "delete" }, "delete from item where id = ?1 and amount = ?2 and owner = ?3"],
])("%j is one statement", (action, sql) => {
  const plain = (text: string) => text.replace(/\s+/g, " ");
  expect(plain(compileStep({ ...item, action }))).toBe(plain(sql));
});

test("several new rows have parameters of their own", () => {
  const action = { kind: "insert", also: { first: ":id" } } as const;
  expect(compileStep({ ...item, action }, 2)).toEndWith(
    "values (?1, ?2, ?3, ?1), (?4, ?5, ?6, ?4)",
  );
});

test("a fragment that names no cell of the row is a mistake", () => {
  const action = { kind: "update", key: ["id"], where: "state = :state" } as const;
  expect(() => compileStep({ ...item, action })).toThrow("a row of items has no state");
});
