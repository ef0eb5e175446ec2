// Caps of a wallet on the ledgers of several nodes over one real database: none is passed, none is
// refused that has something left, and what a node had that died comes back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { toFields } from "../../src/admin/budget/row.ts";
import { changeWithWindows } from "../../src/admin/budget/open-windows.ts";
import { budgetChecker } from "../../src/config/entity-rules.ts";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { GatewayError } from "../../src/core/errors.ts";
import type { AccountId, BudgetId, KeyId } from "../../src/core/ids.ts";
import { micros } from "../../src/core/money.ts";
import { parseWith } from "../../src/core/schema.ts";
import { toBudget } from "../../src/identity/budgets/budget.ts";
import { BudgetLine } from "../../src/identity/budgets/line.ts";
import { insertBudget, updateBudget, type BudgetRow } from "../../src/identity/budgets/queries.ts";
import { Balances } from "../../src/quota/balances.ts";
import type { CapLimit, CapTerms } from "../../src/quota/cap.ts";
import { ClusterLedger } from "../../src/quota/cluster/cluster-ledger.ts";
import { reapDead } from "../../src/quota/cluster/reaper.ts";
import { RoundTaker } from "../../src/quota/cluster/round-taker.ts";
import type { Reservation } from "../../src/quota/ledger.ts";
import { verify } from "../../src/quota/recover.ts";
import { createDatabase, type Database } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import type { CommitRounds } from "../../src/store/turns.ts";
import { eventually } from "../harness/books.ts";
import { dropDatabase, newDatabase, openDatabase } from "../harness/postgres.ts";

setDefaultTimeout(60_000);

const price = 1000;
const ttlMs = 1500;

/** A node as far as money is concerned, in this process. */
class Node {
  readonly ledger: ClusterLedger;
  readonly balances: Balances;
  readonly taker: RoundTaker;
  readonly store: Store;
  readonly turns: CommitRounds;
  #isDead = false;
  #requests = 0;

  private constructor(store: Store, name: string) {
    const { turns } = store;
    if (!turns) throw new Error("nodes share PostgreSQL");
    this.store = store;
    this.turns = turns;
    const clock = systemClock;
    const timers = { ...systemTimers };
    const take: CommitRounds["take"] = (turn) =>
      this.#isDead ? new Promise(() => undefined) : turns.take(turn);
    let names = 0;
    this.taker = new RoundTaker(
      {
        turns: { ...turns, take, join: (...args) => turns.join(...args) },
        clock,
        timers,
        self: { name, version: "1" },
        newNodeId: () => `node_${name}_${++names}`,
        faulted: () => undefined,
      },
      { ttlMs, marginMs: ttlMs / 5 },
    );
    const bookGrant = () => Promise.reject(new Error("nothing is granted here"));
    const soon = (run: () => void) => void setImmediate(run);
    this.ledger = new ClusterLedger(
      { taker: this.taker, clock, timers, soon, bookGrant, fenced: () => undefined },
      { queueMax: 100_000, stallMs: 10_000 },
    );
    turns.hearRecalls((subject) => this.ledger.slices.recall(subject));
    const { ledger } = this;
    const { slices } = ledger;
    this.balances = new Balances({ database: createDatabase(store), store, slices, ledger });
  }

  static async start(url: string, name: string): Promise<Node> {
    const node = new Node(await openDatabase(url), name);
    await node.taker.join();
    return node;
  }

  async admit(customer: Customer, caps: readonly CapTerms[], amount = price, isTask = false) {
    const wallet = await this.balances.wallet({ ...customer, caps });
    const id = `${isTask ? "task" : "req"}_${this.taker.nodeId}_${++this.#requests}`;
    const facts = { id, group: "g", model: "m", price: "p", micros: micros(amount), isTask };
    const ask = { ...wallet, ...facts };
    return this.ledger.tryAdmit(ask) ?? (await this.ledger.admit(ask));
  }

  /** A request from its hold to its charge; the code where it was refused. */
  async request(customer: Customer, caps: readonly CapTerms[]): Promise<string> {
    try {
      const held = await this.admit(customer, caps);
      await held.written;
      await this.ledger.post(held, micros(price), "{}").written;
      return "served";
    } catch (error) {
      if (error instanceof GatewayError) return error.code;
      throw error;
    }
  }

  /** Die by kill -9, as the database sees it. */
  kill(): void {
    this.#isDead = true;
    this.taker.end();
  }

  async close(): Promise<void> {
    if (!this.#isDead) await this.ledger.close();
    await this.store.close();
  }
}

interface Customer {
  accountId: AccountId;
  keyId: KeyId;
}

let url: string;
let one: Node;
let other: Node;
let customers = 0;

async function customer(granted = 1_000_000_000): Promise<Customer> {
  const [accountId, keyId] = [`acc_${++customers}` as AccountId, `key_${customers}` as KeyId];
  const statements = [
    `insert into account (id, username, password_hash, role, group_name, status, created_at_ms)
     values ('${accountId}', '${accountId}', '', 'user', 'g', 'enabled', 0)`,
    `insert into ledger_account (account_id, unlimited, granted_micros, available_micros)
     values ('${accountId}', 0, ${granted}, ${granted})`,
    `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
       created_at_ms) values ('${keyId}', '${keyId}', '', '${accountId}', '', 'g', 'enabled', 0, 0)`,
    `insert into ledger_key (key_id, account_id) values ('${keyId}', '${accountId}')`,
    `insert into entry (id, kind, account_id, held_micros, micros, at_ms)
     values ('op_${accountId}', 'grant', '${accountId}', 0, ${granted}, 0)`,
  ].map((sql) => ({ sql, parameters: [] }));
  await one.store.commit({ statements });
  return { accountId, keyId };
}

function termsOf({ accountId }: Customer, number: number, terms: Partial<CapTerms>): CapTerms {
  const { openedAtMs = 0 } = terms;
  const id = `bud_${number}/${accountId}@${openedAtMs}`;
  const named = { id, budgetId: `bud_${number}`, accountId, subjectId: accountId, name: id };
  return { ...named, mode: "hard", limitMicros: 1e9, openedAtMs, closesAtMs: null, ...terms };
}

function limitOf(budgetMicros: number): CapLimit {
  return { budgetMicros, carriedMicros: 0, raisedMicros: 0 };
}

const faults = () => verify((statement) => one.store.read(statement));

async function spentUnder({ id }: CapTerms): Promise<number> {
  return (await one.balances.cap(id))?.spentMicros ?? 0;
}

function tally(verdicts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

const both = (at: number) => (at % 2 === 0 ? one : other);

beforeAll(async () => {
  url = await newDatabase();
  [one, other] = await Promise.all([Node.start(url, "one"), Node.start(url, "other")]);
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await dropDatabase(url);
});

describe("caps on two nodes", () => {
  test.each([1, 2, 3, 4, 5])("serve three of 500 at once where cap %d leaves three", async (at) => {
    const payer = await customer();
    const caps = [1, 2, 3, 4, 5].map((number) =>
      termsOf(payer, number, number === at ? { limitMicros: 3 * price + 999 } : {}),
    );
    const all = Array.from({ length: 500 }, (_, index) => both(index).request(payer, caps));
    expect(tally(await Promise.all(all))).toEqual({ served: 3, budget_exceeded: 497 });
    for (const cap of caps) expect(await spentUnder(cap)).toBe(3 * price);
    expect(await faults()).toEqual([]);
  });

  test("are spent to the last micro from either, and raised and served again", async () => {
    const payer = await customer();
    const cap = termsOf(payer, 1, { limitMicros: 9 * price });
    for (let at = 0; at < 9; at++) expect(await both(at).request(payer, [cap])).toBe("served");
    const refused = await Promise.all([one, other].map((node) => node.request(payer, [cap])));
    expect(refused).toEqual(["budget_exceeded", "budget_exceeded"]);
    expect(await other.balances.setCapLimit(cap.id, limitOf(11 * price))).toBe(true);
    const again = Array.from({ length: 20 }, (_, at) => both(at).request(payer, [cap]));
    expect(tally(await Promise.all(again))).toEqual({ served: 2, budget_exceeded: 18 });
    expect(await faults()).toEqual([]);
  });

  test("are lowered to what is asked, also below what is spent, whatever nodes were lent of them", async () => {
    const payer = await customer();
    const cap = termsOf(payer, 1, { limitMicros: 1000 * price });
    for (let at = 0; at < 4; at++) expect(await both(at).request(payer, [cap])).toBe("served");
    expect(await one.balances.setCapLimit(cap.id, limitOf(6 * price))).toBe(true);
    expect(await other.balances.cap(cap.id)).toMatchObject({ limitMicros: 6 * price });
    const rest = Array.from({ length: 10 }, (_, at) => both(at).request(payer, [cap]));
    expect(tally(await Promise.all(rest))).toEqual({ served: 2, budget_exceeded: 8 });
    expect(await other.balances.setCapLimit(cap.id, limitOf(price))).toBe(true);
    expect(await one.balances.cap(cap.id)).toMatchObject({ limitMicros: price });
    expect(await both(1).request(payer, [cap])).toBe("budget_exceeded");
    expect(await faults()).toEqual([]);
  });

  test("are what a refusal names, though the account's money is with another node", async () => {
    const payer = await customer(20 * price);
    const cap = termsOf(payer, 1, { limitMicros: 3 * price });
    const all = await one.admit(payer, [], 20 * price);
    await one.ledger.void(all, "it was lent");
    for (let at = 0; at < 3; at++) expect(await one.request(payer, [cap])).toBe("served");
    expect(await other.request(payer, [cap])).toBe("budget_exceeded");
    expect(await other.request(payer, [])).toBe("served");
  });

  test("that were ended by another node refuse nobody: it is asked again in the next window", async () => {
    const payer = await customer();
    const cap = termsOf(payer, 1, { limitMicros: price });
    expect(await one.request(payer, [cap])).toBe("served");
    expect(await other.request(payer, [cap])).toBe("budget_exceeded");
    await one.balances.closeCap(cap.id, Date.now());
    expect(await other.request(payer, [cap])).toBe("overloaded");
    const next = termsOf(payer, 1, { limitMicros: price, openedAtMs: Date.now() });
    expect(await other.request(payer, [next])).toBe("served");
    expect(await faults()).toEqual([]);
  });

  test("that stop refuse on both once they are spent, whoever spent it", async () => {
    const payer = await customer();
    const cap = termsOf(payer, 1, { mode: "stop", limitMicros: 5 * price });
    const watch = termsOf(payer, 2, { mode: "watch", limitMicros: 1 });
    for (let at = 0; at < 5; at++) {
      expect(await one.request(payer, [cap, watch])).toBe("served");
    }
    expect(await one.request(payer, [cap, watch])).toBe("budget_exceeded");
    expect(await other.request(payer, [cap, watch])).toBe("budget_exceeded");
    await one.balances.setCapLimit(cap.id, limitOf(6 * price));
    await eventually("the sixth", async () => {
      const verdict = await other.request(payer, [cap, watch]);
      return verdict === "served" ? true : undefined;
    });
    expect(await one.request(payer, [cap, watch])).toBe("budget_exceeded");
    expect([await spentUnder(cap), await spentUnder(watch)]).toEqual([6 * price, 6 * price]);
    expect(await faults()).toEqual([]);
  });

  test("that only watch refuse on neither, and count what both spent", async () => {
    const payer = await customer();
    const watch = termsOf(payer, 1, { mode: "watch", limitMicros: 2 * price });
    const all = Array.from({ length: 40 }, (_, at) => both(at).request(payer, [watch]));
    expect(tally(await Promise.all(all))).toEqual({ served: 40 });
    for (const node of [one, other]) {
      const shown = await node.balances.cap(watch.id);
      expect(shown).toMatchObject({ limitMicros: 2 * price, spentMicros: 40 * price });
    }
    for (const node of [one, other]) expect(await node.request(payer, [watch])).toBe("served");
    expect(await spentUnder(watch)).toBe(42 * price);
    expect(await faults()).toEqual([]);
  });

  test("hold what a task holds, and whichever node ends it charges its window", async () => {
    const payer = await customer();
    const caps = [termsOf(payer, 1, { limitMicros: 5 * price }), termsOf(payer, 2, {})];
    const task = await one.admit(payer, caps, 4 * price, true);
    await task.kept;
    expect(await other.request(payer, caps)).toBe("served");
    expect(await other.request(payer, caps)).toBe("budget_exceeded");
    const terms = (await other.balances.heldCaps([task.id])).get(task.id) ?? [];
    const wallet = await other.balances.wallet({ ...payer, caps: terms });
    const { id, group, model, micros: held, price: text } = task;
    const facts = { id, group, model, micros: held, price: text, isTask: true };
    const ended = other.ledger.adopt({ ...wallet, ...facts });
    await other.ledger.post(ended, micros(3 * price), "{}").written;
    one.ledger.disown(task);
    expect(await spentUnder(caps[0] as CapTerms)).toBe(4 * price);
    expect(await one.request(payer, caps)).toBe("served");
    expect(await faults()).toEqual([]);
  });

  test("in windows of two seconds are spent to their ends, and none is passed", async () => {
    const payer = await customer();
    const started = Date.now();
    const served = new Map<string, number>();
    while (Date.now() - started < 6000) {
      const openedAtMs = Math.floor(Date.now() / 2000) * 2000;
      const window = { openedAtMs, closesAtMs: openedAtMs + 2000, limitMicros: 10 * price };
      const caps = [termsOf(payer, 1, window), termsOf(payer, 2, {})];
      const verdicts = await Promise.all(
        Array.from({ length: 8 }, (_, at) => both(at).request(payer, caps)),
      );
      const count = verdicts.filter((verdict) => verdict === "served").length;
      const id = caps[0]?.id ?? "";
      served.set(id, (served.get(id) ?? 0) + count);
    }
    expect(await faults()).toEqual([]);
    const windows = [...served.values()];
    expect(windows.length).toBeGreaterThan(2);
    expect(Math.max(...windows)).toBe(10);
    // The first may have been nearly over, and the last ended with the test.
    expect(new Set(windows.slice(1, -1))).toEqual(new Set([10]));
  });
});

describe("a limit that is changed", () => {
  const clock = systemClock;
  const windowsOf = (database: Database) => ({
    database,
    clock,
    store: one.store,
    ledger: one.ledger,
    balances: one.balances,
  });

  async function newBudget(database: Database, account: AccountId): Promise<BudgetRow> {
    const row: BudgetRow = {
      ...toFields(parseWith(budgetChecker, { name: "all", limit_micros: 3 * price }), null),
      id: `bud_${account}` as BudgetId,
      account_id: account,
      status: "enabled",
      declared: 0,
      is_operators: 0,
      since_ms: 0,
      created_at_ms: 0,
    };
    await insertBudget(database, row);
    return row;
  }

  /** The window of the budget as a node knows it. */
  async function openOf(database: Database, row: BudgetRow): Promise<CapTerms> {
    const caps = (all: readonly CapTerms[]) => one.balances.caps(all);
    return await new BudgetLine({ database, clock, caps }, toBudget(row), null).open();
  }

  test.each([
    ["by the new limit, before the change goes on to windows", true],
    ["by the old limit, after it did", false],
  ])("counts once in a window that another node opens %s", async (_when, isInformed) => {
    const payer = await customer();
    const database = createDatabase(one.store);
    const before = await newBudget(database, payer.accountId);
    const after = { ...before, limit_micros: 5 * price };
    const spend = async (row: BudgetRow) =>
      await other.request(payer, [await openOf(database, row)]);
    await changeWithWindows(windowsOf(database), { before, after }, async () => {
      await updateBudget(database, after);
      if (isInformed) expect(await spend(after)).toBe("served");
    });
    if (!isInformed) expect(await spend(before)).toBe("served");
    const { id } = await openOf(database, after);
    expect(await one.balances.cap(id)).toMatchObject({ limitMicros: 5 * price });
    // Windows that were open before have the difference, with what they carried.
    const lowered = { ...after, limit_micros: 4 * price };
    await changeWithWindows(windowsOf(database), { before: after, after: lowered }, () =>
      updateBudget(database, lowered),
    );
    expect(await one.balances.cap(id)).toMatchObject({ limitMicros: 4 * price });
    expect(await faults()).toEqual([]);
  });
});

test("what a node had of caps when it died is the others', with its holds given back", async () => {
  const payer = await customer();
  const caps = [
    termsOf(payer, 1, { limitMicros: 6 * price }),
    termsOf(payer, 2, { mode: "stop", limitMicros: 6 * price }),
  ];
  const dying = await Node.start(url, "dying");
  expect(await dying.request(payer, caps)).toBe("served");
  const held: Reservation = await dying.admit(payer, caps, 5 * price);
  await held.written;
  dying.kill();
  // Held is held, as long as the node may live.
  expect(await other.request(payer, caps)).not.toBe("served");
  await eventually("the death of a node", async () => {
    await reapDead({
      turns: one.turns,
      clock: systemClock,
      toRecords: async () => [],
      reaped: () => undefined,
    });
    return (await one.turns.isLive(dying.taker.nodeId)) ? undefined : true;
  });
  const verdicts = Array.from({ length: 9 }, (_, at) => both(at).request(payer, caps));
  expect(tally(await Promise.all(verdicts))).toEqual({ served: 5, budget_exceeded: 4 });
  for (const cap of caps) expect(await spentUnder(cap)).toBe(6 * price);
  expect(await faults()).toEqual([]);
  await dying.close();
});
