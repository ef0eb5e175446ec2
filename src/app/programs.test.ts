// Journals outlive upgrades: what an earlier version wrote must be taken by this one.
import { expect, test } from "bun:test";
import { ledgerProgram } from "../quota/queries.ts";
import { SqliteConnection } from "../store/sqlite/connection.ts";
import { mainVersions } from "../store/sqlite/open.ts";
import type { Value } from "../store/store.ts";
import { mainPrograms } from "./programs.ts";

const accounts = [
  `insert into account (id, username, password_hash, role, group_name, status, created_at_ms)
   values ('acc_1', 'one', '', 'user', 'g', 'enabled', 0)`,
  "insert into ledger_account (account_id, unlimited) values ('acc_1', 1)",
  `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
     created_at_ms) values ('key_1', 'h1', '', 'acc_1', '', 'g', 'enabled', 0, 0)`,
  "insert into ledger_key (key_id, account_id) values ('key_1', 'acc_1')",
  `insert into redemption (id, hash, shown, name, micros, created_by, created_at_ms)
   values ('red_1', 'h', 's', 'n', 9, 'acc_1', 0)`,
].map((sql) => ({ sql, parameters: [] }));

const job: Value[] = ["task_1", "video", "acc_1", "key_1", "g", "videoA", "m", "{}", "{}", 7];
const place: Value[] = ["chn_1", "digest", "m"];

/** Written by version 0.1: the names of the lists and the order of the cells are for ever. */
const document = {
  holds: [["req_1", "acc_1", "key_1", "g", "m", 5, "p", 11]],
  taskHolds: [["task_1", "acc_1", "key_1", "g", "m", 7, "p", 12]],
  closed: [],
  entries: [
    ["op_1", "grant", "acc_1", null, null, null, 0, 100, 0, null, null, "why", "root", 13],
    ["req_0", "post", "acc_1", "key_1", "g", "m", 4, 3, 1, "p", "u", null, null, 14],
  ],
  accounts: [["acc_1", 100, 85, 12, 3]],
  keys: [["key_1", 12, 3]],
  tasks: [[...job, "http://hook", 15, 99, "submitting", 0, ...place, 16, "node_1", 17]],
  taskChanges: [
    ["task_1", "queued", 2, ...place, "op", null, "{}", null, 18, null, null, "node_1"],
  ],
  creates: [["acc_1", "key", "digest", "task_1", 19]],
  deliveries: [["msg_1", "task_1", "video.completed", "http://hook", "{}", 20]],
  redemptions: [["red_1", "acc_1", 21]],
  auditEntries: [
    ["aud_1", 22, "acc_1", "one", "user", "token", "::1", "user.credit", "user", "acc_1", "{}"],
  ],
};

function opened(): SqliteConnection {
  const connection = new SqliteConnection({ path: ":memory:", programs: mainPrograms });
  connection.migrate(mainVersions());
  connection.commit([], accounts, false);
  return connection;
}

test("a record of the first version has its cells in the columns that they were written for", () => {
  const connection = opened();
  const run = { program: ledgerProgram, document: JSON.stringify(document) };
  connection.commit([run], [], false);
  const all = (table: string) =>
    connection.all({ sql: `select * from ${table} order by 1`, parameters: [] });
  expect(all("hold")).toMatchObject([
    { id: "req_1", kind: "request", micros: 5, price: "p", created_at_ms: 11 },
    { id: "task_1", kind: "task", group_name: "g", model: "m", micros: 7, created_at_ms: 12 },
  ]);
  expect(all("entry")).toMatchObject([
    {
      id: "op_1",
      kind: "grant",
      key_id: null,
      micros: 100,
      reason: "why",
      actor: "root",
      at_ms: 13,
    },
    { id: "req_0", held_micros: 4, micros: 3, loss_micros: 1, price: "p", usage: "u", at_ms: 14 },
  ]);
  expect(all("ledger_account")).toMatchObject([
    { granted_micros: 100, available_micros: 85, held_micros: 12, spent_micros: 3 },
  ]);
  expect(all("ledger_key")).toMatchObject([{ held_micros: 12, spent_micros: 3 }]);
  expect(all("task")).toMatchObject([
    {
      id: "task_1",
      family: "videoA",
      held_micros: 7,
      webhook_url: "http://hook",
      deadline_at_ms: 99,
      state: "queued",
      progress: 2,
      channel_id: "chn_1",
      key_digest: "digest",
      upstream_model: "m",
      operation: "op",
      delivered: "{}",
      next_poll_at_ms: 18,
      owner: "node_1",
      lease_until_ms: 17,
    },
  ]);
  expect(all("idempotent_create")).toMatchObject([
    { idempotency_key: "key", body_digest: "digest", task_id: "task_1", created_at_ms: 19 },
  ]);
  expect(all("webhook_delivery")).toMatchObject([
    {
      id: "msg_1",
      event: "video.completed",
      attempts: 0,
      created_at_ms: 20,
      next_attempt_at_ms: 20,
    },
  ]);
  expect(all("redemption")).toMatchObject([{ redeemed_by: "acc_1", redeemed_at_ms: 21 }]);
  expect(all("audit_entry")).toMatchObject([
    { at_ms: 22, actor_role: "user", carrier: "token", action: "user.credit", target_id: "acc_1" },
  ]);
  connection.close();
});

test("a task from before tasks had owners has none, and a lease that is over", () => {
  const connection = opened();
  const tasks = document.tasks.map((cells) => cells.slice(0, -2));
  const taskChanges = document.taskChanges.map((cells) => cells.slice(0, -1));
  const run = { program: ledgerProgram, document: JSON.stringify({ tasks, taskChanges }) };
  connection.commit([run], [], false);
  const sql = "select state, owner, lease_until_ms from task";
  expect(connection.all({ sql, parameters: [] })).toEqual([
    { state: "queued", owner: null, lease_until_ms: 0 },
  ]);
  connection.close();
});
