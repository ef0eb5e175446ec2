// Caps from admission to the rows of the book, on the real tables.
import { describe, expect, test } from "bun:test";
import type { AccountId, KeyId } from "../../core/ids.ts";
import { micros } from "../../core/money.ts";
import { createDatabase } from "../../store/database.ts";
import { SqliteConnection } from "../../store/sqlite/connection.ts";
import { mainVersions } from "../../store/sqlite/open.ts";
import type { Store } from "../../store/store.ts";
import { Balances } from "../balances.ts";
import type { CapLimit, CapTerms } from "../cap.ts";
import type { Reservation } from "../ledger.ts";
import { ledgerProgram, ledgerSteps } from "../queries.ts";
import { recover, verify } from "../recover.ts";
import { SoleLedger } from "../sole-ledger.ts";

const payer = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId };

const rows = [
  `insert into account (id, username, password_hash, role, group_name, status, created_at_ms)
   values ('acc_1', 'one', '', 'user', 'g', 'enabled', 0)`,
  `insert into ledger_account (account_id, unlimited, granted_micros, available_micros)
   values ('acc_1', 0, 10000, 10000)`,
  `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
     created_at_ms) values ('key_1', 'h1', '', 'acc_1', '', 'g', 'enabled', 0, 0)`,
  "insert into ledger_key (key_id, account_id) values ('key_1', 'acc_1')",
  `insert into entry (id, kind, account_id, held_micros, micros, at_ms)
   values ('op_1', 'grant', 'acc_1', 0, 10000, 0)`,
];

function termsOf(mode: CapTerms["mode"], limitMicros: number, openedAtMs = 0): CapTerms {
  const id = `bud_${mode}@${openedAtMs}`;
  const window = { openedAtMs, closesAtMs: openedAtMs + 1000, subjectId: null };
  const { accountId } = payer;
  return { id, budgetId: `bud_${mode}`, accountId, name: mode, mode, limitMicros, ...window };
}

function limitOf(budgetMicros: number): CapLimit {
  return { budgetMicros, carriedMicros: 0, raisedMicros: 0 };
}

class Book implements Disposable {
  readonly #connection: SqliteConnection;
  readonly store: Store;
  ledger: SoleLedger;
  balances: Balances;
  #requests = 0;

  constructor() {
    const programs = { [ledgerProgram]: ledgerSteps };
    const connection = new SqliteConnection({ path: ":memory:", programs });
    connection.migrate(mainVersions());
    connection.commit(
      [],
      rows.map((sql) => ({ sql, parameters: [] })),
      false,
    );
    this.#connection = connection;
    const unused = () => Promise.reject(new Error("not used here"));
    this.store = {
      dialect: "sqlite",
      commit: unused,
      logApplied: unused,
      readLog: unused,
      writeLog: unused,
      close: unused,
      read: async (statement) => connection.all(statement),
      applied: async () => {},
      append: async (run) => void connection.commit([run], [], true),
    };
    [this.ledger, this.balances] = this.#start();
  }

  /** The process dies and another one starts. */
  async restart(): Promise<void> {
    const { store } = this;
    const database = createDatabase(store);
    await recover({ store, database, toRecords: async () => [] }, 5);
    [this.ledger, this.balances] = this.#start();
  }

  async ask(amount: number, ...caps: CapTerms[]): Promise<Reservation> {
    const wallet = await this.balances.wallet({ ...payer, caps });
    const rest = { ...wallet, group: "g", model: "m", price: "p" };
    return this.ledger.tryAdmit({ ...rest, id: `req_${++this.#requests}`, micros: micros(amount) });
  }

  async caps(): Promise<unknown[]> {
    const sql = "select id, limit_micros, held_micros, spent_micros, closes_at_ms from cap";
    const found = await this.store.read({ sql: `${sql} order by id`, parameters: [] });
    return found.map((row) => Object.values(row));
  }

  faults(): Promise<unknown[]> {
    return verify((statement) => this.store.read(statement));
  }

  run(sql: string): void {
    this.#connection.commit([], [{ sql, parameters: [] }], false);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #start(): [SoleLedger, Balances] {
    const timers = { after: () => () => undefined, every: () => () => undefined };
    const ledger = new SoleLedger(
      {
        write: ({ document }) => this.store.append({ program: ledgerProgram, document }, "written"),
        clock: { nowMs: () => 0, monotonicMs: () => 0 },
        timers,
        faulted: (error) => {
          throw error;
        },
      },
      { queueMax: 100, stallMs: 1000 },
    );
    const { store } = this;
    return [ledger, new Balances({ database: createDatabase(store), store, ledger })];
  }
}

describe("a window", () => {
  test("has its row once something was held under it, and its own charge however late", async () => {
    using book = new Book();
    const [monday, tuesday] = [termsOf("hard", 100), termsOf("hard", 100, 1000)];
    const late = await book.ask(60, monday);
    expect(await book.caps()).toEqual([]);
    const next = await book.ask(70, tuesday);
    await book.ledger.post(late, micros(50), "{}").written;
    await next.written;
    expect(await book.caps()).toEqual([
      ["bud_hard@0", 100, 0, 50, 1000],
      ["bud_hard@1000", 100, 70, 0, 2000],
    ]);
    expect(await book.faults()).toEqual([]);
  });

  test("keeps the limit that its row was made with", async () => {
    using book = new Book();
    await (
      await book.ask(10, termsOf("hard", 100))
    ).written;
    await book.restart();
    const { caps } = await book.balances.wallet({ ...payer, caps: [termsOf("hard", 7)] });
    expect(caps).toMatchObject([{ limitMicros: 100, heldMicros: 0, name: "hard" }]);
  });

  test("is recovered with the holds of a process that died", async () => {
    using book = new Book();
    const caps = [termsOf("hard", 100), termsOf("stop", 100), termsOf("watch", 100)];
    await (
      await book.ask(60, ...caps)
    ).written;
    await book.restart();
    expect(await book.faults()).toEqual([]);
    expect(await book.balances.caps(caps)).toMatchObject(Array(3).fill({ heldMicros: 0 }));
    await book.ask(100, ...caps);
  });

  test("is raised or lowered in the step in which it is asked, in whatever order", async () => {
    using book = new Book();
    const terms = termsOf("hard", 100);
    const first = await book.ask(95, terms);
    await first.written;
    expect(await book.balances.setCapLimit("bud_none@0", limitOf(5))).toBe(false);
    // All of it within one batch: the check of the table sees the sums only.
    void book.ledger.void(first, "r");
    const lowered = book.balances.setCapLimit(terms.id, limitOf(80));
    await Bun.sleep(0);
    const raised = book.balances.setCapLimit(terms.id, limitOf(300));
    expect(await Promise.all([lowered, raised])).toEqual([true, true]);
    await (
      await book.ask(290, terms)
    ).written;
    await book.balances.setCapLimit(terms.id, limitOf(10));
    expect(await book.caps()).toEqual([["bud_hard@0", 10, 290, 0, 1000]]);
    expect(await book.faults()).toEqual([]);
  });

  test("is closed for good, and shown so after a start", async () => {
    using book = new Book();
    const terms = termsOf("stop", 100);
    const held = await book.ask(10, terms);
    expect(await book.balances.closeCap(terms.id, 400)).toBe(true);
    await book.ledger.post(held, micros(10), "{}").written;
    await book.restart();
    expect(await book.balances.cap(terms.id)).toMatchObject({ closesAtMs: 400, spentMicros: 10 });
  });

  test("of a task is found by its hold", async () => {
    using book = new Book();
    const caps = [termsOf("hard", 100), termsOf("watch", 100)];
    const held = await book.ask(10, ...caps);
    await held.written;
    const found = await book.balances.heldCaps([held.id, "req_none"]);
    expect(found.get(held.id)?.map(({ id }) => id)).toEqual(caps.map(({ id }) => id));
    expect(found.size).toBe(1);
  });
});

describe("a book with caps", () => {
  const damages = {
    "a cap's spent is the sum of the posts that name it":
      "update cap set spent_micros = spent_micros - 1",
    "a cap's held is the sum of the open holds that name it":
      "update cap set held_micros = held_micros - 1",
    "a cap that a hold or a post names is there": "delete from cap",
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`is not sound unless ${name}`, async () => {
      using book = new Book();
      const caps = [termsOf("hard", 100), termsOf("stop", 10)];
      await book.ledger.post(await book.ask(50, ...caps), micros(9), "{}").written;
      await (
        await book.ask(50, ...caps)
      ).written;
      expect(await book.faults()).toEqual([]);
      book.run(damage);
      expect(await book.faults()).toMatchObject([{ invariant: name }, { invariant: name }]);
    });
  }

  test("has no hard cap past its limit, whoever writes", async () => {
    using book = new Book();
    await (
      await book.ask(50, termsOf("hard", 100))
    ).written;
    for (const set of ["limit_micros = 49", "held_micros = 101", "spent_micros = -1"]) {
      expect(() => book.run(`update cap set ${set}`)).toThrow("constraint");
    }
  });
});
