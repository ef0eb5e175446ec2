import { describe, expect, test } from "bun:test";
import type { AccountId, KeyId } from "../core/ids.ts";
import { createDatabase } from "../store/database.ts";
import type { Row, Statement, Store } from "../store/store.ts";
import { Balances } from "./balances.ts";

const account = "acc_1" as AccountId;
const key = "key_1" as KeyId;

const unused = () => Promise.reject(new Error("not used here"));

/** A store whose reads are answered by the test. */
function openReads() {
  const reads: { statement: Statement; answer(rows: Row[]): void; fail(error: Error): void }[] = [];
  const store: Store = {
    dialect: "sqlite",
    read: (statement) =>
      new Promise((answer, fail) => {
        reads.push({ statement, answer, fail });
      }),
    append: unused,
    commit: unused,
    applied: unused,
    logApplied: unused,
    readLog: unused,
    writeLog: unused,
    close: unused,
  };
  return { balances: new Balances({ database: createDatabase(store), store }), reads };
}

const row = {
  account_id: account,
  unlimited: 0,
  granted_micros: 10,
  available_micros: 5,
  held_micros: 3,
  spent_micros: 2,
};

test("a page of accounts is one read, which keeps none of them, and memory knows better", async () => {
  const { balances, reads } = openReads();
  const loading = balances.account(account);
  reads[0]?.answer([row]);
  const kept = await loading;
  if (kept) kept.heldMicros = 4;
  const other = "acc_2" as AccountId;
  const page = balances.accounts([account, other]);
  expect(reads.length).toBe(2);
  reads[1]?.answer([row, { ...row, account_id: other }]);
  const shown = await page;
  expect(shown.get(account)?.heldMicros).toBe(4);
  expect(shown.get(other)?.heldMicros).toBe(3);
  void balances.account(other);
  expect(reads.length).toBe(3);
  expect(await balances.accounts([])).toEqual(new Map());
});

test("a key of a list is shown as it was read, or as memory has it, and is read no second time", async () => {
  const { balances, reads } = openReads();
  const listed = {
    key_id: key,
    account_id: account,
    limit_micros: null,
    held_micros: 0,
    spent_micros: 7,
  };
  expect(balances.shownKey(listed).spentMicros).toBe(7);
  expect(reads).toEqual([]);
  const loading = balances.key(key);
  reads[0]?.answer([listed]);
  const kept = await loading;
  if (kept) kept.spentMicros = 9;
  expect(balances.shownKey(listed).spentMicros).toBe(9);
});

test("all who ask for an account at once share one balance, read once", async () => {
  const { balances, reads } = openReads();
  const both = Promise.all([balances.account(account), balances.account(account)]);
  expect(reads.length).toBe(1);
  reads[0]?.answer([row]);
  const [one, other] = await both;
  expect(one).toBe(other);
  expect(await balances.account(account)).toBe(one);
  expect(reads.length).toBe(1);
  expect(one).toEqual({
    id: account,
    uses: 0,
    isForgotten: false,
    unwrittenMicros: 0,
    unlimited: false,
    grantedMicros: 10,
    availableMicros: 5,
    heldMicros: 3,
    spentMicros: 2,
  });
});

test("an account that is not there is looked for again, because it may come", async () => {
  const { balances, reads } = openReads();
  const first = balances.account(account);
  reads[0]?.answer([]);
  expect(await first).toBeNull();
  const second = balances.account(account);
  reads[1]?.answer([{ ...row, unlimited: 1 }]);
  expect((await second)?.unlimited).toBe(true);
});

test("a read that failed is tried again by the next who asks", async () => {
  const { balances, reads } = openReads();
  const first = balances.account(account);
  reads[0]?.fail(new Error("unreadable"));
  await expect(first).rejects.toThrow("unreadable");
  const second = balances.account(account);
  reads[1]?.answer([row]);
  expect((await second)?.availableMicros).toBe(5);
});

test("a key knows its account and its limit, which may be none", async () => {
  const { balances, reads } = openReads();
  const cells = { key_id: key, account_id: account, held_micros: 4, spent_micros: 6 };
  const limited = balances.key(key);
  reads[0]?.answer([{ ...cells, limit_micros: 0 }]);
  expect(await limited).toEqual({
    id: key,
    uses: 0,
    isForgotten: false,
    unwrittenMicros: 0,
    accountId: account,
    limitMicros: 0,
    heldMicros: 4,
    spentMicros: 6,
  });
  const free = balances.key("key_2" as KeyId);
  reads[1]?.answer([{ ...cells, limit_micros: null }]);
  expect((await free)?.limitMicros).toBeNull();
});

describe("more balances than are kept", () => {
  const ids = ["acc_1", "acc_2", "acc_3", "acc_4"].map((id) => id as AccountId);
  const [one, two, three, four] = ids as [AccountId, AccountId, AccountId, AccountId];

  /** Keeps two; the ledger says when all is written, and the store notes what it is asked. */
  function openFew(settled: () => Promise<boolean>) {
    const asked: string[] = [];
    const store: Store = {
      dialect: "sqlite",
      read: async ({ parameters: [id = ""] }) => {
        asked.push(`read ${id}`);
        return [row];
      },
      applied: async () => {
        asked.push("applied");
      },
      append: unused,
      commit: unused,
      logApplied: unused,
      readLog: unused,
      writeLog: unused,
      close: unused,
    };
    const database = createDatabase(store);
    return { balances: new Balances({ database, store, ledger: { settled }, countMax: 2 }), asked };
  }

  async function loadAll({ balances }: ReturnType<typeof openFew>): Promise<void> {
    for (const id of ids) await balances.account(id);
  }

  test("the idle ones are forgotten once the database shows them, and read again", async () => {
    const few = openFew(async () => true);
    const first = await few.balances.account(one);
    await loadAll(few);
    expect(few.asked.indexOf("applied")).toBeGreaterThan(0);
    expect(first?.isForgotten).toBe(true);
    few.asked.length = 0;
    const again = await few.balances.account(one);
    expect(few.asked).toContain("read acc_1");
    expect(again).not.toBe(first);
    expect(again?.isForgotten).toBe(false);
  });

  test("one that is in use stays, and everybody gets the same one", async () => {
    const few = openFew(async () => true);
    const first = await few.balances.account(one);
    if (first) first.uses = 1;
    await loadAll(few);
    for (const id of [two, three, four, two, three]) await few.balances.account(id);
    expect(await few.balances.account(one)).toBe(first);
    expect(first?.isForgotten).toBe(false);
  });

  test("nothing is forgotten while the ledger cannot write", async () => {
    const few = openFew(async () => false);
    const first = await few.balances.account(one);
    await loadAll(few);
    await loadAll(few);
    expect(await few.balances.account(one)).toBe(first);
    expect(first?.isForgotten).toBe(false);
    expect(few.asked).not.toContain("applied");
  });

  test("whoever asks for one that is being forgotten waits for the new one", async () => {
    const written = Promise.withResolvers<boolean>();
    const few = openFew(() => written.promise);
    const first = await few.balances.account(one);
    for (const id of [two, three, four]) await few.balances.account(id);
    expect(first?.isForgotten).toBe(true);
    let found: unknown = null;
    const asking = few.balances.account(one).then((balance) => (found = balance));
    await Promise.resolve();
    expect(found).toBeNull();
    written.resolve(true);
    await asking;
    expect(found).not.toBe(first);
    expect(few.asked.at(-1)).toBe("read acc_1");
  });
});
