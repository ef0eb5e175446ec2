// The versions of the log's database. Like a migration of the main one, a released one is never
// changed in what it does, only followed by another.
import type { SqlDialect, Migration } from "../../store/migrate.ts";
import { relocationColumns } from "../../store/migrations/relocation.ts";

/** The oldest version whose program can work with the newest, as that of the main tables is. */
export const oldestLogReader = 4;

export const usageLogMigrations: readonly Migration[] = [
  ({ integer, numberedTable }) => [
    numberedTable("usage_log", [
      `id text not null, at_ms ${integer} not null, account_id text not null`,
      "key_id text not null, key_name text not null, group_name text not null",
      "route text not null, model text not null, channel_id text, channel_name text",
      `status ${integer} not null, outcome text not null, stream ${integer} not null`,
      `input_tokens ${integer} not null, output_tokens ${integer} not null`,
      `cache_read_tokens ${integer} not null, cache_write_tokens ${integer} not null`,
      `reasoning_tokens ${integer} not null, estimated ${integer} not null`,
      `micros ${integer} not null, latency_ms ${integer} not null, first_byte_ms ${integer}`,
      `attempts ${integer} not null, ip text not null, error_code text`,
    ]),
    "create index usage_log_account_at on usage_log (account_id, at_ms)",
    "create index usage_log_at on usage_log (at_ms)",
  ],
  (dialect) => [
    "alter table usage_log add column kind text not null default 'request'",
    `alter table usage_log add column images ${dialect.integer} not null default 0`,
    `alter table usage_log add column media_ms ${dialect.integer} not null default 0`,
    "alter table usage_log add column task_id text",
    // Columns that the log is asked for stand in its indices, so that a row that is passed over is
    // never looked up.
    "drop index usage_log_account_at",
    "drop index usage_log_at",
    `create index usage_log_account_at on usage_log (account_id, at_ms, key_id, model, status)`,
    `create index usage_log_at on usage_log (at_ms, status, model, channel_id)`,
    "create index usage_log_task on usage_log (task_id) where task_id is not null",
    ...rollupTables(dialect),
  ],
  ({ integer, table }) => [
    `alter table usage_log add column failed_attempts ${integer} not null default 0`,
    "alter table usage_log add column failed_channels text",
    `alter table usage_channel_day add column attempts ${integer} not null default 0`,
    `alter table usage_channel_day add column attempt_failures ${integer} not null default 0`,
    // The number of the last record of the journal that is in here, and since when there are any.
    table("journal_state", [`sequence ${integer} not null, since_ms ${integer}`]),
    "insert into journal_state (sequence) values (0)",
  ],
  ({ integer, table }) => [
    table("attempt_log", [
      `id text not null, at_ms ${integer} not null, number ${integer} not null`,
      "channel_id text not null, channel_name text not null",
      `key_last4 text not null, key_position ${integer} not null`,
      `outcome text not null, blame text, status ${integer}, code text, words text`,
      `started_ms ${integer} not null, ended_ms ${integer} not null`,
    ]),
    "create index attempt_log_id on attempt_log (id, number)",
    "create index attempt_log_at on attempt_log (at_ms)",
  ],
  slotTables,
  () => [
    "alter table usage_log add column converted text",
    "alter table usage_log add column candidates text",
    "alter table attempt_log add column vendor_request_id text",
  ],
  ({ keyedTable, integer }) => [keyedTable("log_relocation", relocationColumns(integer))],
  facetTables,
  () => ["alter table usage_log add column trace_id text"],
  () => ["alter table usage_log add column affinity text"],
  ({ integer }) => [
    `alter table usage_log add column cost_micros ${integer}`,
    ...["usage_day", "usage_channel_day", "usage_slot", "usage_channel_slot"].map(
      (table) => `alter table ${table} add column cost_micros ${integer} not null default 0`,
    ),
    ...["usage_facet_slot", "usage_facet_state"].map(
      (table) => `alter table ${table} add column cost_micros ${integer} not null default 0`,
    ),
    // Charges made before costs were known count as their cost: they have made nothing.
    ...["usage_day", "usage_channel_day", "usage_slot", "usage_channel_slot"].map(
      (table) => `update ${table} set cost_micros = micros`,
    ),
    "update usage_facet_slot set cost_micros = micros",
    "update usage_facet_state set cost_micros = micros",
  ],
  () => [
    "alter table usage_log add column asked_model text",
    "alter table usage_log add column served_model text",
    "alter table usage_log add column chain text",
    "alter table attempt_log add column model text",
  ],
  // Null where a record of an earlier version does not say.
  ({ integer }) => [`alter table usage_log add column waited_ms ${integer}`],
  () => ["alter table usage_log add column replay_of text"],
  labelTables,
  () => [
    "alter table usage_log add column error_message text",
    "alter table usage_log add column error_detail text",
  ],
];

/** The sums of days, with those of the rows that are there already. */
function rollupTables({ integer, keyedTable }: SqlDialect): string[] {
  const columns = Object.keys(measures).map((measure) => `${measure} ${integer} not null`);
  const sums = Object.values(measures).map((measure) => cappedSum(measure, integer));
  const day = `cast(at_ms / 86400000 as ${integer})`;
  const model = "case when outcome = 'ok' or channel_id is not null then model else '' end";
  const channel = "coalesce(channel_id, '')";
  return [
    keyedTable("usage_day", [
      `account_id text not null, day ${integer} not null, key_id text not null`,
      "model text not null",
      ...columns,
      "primary key (account_id, day, key_id, model)",
    ]),
    keyedTable("usage_channel_day", [
      `day ${integer} not null, channel_id text not null, model text not null`,
      ...columns,
      "primary key (day, channel_id, model)",
    ]),
    `insert into usage_day select account_id, ${day}, key_id, ${model}, ${sums.join(", ")}
      from usage_log group by 1, 2, 3, 4`,
    `insert into usage_channel_day select ${day}, ${channel}, ${model}, ${sums.join(", ")}
      from usage_log group by 1, 2, 3`,
  ];
}

/** The sums of quarters of an hour, with those of the rows that are there already. */
function slotTables({ integer, keyedTable }: SqlDialect): string[] {
  const pairs = [0, 1, 2, 3, 4, 5, 6, 7];
  const first = [20, 40, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2500, 4000, 8000, 20_000];
  const total = [
    25, 50, 100, 200, 400, 700, 1000, 1500, 2500, 4000, 7000, 12_000, 20_000, 45_000, 120_000,
  ];
  const isServed = "outcome = 'ok' and kind = 'request'";
  const countsOf = (name: string, column: string, ends: readonly number[]) =>
    pairs.map((pair) => {
      const high = ends[2 * pair + 1];
      const end = high === undefined ? "" : ` and ${column} < ${high}`;
      const isWithin = `${isServed} and ${column} >= ${ends[2 * pair - 1] ?? 0}${end}`;
      const counted = `case when ${column} < ${ends[2 * pair]} then 1 else 67108864 end`;
      return [`${name}_${pair}`, `case when ${isWithin} then ${counted} else 0 end`];
    });
  const summed: Record<string, string> = {
    ...measures,
    ...Object.fromEntries(countsOf("first", "first_byte_ms", first)),
    ...Object.fromEntries(countsOf("total", "latency_ms", total)),
  };
  const ofChannels = {
    attempts: "case when channel_id is not null and attempts > failed_attempts then 1 else 0 end",
    attempt_failures: `case when outcome = 'upstream_error' and channel_id is not null
      and attempts > failed_attempts then 1 else 0 end`,
  };
  const kinds = ["model", "group_name", "route", "outcome"];
  const model = "case when outcome = 'ok' or channel_id is not null then model else '' end";
  const [slot, channel] = [`cast(at_ms / 900000 as ${integer})`, "coalesce(channel_id, '')"];
  const make = (table: string, keys: [string, string][], sums: Record<string, string>) => {
    const names = [...keys.map(([name]) => name), ...kinds];
    const columns = Object.keys(sums);
    const values = Object.values(sums).map((value) => cappedSum(value, integer));
    return [
      keyedTable(table, [
        ...names.map((name) => `${name} ${name === "slot" ? integer : "text"} not null`),
        ...columns.map((column) => `${column} ${integer} not null default 0`),
        `primary key (${names.join(", ")})`,
      ]),
      `insert into ${table} (${[...names, ...columns].join(", ")})
        select ${[...keys.map(([, value]) => value), model, ...kinds.slice(1)].join(", ")},
          ${values.join(", ")} from usage_log group by ${names.map((_, at) => at + 1).join(", ")}`,
    ];
  };
  const own: [string, string][] = [
    ["account_id", "account_id"],
    ["slot", slot],
    ["key_id", "key_id"],
  ];
  const whole: [string, string][] = [
    ["slot", slot],
    ["channel_id", channel],
  ];
  return [
    ...make("usage_slot", own, summed),
    ...make("usage_channel_slot", whole, { ...summed, ...ofChannels }),
  ];
}

/** The sums by label begin empty: no row before has one. */
function labelTables({ integer, keyedTable }: SqlDialect): string[] {
  const names = [...Object.keys(measures), "cost_micros"];
  return [
    "alter table usage_log add column label text",
    keyedTable("usage_label_day", [
      `account_id text not null, day ${integer} not null, label text not null`,
      ...names.map((name) => `${name} ${integer} not null`),
      "primary key (account_id, day, label)",
    ]),
  ];
}

/** Made of the sums of slots by the gateway itself, when it has the time. */
function facetTables({ integer, keyedTable }: SqlDialect): string[] {
  const counts = (columns: readonly string[]) =>
    columns.map((column) => `${column} ${integer} not null default 0`);
  const pairs = [0, 1, 2, 3, 4, 5, 6, 7];
  const histograms = ["first", "total"].flatMap((name) => pairs.map((pair) => `${name}_${pair}`));
  const names = [...Object.keys(measures), "attempts", "attempt_failures"];
  return [
    keyedTable("usage_facet_slot", [
      `facet text not null, name text not null, slot ${integer} not null`,
      ...counts([...names, ...histograms]),
      "primary key (facet, name, slot)",
    ]),
    keyedTable("usage_facet_day", [
      `facet text not null, day ${integer} not null, name text not null`,
      ...counts(["requests", "micros"]),
      "primary key (facet, day, name)",
    ]),
    keyedTable("usage_facet_state", [`day ${integer} not null primary key`, ...counts(names)]),
  ];
}

/** The sums that these versions began with, in the words of the log's rows. */
const measures: Readonly<Record<string, string>> = {
  requests: "case when kind = 'request' then 1 else 0 end",
  failures: "case when outcome not in ('ok', 'client_abort') then 1 else 0 end",
  input_tokens: "input_tokens",
  output_tokens: "output_tokens",
  cache_read_tokens: "cache_read_tokens",
  cache_write_tokens: "cache_write_tokens",
  reasoning_tokens: "reasoning_tokens",
  images: "images",
  media_ms: "media_ms",
  micros: "micros",
};

/** In floating point, so that it never overflows; up to the cap it is exact. */
function cappedSum(value: string, integer: string): string {
  const sum = `sum(cast(${value} as double precision))`;
  return `cast(case when ${sum} < 9007199254740991 then ${sum} else 9007199254740991 end
    as ${integer})`;
}
