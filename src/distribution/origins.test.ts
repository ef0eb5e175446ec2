import { expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import type { ListedRow } from "../store/step.ts";
import { Origins, type Maker, type OriginsNeeds } from "./origins.ts";

const account = { accountId: "acc_1" as AccountId, makerId: null };

function madeBy(channel: string, model: string | null = null): Maker {
  const key = { text: "sk-1" };
  return { channel: { settings: { id: channel } }, key, model } as unknown as Maker;
}

function open() {
  const time = { nowMs: 1_000_000 };
  const rows: ListedRow[] = [];
  const clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  const parts = { clock, keep: (row: ListedRow) => void rows.push(row) } as OriginsNeeds;
  return { time, rows, origins: new Origins(parts) };
}

test("what was made is handed over at once, to be written with its settlement", () => {
  const { rows, origins } = open();
  origins.remember(account, ["resp_1", "resp_2"], madeBy("chn_1"));
  expect(rows.map(({ list, cells }) => [list, cells[0], cells[2]])).toEqual([
    ["origins", account.accountId, "chn_1"],
    ["origins", account.accountId, "chn_1"],
  ]);
});

test("the same of the same maker is written once a day, that of another at once", () => {
  const { rows, origins, time } = open();
  origins.remember(account, ["sig", "sig"], madeBy("chn_1"));
  origins.remember(account, ["sig"], madeBy("chn_1"));
  expect(rows).toHaveLength(1);
  origins.remember(account, ["sig"], madeBy("chn_2"));
  expect(rows).toHaveLength(2);
  time.nowMs += 86_400_000;
  origins.remember(account, ["sig"], madeBy("chn_2"));
  expect(rows).toHaveLength(3);
});
