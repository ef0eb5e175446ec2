import { describe, expect, test } from "bun:test";
import { createDatabase, type Database } from "../store/database.ts";
import { SqliteConnection } from "../store/sqlite/connection.ts";
import { mainVersions } from "../store/sqlite/open.ts";
import type { Store } from "../store/store.ts";
import { ledgerProgram, ledgerSteps } from "./queries.ts";
import { recover, verify, type RecoverNeeds } from "./recover.ts";

const book = [
  `insert into account (id, username, password_hash, role, group_name, status, created_at_ms)
   values ('acc_1', 'one', '', 'user', 'g', 'enabled', 0),
          ('acc_2', 'two', '', 'user', 'g', 'enabled', 0)`,
  `insert into ledger_account (account_id, unlimited, granted_micros, available_micros, held_micros,
     spent_micros) values ('acc_1', 0, 1000, 600, 300, 100), ('acc_2', 1, 0, -50, 50, 0)`,
  `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
     created_at_ms) values ('key_1', 'h1', '', 'acc_1', '', 'g', 'enabled', 0, 0),
                           ('key_2', 'h2', '', 'acc_2', '', 'g', 'enabled', 0, 0)`,
  `insert into ledger_key (key_id, account_id, held_micros, spent_micros)
   values ('key_1', 'acc_1', 300, 100), ('key_2', 'acc_2', 50, 0)`,
  `insert into hold (id, kind, account_id, key_id, group_name, model, micros, price, created_at_ms)
   values ('req_1', 'request', 'acc_1', 'key_1', 'g', 'm', 100, 'p', 1),
          ('req_2', 'request', 'acc_1', 'key_1', 'g', 'm', 0, 'p', 1),
          ('task_1', 'task', 'acc_1', 'key_1', 'g', 'm', 200, 'p', 1),
          ('req_3', 'request', 'acc_2', 'key_2', 'g', 'm', 50, 'p', 1)`,
  `insert into entry (id, kind, account_id, key_id, held_micros, micros, price, at_ms)
   values ('op_1', 'grant', 'acc_1', null, 0, 1000, null, 0),
          ('req_0', 'post', 'acc_1', 'key_1', 100, 100, 'p', 0)`,
];

interface Bench extends Disposable {
  store: Store;
  database: Database;
  logged: string[];
  toRecords: RecoverNeeds["toRecords"];
  connection: SqliteConnection;
  run(...statements: string[]): void;
  rows(sql: string): unknown[];
}

function openBench(): Bench {
  const programs = { [ledgerProgram]: ledgerSteps };
  const connection = new SqliteConnection({ path: ":memory:", programs });
  connection.migrate(mainVersions());
  const run = (...statements: string[]) => {
    const list = statements.map((sql) => ({ sql, parameters: [] }));
    connection.commit([], list, false);
  };
  run(...book);
  const unused = () => Promise.reject(new Error("not used here"));
  const logged: string[] = [];
  const store: Store = {
    dialect: "sqlite",
    read: async (statement) => connection.all(statement),
    commit: async ({ run: one, statements = [] }) =>
      connection.commit(one ? [one] : [], statements, true),
    append: async (one) => {
      connection.commit([one], [], true);
      logged.push(one.logged ?? "");
    },
    applied: async () => {},
    logApplied: unused,
    readLog: unused,
    writeLog: unused,
    close: unused,
  };
  return {
    connection,
    run,
    rows: (sql) => connection.all({ sql, parameters: [] }),
    store,
    logged,
    database: createDatabase(store),
    toRecords: async (holds) => holds.map(({ id }) => ({ list: "rows", cells: [id] })),
    [Symbol.dispose]: () => connection.close(),
  };
}

const sums = `select account_id, granted_micros, available_micros, held_micros, spent_micros
              from ledger_account order by account_id`;

describe("recover", () => {
  test("voids what requests hold, books it as loss and gives the money back", async () => {
    using bench = openBench();
    expect(await recover(bench, 77)).toBe(3);
    // Records for the log go the same way.
    expect(bench.logged).toEqual(['{"rows":[["req_1"],["req_2"],["req_3"]]}']);
    const entries = `select id, kind, held_micros, micros, loss_micros, reason, at_ms from entry
                     where kind = 'void' order by id`;
    const rest = { kind: "void", micros: 0, reason: "recovered", at_ms: 77 };
    expect(bench.rows(entries)).toEqual([
      { ...rest, id: "req_1", held_micros: 100, loss_micros: 100 },
      { ...rest, id: "req_2", held_micros: 0, loss_micros: 0 },
      { ...rest, id: "req_3", held_micros: 50, loss_micros: 50 },
    ]);
    expect(await verify(bench.store.read)).toEqual([]);
  });

  test("leaves what tasks hold, because a task outlives its process", async () => {
    using bench = openBench();
    await recover(bench, 1);
    expect(bench.rows("select id from hold")).toEqual([{ id: "task_1" }]);
    expect(bench.rows(sums)).toEqual([
      {
        account_id: "acc_1",
        granted_micros: 1000,
        available_micros: 700,
        held_micros: 200,
        spent_micros: 100,
      },
      {
        account_id: "acc_2",
        granted_micros: 0,
        available_micros: 0,
        held_micros: 0,
        spent_micros: 0,
      },
    ]);
  });

  test("changes nothing when it runs again", async () => {
    using bench = openBench();
    await recover(bench, 1);
    const before = [bench.rows(sums), bench.rows("select * from entry")];
    expect(await recover(bench, 2)).toBe(0);
    expect([bench.rows(sums), bench.rows("select * from entry")]).toEqual(before);
  });

  test("changes nothing at all when one of its statements fails", async () => {
    using bench = openBench();
    const before = [bench.rows(sums), bench.rows("select * from hold")];
    bench.run(`create trigger no_room before delete on hold
               begin select raise(abort, 'no room'); end`);
    await expect(recover(bench, 1)).rejects.toThrow("no room");
    expect([bench.rows(sums), bench.rows("select * from hold")]).toEqual(before);
    expect(bench.rows("select id from entry where kind = 'void'")).toEqual([]);
  });
});

describe("verify", () => {
  test("finds nothing in a sound book", async () => {
    using bench = openBench();
    expect(await verify(bench.store.read)).toEqual([]);
  });

  const damages: [string, string][] = [
    [
      "an account's granted is the sum of its grants",
      `update ledger_account set granted_micros = 1001, available_micros = 601
       where account_id = 'acc_1'`,
    ],
    [
      "an account's spent is the sum of its posts",
      `update ledger_account set spent_micros = 99, available_micros = 601
       where account_id = 'acc_1'`,
    ],
    ["an account's held is the sum of its open holds", "delete from hold where id = 'req_1'"],
    ["a key's spent is the sum of its posts", "update ledger_key set spent_micros = 1"],
    ["a key's held is the sum of its open holds", "update ledger_key set held_micros = 7"],
    [
      "a closed hold is not open",
      `insert into entry (id, kind, account_id, key_id, held_micros, micros, at_ms)
       values ('req_1', 'void', 'acc_1', 'key_1', 100, 0, 0)`,
    ],
    [
      "a void costs nothing and a post has a price",
      `insert into entry (id, kind, account_id, key_id, held_micros, micros, at_ms)
       values ('req_9', 'post', 'acc_1', 'key_1', 0, 0, 0)`,
    ],
    [
      "an entry's key belongs to the entry's account",
      `insert into entry (id, kind, account_id, key_id, held_micros, micros, at_ms)
       values ('req_9', 'void', 'acc_2', 'key_1', 0, 0, 0)`,
    ],
  ];
  test.each(damages)("sees it when it does not hold that %s", async (invariant, damage) => {
    using bench = openBench();
    bench.run(damage);
    const found = await verify(bench.store.read);
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
  });

  test("the tables themselves refuse the damages that no entry would explain", () => {
    using bench = openBench();
    const refused = [
      "update ledger_account set available_micros = available_micros + 1",
      `update ledger_account set available_micros = -1, granted_micros = 399
       where account_id = 'acc_1'`,
      "update ledger_account set held_micros = -1",
      "update entry set micros = 0",
      "delete from entry",
    ];
    for (const sql of refused) expect(() => bench.run(sql)).toThrow();
    expect(bench.rows("select count(*) as count from entry")).toEqual([{ count: 2 }]);
  });
});
