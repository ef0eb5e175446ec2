// Money across nodes: what each node was lent of accounts and keys, and what all of it comes to.
// Where one process has the database to itself nothing is lent, and the views are the rows.
import type { Migration } from "../migrate.ts";

/** `fillfactor` leaves room in each page, so that a row that is moved often stays where it is. */
const lent = [
  `create table node (
    id text collate "C" primary key,
    seq bigint not null default 0,
    state text collate "C" not null default 'live' check (state in ('live', 'dead')),
    lease_until timestamptz not null,
    started_at timestamptz not null default clock_timestamp(),
    conflicts jsonb
  ) with (fillfactor = 20)`,
  "alter table ledger_account add column lent_micros bigint not null default 0",
  "alter table ledger_account drop constraint ledger_account_check",
  "alter table ledger_account drop constraint ledger_account_check1",
  `alter table ledger_account add constraint ledger_account_whole
    check (granted_micros = available_micros + lent_micros + held_micros + spent_micros)`,
  `alter table ledger_account add constraint ledger_account_covered
    check (unlimited = 1 or (available_micros >= 0 and lent_micros >= 0))`,
  "alter table ledger_account set (fillfactor = 60)",
  `alter table ledger_key add column lent_micros bigint not null default 0
    check (lent_micros >= 0)`,
  "alter table ledger_key set (fillfactor = 60)",
  `create table ledger_slice (
    node_id text collate "C" not null,
    account_id text collate "C" not null,
    unlimited bigint not null,
    granted_micros bigint not null default 0,
    available_micros bigint not null default 0,
    held_micros bigint not null default 0 check (held_micros >= 0),
    spent_micros bigint not null default 0 check (spent_micros >= 0),
    lent_ever_micros bigint not null default 0,
    returned_at timestamptz,
    primary key (node_id, account_id),
    constraint ledger_slice_whole
      check (granted_micros = available_micros + held_micros + spent_micros),
    constraint ledger_slice_covered check (unlimited = 1 or available_micros >= 0)
  ) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01)`,
  "create index ledger_slice_account on ledger_slice (account_id)",
  `create table ledger_key_slice (
    node_id text collate "C" not null,
    key_id text collate "C" not null,
    limited bigint not null,
    granted_micros bigint not null default 0,
    held_micros bigint not null default 0 check (held_micros >= 0),
    spent_micros bigint not null default 0 check (spent_micros >= 0),
    lent_ever_micros bigint not null default 0,
    returned_at timestamptz,
    primary key (node_id, key_id),
    constraint ledger_key_slice_covered
      check (limited = 0 or granted_micros >= held_micros + spent_micros)
  ) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01)`,
  "create index ledger_key_slice_key on ledger_key_slice (key_id)",
  'alter table hold add column node_id text collate "C"',
  "create index hold_node on hold (node_id, account_id) where node_id is not null",
  'create table recall (subject text collate "C" primary key, at timestamptz not null)',
];

const sharedViews = [
  `create view account_balance as
    select a.account_id, a.unlimited, a.granted_micros,
      cast(a.available_micros + coalesce(s.available_micros, 0) as bigint) as available_micros,
      cast(a.held_micros + coalesce(s.held_micros, 0) as bigint) as held_micros,
      cast(a.spent_micros + coalesce(s.spent_micros, 0) as bigint) as spent_micros
    from ledger_account a left join lateral (
      select sum(available_micros) as available_micros, sum(held_micros) as held_micros,
        sum(spent_micros) as spent_micros
      from ledger_slice where account_id = a.account_id) s on true`,
  `create view key_balance as
    select k.key_id, k.account_id, k.limit_micros,
      cast(k.held_micros + coalesce(s.held_micros, 0) as bigint) as held_micros,
      cast(k.spent_micros + coalesce(s.spent_micros, 0) as bigint) as spent_micros,
      k.lent_micros, cast(coalesce(s.granted_micros, 0) as bigint) as sliced_micros
    from ledger_key k left join lateral (
      select sum(held_micros) as held_micros, sum(spent_micros) as spent_micros,
        sum(granted_micros) as granted_micros
      from ledger_key_slice where key_id = k.key_id) s on true`,
];

const soleViews = [
  `create view account_balance as select account_id, unlimited, granted_micros,
    available_micros, held_micros, spent_micros from ledger_account`,
  `create view key_balance as select key_id, account_id, limit_micros,
    held_micros, spent_micros, 0 as lent_micros, 0 as sliced_micros from ledger_key`,
];

export const cluster: Migration = ({ isShared = false }) =>
  isShared ? [...lent, ...sharedViews] : soleViews;
