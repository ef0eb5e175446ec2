// Parts of a window's limit, so that it is always a function of them and never of its own earlier
// value. A hard window may be lowered below what is held or spent of it: nothing more fits until
// enough has ended, and the check of the table allows for the highest limit that it had.
import type { Migration } from "../migrate.ts";
import { boundedBy, capColumns, namedColumns, sharedCapBalance, soleCapBalance } from "./caps.ts";

const partsOf = (integer: string) => [
  `budget_micros ${integer}`,
  `carried_micros ${integer}`,
  `raised_micros ${integer}`,
  `lowered_from_micros ${integer} not null default 0`,
];

const parts = ["budget_micros", "carried_micros", "raised_micros", "lowered_from_micros"];
const columns = `${namedColumns}, ${parts.join(", ")}`;

const sharedBound =
  "mode <> 'hard' or spent_micros + held_micros + lent_micros <= " +
  "greatest(limit_micros, lowered_from_micros)";

/** Most windows have what their budget has. The others are looked at by a start. */
const explain = `update cap set budget_micros = limit_micros, carried_micros = 0, raised_micros = 0
  where limit_micros = (select b.limit_micros from budget b where b.id = cap.budget_id)`;

export const capLimits: Migration = ({ keyedTable, integer, isShared = false }) => {
  if (isShared) {
    return [
      ...partsOf(integer).map((column) => `alter table cap add column ${column}`),
      "alter table cap drop constraint cap_check",
      `alter table cap add constraint cap_bounded check (${sharedBound})`,
      "drop view cap_balance",
      sharedCapBalance(columns),
      explain,
    ];
  }
  const before = `${namedColumns}, held_micros, spent_micros`;
  return [
    "drop view cap_balance",
    keyedTable("cap_with_parts", [
      ...capColumns(integer, "text"),
      ...partsOf(integer),
      boundedBy("max(limit_micros, lowered_from_micros)"),
    ]),
    `insert into cap_with_parts (${before}) select ${before} from cap`,
    "drop table cap",
    "alter table cap_with_parts rename to cap",
    "create index cap_budget on cap (budget_id, opened_at_ms)",
    "create index cap_account on cap (account_id)",
    soleCapBalance(columns),
    explain,
  ];
};
