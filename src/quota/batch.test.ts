import { expect, test } from "bun:test";
import type { AccountId, KeyId } from "../core/ids.ts";
import { micros } from "../core/money.ts";
import type { EntryTable } from "../store/schema.ts";
import { Batch } from "./batch.ts";
import type { HoldRow } from "./rows.ts";

const account = "acc_1" as AccountId;
const key = "key_1" as KeyId;

const hold: HoldRow = {
  id: "req_1",
  account_id: account,
  key_id: key,
  group_name: "default",
  model: "m",
  micros: micros(70),
  price: "1/2",
  created_at_ms: 5,
  caps: null,
};

const close: EntryTable = {
  id: "req_1",
  kind: "post",
  account_id: account,
  key_id: key,
  group_name: "default",
  model: "m",
  held_micros: 70,
  micros: 50,
  loss_micros: 0,
  price: "1/2",
  usage: "3/4",
  reason: null,
  actor: null,
  at_ms: 6,
  caps: null,
};

function listsOf(batch: Batch): Record<string, unknown[][]> {
  return JSON.parse(batch.document());
}

test("an empty batch has no list", () => {
  const batch = new Batch();
  expect(batch.size).toBe(0);
  expect(listsOf(batch)).toEqual({});
});

test("the size counts holds and entries, not the sums they move", () => {
  const batch = new Batch();
  batch.addHold(hold);
  batch.addEntry(close);
  batch.moveHeld(account, key, 1);
  expect(batch.size).toBe(2);
});

test("posts and voids close a hold, grants do not", () => {
  const batch = new Batch();
  batch.addEntry(close);
  batch.addEntry({ ...close, id: "req_2", kind: "void", micros: 0 });
  batch.addEntry({ ...close, id: "op_1", kind: "grant", key_id: null });
  expect(listsOf(batch)["closed"]).toEqual([["req_1"], ["req_2"]]);
  expect(listsOf(batch)["entries"]?.map(([id, kind]) => [id, kind])).toEqual([
    ["req_1", "post"],
    ["req_2", "void"],
    ["op_1", "grant"],
  ]);
});

test("the sums of an account and a key are one row each, however often they move", () => {
  const batch = new Batch();
  const other = "acc_2" as AccountId;
  batch.moveHeld(account, key, 70);
  batch.moveGranted(other, 5);
  batch.moveHeld(account, key, -70);
  batch.moveSpent(account, key, 50);
  expect(listsOf(batch)).toMatchObject({
    accounts: [
      ["acc_1", 0, -50, 0, 50],
      ["acc_2", 5, 5, 0, 0],
    ],
    keys: [["key_1", 0, 50]],
  });
});

test("a line keeps its cells in the order of its table's statement", () => {
  const batch = new Batch();
  batch.addHold({ ...hold, created_at_ms: 111, caps: "bud_1@0" });
  batch.addEntry({ ...close, id: "req_0", at_ms: 222, caps: "bud_1@0 bud_2@0" });
  const { holds, entries } = listsOf(batch);
  expect(holds).toEqual([["req_1", "acc_1", "key_1", "default", "m", 70, "1/2", 111, "bud_1@0"]]);
  expect(entries?.map((cells) => cells.join(" "))).toEqual([
    "req_0 post acc_1 key_1 default m 70 50 0 1/2 3/4   222 bud_1@0 bud_2@0",
  ]);
});

test("a hold that is closed before it was written leaves only its entry", () => {
  const batch = new Batch();
  batch.addHold(hold);
  batch.addHold({ ...hold, id: "req_2" });
  batch.addEntry(close);
  const { holds, closed, entries } = listsOf(batch);
  expect([holds, closed, entries].map((rows) => rows?.map(([id]) => id))).toEqual([
    ["req_2"],
    undefined,
    ["req_1"],
  ]);
});

test("the first word on whether it was written stands", async () => {
  const batch = new Batch();
  batch.letGo();
  batch.finish();
  expect(await batch.written).toBe(false);
});

test("those who cannot be let go wait until it is written", async () => {
  const batch = new Batch();
  let isKept = false;
  const kept = batch.kept.then(() => (isKept = true));
  batch.letGo();
  expect([await batch.written, isKept]).toEqual([false, false]);
  batch.finish();
  await kept;
  expect(isKept).toBe(true);
});
