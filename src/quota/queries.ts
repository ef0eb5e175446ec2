// The ledger's SQL. A batch of the journal is one JSON document; each statement reads its part.
// The statements that close a hold and write its entry count rows, so that a second close of the
// same hold undoes the whole batch instead of passing unseen.
import type { Database } from "../store/database.ts";
import type { PriceTable } from "../store/schema.ts";
import type { Program } from "../store/store.ts";

export const ledgerProgram = "ledger";

/** In the order of `batchCounts`. */
export const ledgerStatements: Program = [
  `insert into hold (id, kind, account_id, key_id, group_name, model, micros, price, created_at_ms)
   select value ->> 0, 'request', value ->> 1, value ->> 2, value ->> 3, value ->> 4,
          value ->> 5, value ->> 6, value ->> 7
   from json_each(?1, '$.holds')`,
  `delete from hold where id in (select value ->> 0 from json_each(?1, '$.closed'))`,
  `insert into entry (id, kind, account_id, key_id, group_name, model, held_micros, micros,
                      loss_micros, price, usage, reason, actor, at_ms)
   select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
          value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11,
          value ->> 12, value ->> 13
   from json_each(?1, '$.entries')`,
  `update ledger_account
   set granted_micros = granted_micros + delta.granted,
       available_micros = available_micros + delta.available,
       held_micros = held_micros + delta.held,
       spent_micros = spent_micros + delta.spent
   from (select value ->> 0 as account_id, value ->> 1 as granted, value ->> 2 as available,
                value ->> 3 as held, value ->> 4 as spent
         from json_each(?1, '$.accounts')) as delta
   where ledger_account.account_id = delta.account_id`,
  `update ledger_key
   set held_micros = held_micros + delta.held, spent_micros = spent_micros + delta.spent
   from (select value ->> 0 as key_id, value ->> 1 as held, value ->> 2 as spent
         from json_each(?1, '$.keys')) as delta
   where ledger_key.key_id = delta.key_id`,
];

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
