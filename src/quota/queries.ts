// The ledger's SQL. A batch of the journal is one document of lists; each step takes one of them.
// Every row must change exactly one, so a second close of the same hold undoes the whole batch
// instead of passing unseen.
import type { Database } from "../store/database.ts";
import type { EntryTable, PriceTable } from "../store/schema.ts";
import type { Program } from "../store/store.ts";

export const ledgerProgram = "ledger";

export const ledgerSteps: Program = {
  // A hold that is closed within the same commit never reaches its table.
  undone: ["holds", "closed"],
  summed: { accounts: 1, keys: 1 },
  steps: [
    {
      list: "holds",
      into: `hold (id, account_id, key_id, group_name, model, micros, price, created_at_ms, kind)`,
      values: "(?, ?, ?, ?, ?, ?, ?, ?, 'request')",
    },
    {
      list: "taskHolds",
      sql: `insert into hold (id, account_id, key_id, group_name, model, micros, price,
                              created_at_ms, kind)
            values (?, ?, ?, ?, ?, ?, ?, ?, 'task')`,
    },
    { list: "closed", sql: "delete from hold where id = ?" },
    {
      list: "entries",
      into: `entry (id, kind, account_id, key_id, group_name, model, held_micros, micros,
                    loss_micros, price, usage, reason, actor, at_ms)`,
      values: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    },
    {
      list: "accounts",
      sql: `update ledger_account
            set granted_micros = granted_micros + ?2, available_micros = available_micros + ?3,
                held_micros = held_micros + ?4, spent_micros = spent_micros + ?5
            where account_id = ?1`,
    },
    {
      list: "keys",
      sql: `update ledger_key set held_micros = held_micros + ?2, spent_micros = spent_micros + ?3
            where key_id = ?1`,
    },
    {
      list: "tasks",
      sql: `insert into task (id, kind, account_id, key_id, group_name, family, model, job, price,
                              held_micros, webhook_url, created_at_ms, deadline_at_ms, state,
                              progress, channel_id, key_digest, upstream_model, next_poll_at_ms,
                              owner, lease_until_ms)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, 0))`,
    },
    {
      // What has ended stays as it ended, and may only be deleted. What has not is its owner's.
      list: "taskChanges",
      sql: `update task
            set state = ?2, progress = ?3, channel_id = ?4, key_digest = ?5, upstream_model = ?6,
                operation = ?7, result = ?8, delivered = ?9, error = ?10, next_poll_at_ms = ?11,
                completed_at_ms = ?12, deleted_at_ms = ?13,
                owner = case when ?2 in ('completed', 'failed') then null else owner end,
                lease_until_ms = case when ?2 in ('completed', 'failed') then 0
                                      else lease_until_ms end
            where id = ?1 and case when state in ('completed', 'failed') then state = ?2
                                   else owner is ?14 end`,
    },
    {
      // Whoever writes it has looked that the one before has expired or came to nothing.
      list: "creates",
      sql: `insert into idempotent_create (account_id, idempotency_key, body_digest, task_id,
                                           created_at_ms)
            values (?1, ?2, ?3, ?4, ?5)
            on conflict (account_id, idempotency_key)
            do update set body_digest = ?3, task_id = ?4, created_at_ms = ?5`,
    },
    {
      list: "deliveries",
      sql: `insert into webhook_delivery (id, task_id, event, url, body, created_at_ms, attempts,
                                          next_attempt_at_ms)
            values (?1, ?2, ?3, ?4, ?5, ?6, 0, ?6)`,
    },
    {
      // Whoever writes it has looked that the code is there and was not used.
      list: "redemptions",
      sql: `update redemption set redeemed_by = ?2, redeemed_at_ms = ?3
            where id = ?1 and redeemed_at_ms is null`,
    },
    {
      list: "auditEntries",
      sql: `insert into audit_entry (id, at_ms, actor_id, actor_name, actor_role, carrier, ip,
                                     action, target_kind, target_id, changes)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    },
  ],
};

/** Voids what requests of a dead process still hold; what they may have cost is booked as loss. */
export const recoverHolds = [
  `insert into entry (id, kind, account_id, key_id, group_name, model, held_micros, micros,
                      loss_micros, price, reason, at_ms)
   select id, 'void', account_id, key_id, group_name, model, micros, 0, micros, price,
          'recovered', ?1
   from hold where kind = 'request'`,
  `update ledger_account
   set available_micros = available_micros + dead.micros, held_micros = held_micros - dead.micros
   from (select account_id, sum(micros) as micros from hold
         where kind = 'request' group by account_id) as dead
   where ledger_account.account_id = dead.account_id`,
  `update ledger_key set held_micros = held_micros - dead.micros
   from (select key_id, sum(micros) as micros from hold
         where kind = 'request' group by key_id) as dead
   where ledger_key.key_id = dead.key_id`,
  `delete from hold where kind = 'request'`,
] as const;

export const countHolds = "select count(*) as count from hold where kind = 'request'";

/** How much there is to verify. */
export const countBook = `select (select count(*) from ledger_account) as accounts,
  (select count(*) from entry) as entries`;

export const readAccountBalance = `select account_id, unlimited, granted_micros, available_micros,
  held_micros, spent_micros from ledger_account where account_id = ?1`;

export const readKeyBalance = `select key_id, account_id, limit_micros, held_micros, spent_micros
  from ledger_key where key_id = ?1`;

/** Each query returns the rows that break the invariant it is named after. */
export const invariants: Readonly<Record<string, string>> = {
  "an account's granted is available plus held plus spent": `
    select account_id as id, granted_micros, available_micros, held_micros, spent_micros
    from ledger_account where granted_micros <> available_micros + held_micros + spent_micros`,
  "an account's granted is the sum of its grants": `
    select a.account_id as id, a.granted_micros, coalesce(sum(e.micros), 0) as entries_micros
    from ledger_account a left join entry e on e.account_id = a.account_id and e.kind = 'grant'
    group by a.account_id, a.granted_micros having a.granted_micros <> coalesce(sum(e.micros), 0)`,
  "an account's spent is the sum of its posts": `
    select a.account_id as id, a.spent_micros, coalesce(sum(e.micros), 0) as entries_micros
    from ledger_account a left join entry e on e.account_id = a.account_id and e.kind = 'post'
    group by a.account_id, a.spent_micros having a.spent_micros <> coalesce(sum(e.micros), 0)`,
  "an account's held is the sum of its open holds": `
    select a.account_id as id, a.held_micros, coalesce(sum(h.micros), 0) as holds_micros
    from ledger_account a left join hold h on h.account_id = a.account_id
    group by a.account_id, a.held_micros having a.held_micros <> coalesce(sum(h.micros), 0)`,
  "a limited account is never overdrawn": `
    select account_id as id, available_micros from ledger_account
    where unlimited = 0 and available_micros < 0`,
  "a key's spent is the sum of its posts": `
    select k.key_id as id, k.spent_micros, coalesce(sum(e.micros), 0) as entries_micros
    from ledger_key k left join entry e on e.key_id = k.key_id and e.kind = 'post'
    group by k.key_id, k.spent_micros having k.spent_micros <> coalesce(sum(e.micros), 0)`,
  "a key's held is the sum of its open holds": `
    select k.key_id as id, k.held_micros, coalesce(sum(h.micros), 0) as holds_micros
    from ledger_key k left join hold h on h.key_id = k.key_id
    group by k.key_id, k.held_micros having k.held_micros <> coalesce(sum(h.micros), 0)`,
  "a closed hold is not open": `
    select h.id as id, e.kind from hold h join entry e on e.id = h.id`,
  "a void costs nothing and a post has a price": `
    select id, kind, micros, price from entry
    where (kind = 'void' and micros <> 0) or (kind = 'post' and price is null)`,
  "an entry's key belongs to the entry's account": `
    select e.id as id, e.key_id, e.account_id from entry e join ledger_key k on k.key_id = e.key_id
    where k.account_id <> e.account_id`,
};

export async function findEntry(database: Database, id: string): Promise<EntryTable | null> {
  const row = await database
    .selectFrom("entry")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function readPrices(database: Database): Promise<PriceTable[]> {
  return await database.selectFrom("price").selectAll().orderBy("model").execute();
}

export async function writePrice(database: Database, row: PriceTable): Promise<void> {
  const { model: _model, ...changes } = row;
  await database
    .insertInto("price")
    .values(row)
    .onConflict((conflict) => conflict.column("model").doUpdateSet(changes))
    .execute();
}

export async function deletePrice(database: Database, model: string): Promise<void> {
  await database.deleteFrom("price").where("model", "=", model).execute();
}
