// The rows that a world's accounts and keys need before they can have money.
import type { Statement } from "../../src/store/store.ts";
import type { Terms } from "./book.ts";

export function accountRows({ accounts, keys }: Terms): Statement[] {
  return [
    {
      sql: `insert into account (id, username, password_hash, role, group_name, status,
              created_at_ms)
            select value ->> 0, value ->> 0, '', 'user', 'default', 'enabled', 0
            from json_each(?)`,
      parameters: [JSON.stringify(accounts.map(({ id }) => [id]))],
    },
    {
      sql: `insert into ledger_account (account_id, unlimited)
            select value ->> 0, value ->> 1 from json_each(?)`,
      parameters: [JSON.stringify(accounts.map(({ id, unlimited }) => [id, Number(unlimited)]))],
    },
    {
      sql: `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
              created_at_ms)
            select value ->> 0, value ->> 0, '', value ->> 1, '', 'default', 'enabled', 0, 0
            from json_each(?)`,
      parameters: [JSON.stringify(keys.map(({ id, account }) => [id, account]))],
    },
    {
      sql: `insert into ledger_key (key_id, account_id, limit_micros)
            select value ->> 0, value ->> 1, value ->> 2 from json_each(?)`,
      parameters: [JSON.stringify(keys.map(({ id, account, limit }) => [id, account, limit]))],
    },
  ];
}
