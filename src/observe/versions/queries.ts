// The versions of the log's database. Like a migration of the main one, a released one is never
// changed in what it does, only followed by another.
import type { SqlDialect, Migration } from "../../store/migrate.ts";

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
    // What the log is asked for stands in its indices, so that a row that is passed over is never
    // looked up.
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
];

/** The sums of days, with those of the rows that are there already. */
function rollupTables({ integer, keyedTable }: SqlDialect): string[] {
  const measures = {
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
  const columns = Object.keys(measures).map((measure) => `${measure} ${integer} not null`);
  // In floating point, so that it never overflows; up to the cap it is exact.
  const sums = Object.values(measures).map((measure) => {
    const sum = `sum(cast(${measure} as double precision))`;
    return `cast(case when ${sum} < 9007199254740991 then ${sum} else 9007199254740991 end
      as ${integer})`;
  });
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
