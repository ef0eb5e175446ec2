import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Program } from "../step.ts";
import { StoreError, type Row, type Statement, type Value } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { mainVersions } from "./open.ts";
import { toStoreError } from "./store-error.ts";

const tables = [
  `create table item (id text primary key, amount integer not null check (amount >= 0)) strict`,
  `create table part (id integer primary key, item_id text not null references item (id)) strict`,
];

/** Adds items, takes items out, moves and sums amounts, like the ledger with its holds. */
const item = { table: "item", columns: ["id", "amount"] };
const program: Program = [
  { ...item, list: "added", action: { kind: "insert" }, lacking: { amount: 7 } },
  {
    list: "removed",
    table: "item",
    columns: ["id"],
    action: { kind: "delete", undoes: "added" },
  },
  {
    ...item,
    list: "moved",
    action: {
      kind: "update",
      key: ["id"],
      compared: ["amount"],
      also: { amount: "amount + :amount" },
    },
  },
  { ...item, list: "sums", action: { kind: "add", key: ["id"] } },
];

let connection: SqliteConnection;
beforeEach(() => {
  connection = new SqliteConnection({ path: ":memory:", programs: { stock: program } });
  connection.migrate([tables]);
});
afterEach(() => connection.close());

type Lists = Record<string, Value[][]>;

function run(...documents: Lists[]): void {
  const runs = documents.map((lists) => ({ program: "stock", document: JSON.stringify(lists) }));
  connection.commit(runs, [], false);
}

function statement(sql: string, ...parameters: Value[]): Statement {
  return { sql, parameters };
}

function items(): Row[] {
  return connection.all(statement("select id, amount from item order by id"));
}

/** The kind of the fault that the work ends in. */
function faultOf(work: () => unknown): string {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof StoreError ? error.kind : "not a StoreError";
  }
}

describe("a program", () => {
  test("runs each step for each row of its list", () => {
    run({
      added: [
        ["a", 1],
        ["b", 2],
      ],
      moved: [["a", 10]],
    });
    expect(items()).toEqual([
      { id: "a", amount: 11 },
      { id: "b", amount: 2 },
    ]);
  });

  test("takes the lists of several documents in their order", () => {
    run({ added: [["a", 1]] }, { moved: [["a", 5]] }, { moved: [["a", -6]] });
    expect(items()).toEqual([{ id: "a", amount: 0 }]);
  });

  test("what is summed runs once for each id, with the sum", () => {
    // Alone, the first would leave less than nothing, and be refused for it.
    run(
      {
        added: [
          ["a", 0],
          ["b", 0],
        ],
        sums: [["a", -3]],
      },
      { sums: [["b", 1]] },
      { sums: [["a", 5]] },
    );
    expect(items()).toEqual([
      { id: "a", amount: 2 },
      { id: "b", amount: 1 },
    ]);
  });

  test("a sum past what can be counted exactly is left in its parts", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const sums = [
      ["a", most],
      ["a", 2],
    ];
    run({ added: [["a", 0]], sums });
    const amounts = connection.all(statement("select cast(amount as text) as amount from item"));
    expect(amounts).toEqual([{ amount: String(BigInt(most) + 2n) }]);
  });

  test("a row from before a cell was added has none there", () => {
    const counts = statement("select amount, count(*) as n from item group by amount");
    for (const count of [2, 40]) {
      const added = Array.from({ length: count }, (_, at) => [`${count}-${at}`, 3]).with(0, ["a"]);
      run({ added });
      const counted = connection.all(counts);
      expect(counted).toEqual([
        { amount: 3, n: count - 1 },
        { amount: 7, n: 1 },
      ]);
      connection.commit([], [statement("delete from item")], false);
    }
  });

  test("takes more new rows than one statement, each once and in their order", () => {
    const added = Array.from({ length: 70 }, (_, at): Value[] => [`item-${at}`, at]);
    run({ added: added.slice(0, 33) }, { added: added.slice(33) });
    const written = connection.all(statement("select id, amount from item order by rowid"));
    expect(written).toEqual(added.map(([id = null, amount = null]) => ({ id, amount })));
  });

  test("one of many new rows that the table refuses undoes everything before it", () => {
    const added = Array.from({ length: 64 }, (_, at): Value[] => [`item-${at}`, at]);
    const refused: Value[][] = [
      ["item-3", 1],
      ["a", -1],
      ["a", "much"],
      ["a", null],
    ];
    for (const row of refused) {
      const lists = { added: added.with(40, row) };
      expect(faultOf(() => run({ added: [["before", 1]] }, lists))).toBe("constraint");
      expect(items()).toEqual([]);
    }
    run({ added });
    expect(items()).toHaveLength(64);
  });

  test("a row that changes nothing undoes everything", () => {
    run({ added: [["a", 1]] });
    const conflict = {
      added: [["b", 1]],
      moved: [
        ["a", 1],
        ["missing", 1],
      ],
    };
    expect(faultOf(() => run(conflict))).toBe("conflict");
    expect(faultOf(() => run({ removed: [["a"]] }, { removed: [["a"]] }))).toBe("conflict");
    expect(items()).toEqual([{ id: "a", amount: 1 }]);
  });

  test("a row that breaks a rule of its table undoes everything", () => {
    run({ added: [["a", 1]] });
    expect(faultOf(() => run({ added: [["b", 1]], moved: [["a", -2]] }))).toBe("constraint");
    expect(
      faultOf(() =>
        run({
          added: [
            ["b", 1],
            ["a", 1],
          ],
        }),
      ),
    ).toBe("constraint");
    expect(items()).toEqual([{ id: "a", amount: 1 }]);
  });

  test("what came and went within one commit never touches the table", () => {
    run(
      {
        added: [
          ["a", 1],
          ["b", 2],
        ],
      },
      { removed: [["a"]] },
    );
    expect(items()).toEqual([{ id: "b", amount: 2 }]);
    // A check on the way in would have refused it.
    run({ added: [["c", -5]], removed: [["c"], ["b"]] });
    expect(items()).toEqual([]);
  });

  test("an id that is used again within one commit ends as its last use leaves it", () => {
    run({ added: [["a", 1]] }, { removed: [["a"]] }, { added: [["a", 2]] });
    expect(items()).toEqual([{ id: "a", amount: 2 }]);
    run({ removed: [["a"]] }, { added: [["b", 3]], removed: [["b"]] }, { added: [["b", 4]] });
    expect(items()).toEqual([{ id: "b", amount: 4 }]);
  });

  test("an id that is added twice or removed twice is refused, whatever else is undone", () => {
    const added = { added: [["a", 1]] };
    const removed = { removed: [["a"]] };
    expect(faultOf(() => run(added, added))).toBe("constraint");
    expect(faultOf(() => run(added, removed, removed))).toBe("conflict");
    expect(faultOf(() => run(added, removed, added, added))).toBe("constraint");
    run(added);
    // The old one must go before the new one comes, which is for two commits.
    expect(faultOf(() => run(removed, { added: [["a", 2]] }))).toBe("constraint");
    expect(items()).toEqual([{ id: "a", amount: 1 }]);
  });

  test("an empty document and no document change nothing", () => {
    run({});
    run({ added: [], removed: [], moved: [] });
    run();
    expect(items()).toEqual([]);
  });

  test("one that nobody has named is refused", () => {
    const unknown = [{ program: "other", document: "{}" }];
    expect(faultOf(() => connection.commit(unknown, [], false))).toBe("other");
  });
});

describe("a commit", () => {
  test("runs the program and the statements as one", () => {
    const runs = [{ program: "stock", document: JSON.stringify({ added: [["a", 1]] }) }];
    const bad = statement("insert into part (item_id) values ('missing')");
    expect(faultOf(() => connection.commit(runs, [bad], false))).toBe("constraint");
    expect(items()).toEqual([]);
    const good = statement("insert into part (item_id) values ('a')");
    connection.commit(runs, [good], true);
    expect(items()).toEqual([{ id: "a", amount: 1 }]);
  });

  test("returns the rows of each statement", () => {
    const rows = connection.commit(
      [],
      [
        statement("insert into item values ('a', 1), ('b', 2) returning id"),
        statement("update item set amount = 3"),
        statement("select amount from item where id = ?", "b"),
      ],
      false,
    );
    expect(rows).toEqual([[{ id: "a" }, { id: "b" }], [], [{ amount: 3 }]]);
  });

  test.each([
    ["changes rows", "update item set amount = 9 where id in ('a', 'b')"],
    ["returns rows", "update item set amount = 9 where id in ('a', 'b') returning id"],
  ])("a statement that %s is undone unless the count is as demanded", (_, sql) => {
    run({
      added: [
        ["a", 1],
        ["b", 1],
      ],
    });
    const before = items();
    for (const changes of [0, 1, 3]) {
      const list = [statement("delete from part"), { ...statement(sql), changes }];
      expect(faultOf(() => connection.commit([], list, false))).toBe("conflict");
      expect(items()).toEqual(before);
    }
    connection.commit([], [{ ...statement(sql), changes: 2 }], false);
    expect(items().map((row) => row["amount"])).toEqual([9, 9]);
  });

  test("that failed does not stand in the way of the next one", () => {
    expect(faultOf(() => run({ removed: [["missing"]] }))).toBe("conflict");
    run({ added: [["a", 1]] });
    expect(items()).toEqual([{ id: "a", amount: 1 }]);
  });

  test("to a database without room is refused whole, and works once there is room", () => {
    const large = "x".repeat(200_000);
    connection.all(statement("pragma max_page_count = 1"));
    const tooMuch = {
      added: [
        ["a", 1],
        [large, 1],
      ],
    };
    expect(faultOf(() => run(tooMuch))).toBe("full");
    expect(items()).toEqual([]);
    connection.all(statement("pragma max_page_count = 100000"));
    run(tooMuch);
    expect(items().length).toBe(2);
  });
});

describe("the tables", () => {
  test("take no number that is not whole, and no text for a number", () => {
    for (const amount of [1.5, "1.5", "many"]) {
      expect(faultOf(() => run({ added: [["a", amount]] }))).toBe("constraint");
    }
    expect(items()).toEqual([]);
  });

  test("keep the largest sums of money exactly", () => {
    run({ added: [["a", Number.MAX_SAFE_INTEGER]] });
    expect(items()).toEqual([{ id: "a", amount: Number.MAX_SAFE_INTEGER }]);
  });

  test("refuse rows that point nowhere", () => {
    const orphan = statement("insert into part (item_id) values ('missing')");
    expect(faultOf(() => connection.commit([], [orphan], false))).toBe("constraint");
  });

  test("let no entry of the ledger be changed or removed", () => {
    const book = new SqliteConnection({ path: ":memory:" });
    try {
      book.migrate(mainVersions());
      const entry = statement(
        `insert into entry (id, kind, account_id, held_micros, micros, actor, at_ms)
         values ('op_1', 'grant', 'acc_1', 0, 5, 'ann', 0)`,
      );
      book.commit([], [entry], false);
      const touches = [
        "update entry set micros = 6",
        "update entry set actor = null, micros = 6",
        "update entry set actor = 'bob'",
        "delete from entry",
        "update entry set micros = 5 where id = 'op_1'",
      ];
      for (const sql of touches) {
        expect(() => book.commit([], [statement(sql)], false)).toThrow("entry is append-only");
      }
      expect(faultOf(() => book.commit([], [entry], false))).toBe("constraint");
      book.commit([], [statement("update entry set actor = null where actor = 'ann'")], false);
      expect(book.all(statement("select micros from entry"))).toEqual([{ micros: 5 }]);
    } finally {
      book.close();
    }
  });
});

describe("faults", () => {
  test("name the kind that callers tell apart", () => {
    const coded = (code: string) => {
      const error = Object.defineProperty(new Error("no"), "code", { value: code });
      return toStoreError(error).kind;
    };
    expect(coded("SQLITE_CONSTRAINT_UNIQUE")).toBe("constraint");
    expect(coded("SQLITE_FULL")).toBe("full");
    expect(coded("SQLITE_IOERR_WRITE")).toBe("io");
    expect(coded("SQLITE_READONLY")).toBe("io");
    expect(coded("SQLITE_BUSY")).toBe("other");
    expect(coded("ENOSPC")).toBe("full");
    expect(coded("EIO")).toBe("io");
    expect(toStoreError("odd").kind).toBe("other");
  });

  test("of SQL that is wrong are faults of the store too", () => {
    expect(faultOf(() => connection.all(statement("select nothing from nowhere")))).toBe("other");
  });
});
