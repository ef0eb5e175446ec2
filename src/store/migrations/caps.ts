// Caps: a row for each window of a budget, made by the first that is held under it, and the names
// of the caps that each hold and entry was taken under. A hard one is never past its limit.
import type { Migration } from "../migrate.ts";

/** Views are made of these columns at once, so they have their collation from the start. */
const sharedText = 'text collate "C"';

export const capColumns = (integer: string, text: string) => [
  `id ${text} primary key`,
  `budget_id ${text} not null`,
  `account_id ${text} not null`,
  `subject_id ${text}`,
  `mode ${text} not null check (mode in ('hard', 'stop', 'watch'))`,
  `opened_at_ms ${integer} not null`,
  `closes_at_ms ${integer}`,
  `limit_micros ${integer} not null check (limit_micros >= 0)`,
  `held_micros ${integer} not null default 0 check (held_micros >= 0)`,
  `spent_micros ${integer} not null default 0 check (spent_micros >= 0)`,
];

export const boundedBy = (limit: string, lent = "") =>
  `check (mode <> 'hard' or spent_micros + held_micros${lent} <= ${limit})`;

/** A node's part of a cap; only a hard one's is lent, of others it counts what was done. */
const slices = [
  "alter table cap set (fillfactor = 60)",
  `create table cap_slice (
    node_id text collate "C" not null,
    cap_id text collate "C" not null,
    limited bigint not null,
    granted_micros bigint not null default 0,
    held_micros bigint not null default 0 check (held_micros >= 0),
    spent_micros bigint not null default 0 check (spent_micros >= 0),
    lent_ever_micros bigint not null default 0,
    returned_at timestamptz,
    primary key (node_id, cap_id),
    constraint cap_slice_covered
      check (limited = 0 or granted_micros >= held_micros + spent_micros)
  ) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01)`,
  "create index cap_slice_cap on cap_slice (cap_id)",
];

export const namedColumns =
  "id, budget_id, account_id, subject_id, mode, opened_at_ms, closes_at_ms, limit_micros";

export const sharedCapBalance = (columns: string) => `create view cap_balance as
  select ${columns.replaceAll(/\w+/g, (column) => `c.${column}`)},
    cast(c.held_micros + coalesce(s.held_micros, 0) as bigint) as held_micros,
    cast(c.spent_micros + coalesce(s.spent_micros, 0) as bigint) as spent_micros,
    c.lent_micros, cast(coalesce(s.granted_micros, 0) as bigint) as sliced_micros
  from cap c left join lateral (
    select sum(held_micros) as held_micros, sum(spent_micros) as spent_micros,
      sum(granted_micros) as granted_micros
    from cap_slice where cap_id = c.id) s on true`;

export const soleCapBalance = (columns: string) =>
  `create view cap_balance as select ${columns}, held_micros, spent_micros,
  0 as lent_micros, 0 as sliced_micros from cap`;

/** A line for each cap that a hold or a charge names. */
const lines = (split: string) => [
  `create view cap_hold as select s.value as cap_id, l.micros from hold l, ${split}
    where l.caps is not null`,
  `create view cap_post as select s.value as cap_id, l.micros from entry l, ${split}
    where l.caps is not null and l.kind = 'post'`,
];

const sharedSplit = "lateral unnest(string_to_array(l.caps, ' ')) as s (value)";
const soleSplit = `json_each('["' || replace(l.caps, ' ', '","') || '"]') as s`;

export const caps: Migration = ({ keyedTable, integer, isShared = false }) => {
  const text = isShared ? sharedText : "text";
  return [
    keyedTable("cap", [
      ...capColumns(integer, text),
      ...(isShared ? [`lent_micros ${integer} not null default 0 check (lent_micros >= 0)`] : []),
      boundedBy("limit_micros", isShared ? " + lent_micros" : ""),
    ]),
    "create index cap_budget on cap (budget_id, opened_at_ms)",
    "create index cap_account on cap (account_id)",
    `alter table hold add column caps ${text}`,
    `alter table entry add column caps ${text}`,
    ...(isShared ? [...slices, sharedCapBalance(namedColumns)] : [soleCapBalance(namedColumns)]),
    ...lines(isShared ? sharedSplit : soleSplit),
  ];
};
