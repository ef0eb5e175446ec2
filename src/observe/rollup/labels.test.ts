// Sums by label: few of them, whatever clients make up.
import { expect, test } from "bun:test";
import { dayMs } from "../../core/day.ts";
import {
  factsOf,
  labelBatches,
  labelDay,
  labelDays,
  labelFacts,
  labelled,
  sumLabels,
} from "../fixtures/label-rows.ts";
import { LogDatabase } from "../fixtures/log-database.ts";
import { listSums } from "./queries.ts";

test("an account has a thousand labels on a day, and all others together", () => {
  using log = new LogDatabase();
  for (const batch of labelBatches) log.insert(...batch);
  expect(factsOf(log.list(sumLabels({ accountId: "acc_1" })))).toEqual(labelFacts);
  // Another day and another account have room of their own.
  const at_ms = (labelDay + 1) * dayMs;
  log.insert(labelled("new", { at_ms }), labelled("new", { account_id: "acc_2" }));
  expect(log.list(sumLabels({ label: "new" }))[0]?.micros).toBe(20);
});

test("requests without a label are the remainder, by account as well", () => {
  using log = new LogDatabase();
  log.insert(labelled("a"), labelled(null), labelled(null, { account_id: "acc_2", key_id: "k" }));
  const by = ["account_id", "label"] as const;
  const page = { limit: 10, offset: 0 };
  const rows = log.list(listSums("usage_label_day", { filter: labelDays, by }, page));
  const told = rows.map((row) => [row.account_id, row.label, row.requests, row.micros]);
  expect(told).toEqual([
    ["acc_1", "", 1, 10],
    ["acc_1", "a", 1, 10],
    ["acc_2", "", 1, 10],
  ]);
});
