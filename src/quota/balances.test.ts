import { expect, test } from "bun:test";
import type { AccountId, KeyId } from "../core/ids.ts";
import type { Row, Statement, Store } from "../store/store.ts";
import { Balances } from "./balances.ts";

const account = "acc_1" as AccountId;
const key = "key_1" as KeyId;

/** A store whose reads are answered by the test. */
function openReads() {
  const reads: { statement: Statement; answer(rows: Row[]): void; fail(error: Error): void }[] = [];
  const unused = () => Promise.reject(new Error("not used here"));
  const store: Store = {
    read: (statement) =>
      new Promise((answer, fail) => {
        reads.push({ statement, answer, fail });
      }),
    append: unused,
    commit: unused,
    applied: unused,
    readLog: unused,
    writeLog: unused,
    close: unused,
  };
  return { balances: new Balances(store), reads };
}

const row = {
  account_id: account,
  unlimited: 0,
  granted_micros: 10,
  available_micros: 5,
  held_micros: 3,
  spent_micros: 2,
};

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
    accountId: account,
    limitMicros: 0,
    heldMicros: 4,
    spentMicros: 6,
  });
  const free = balances.key("key_2" as KeyId);
  reads[1]?.answer([{ ...cells, limit_micros: null }]);
  expect((await free)?.limitMicros).toBeNull();
});
