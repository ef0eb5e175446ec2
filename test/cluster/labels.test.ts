// The sums by label on PostgreSQL: as few as with files, also where nodes write them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  factsOf,
  labelBatches,
  labelFacts,
  sumLabels,
} from "../../src/observe/fixtures/label-rows.ts";
import { encodeRecords } from "../../src/observe/queries.ts";
import { readLog } from "../../src/store/log.ts";
import type { Store } from "../../src/store/store.ts";
import { newDatabase, openDatabase } from "../harness/postgres.ts";

let store: Store;

beforeAll(async () => {
  store = await openDatabase(await newDatabase());
});

afterAll(async () => {
  await store?.close();
});

test("an account has a thousand labels on a day, and all others together", async () => {
  for (const batch of labelBatches) await store.writeLog({ documents: [encodeRecords(batch)] });
  expect(factsOf(await readLog(store, sumLabels({ accountId: "acc_1" })))).toEqual(labelFacts);
  expect(factsOf(await readLog(store, sumLabels()))).toEqual(labelFacts);
});
