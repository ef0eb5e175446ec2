// The versions of the log's database, in SQLite's own dialect. Like a migration of the main one, a
// list that was released is never edited, only followed by another.

/** One list of statements for each version. */
export const usageLogMigrations: readonly string[][] = [
  [
    `create table usage_log (id text not null, at_ms integer not null, account_id text not null,
      key_id text not null, key_name text not null, group_name text not null, route text not null,
      model text not null, channel_id text, channel_name text, status integer not null,
      outcome text not null, stream integer not null, input_tokens integer not null,
      output_tokens integer not null, cache_read_tokens integer not null,
      cache_write_tokens integer not null, reasoning_tokens integer not null,
      estimated integer not null, micros integer not null, latency_ms integer not null,
      first_byte_ms integer, attempts integer not null, ip text not null, error_code text) strict`,
    "create index usage_log_account_at on usage_log (account_id, at_ms)",
    "create index usage_log_at on usage_log (at_ms)",
  ],
  [
    "alter table usage_log add column kind text not null default 'request'",
    "alter table usage_log add column images integer not null default 0",
    "alter table usage_log add column media_ms integer not null default 0",
    "alter table usage_log add column task_id text",
    // What the log is asked for stands in its indices, so that a row that is passed over is never
    // looked up.
    "drop index usage_log_account_at",
    "drop index usage_log_at",
    `create index usage_log_account_at on usage_log (account_id, at_ms, key_id, model, status)`,
    `create index usage_log_at on usage_log (at_ms, status, model, channel_id)`,
    "create index usage_log_task on usage_log (task_id) where task_id is not null",
    ...rollupTables(),
  ],
];

/** The sums of days, with those of the rows that are there already. */
function rollupTables(): string[] {
  const measures = `requests integer not null, failures integer not null,
    input_tokens integer not null, output_tokens integer not null,
    cache_read_tokens integer not null, cache_write_tokens integer not null,
    reasoning_tokens integer not null, images integer not null, media_ms integer not null,
    micros integer not null`;
  // `total` counts in floating point and so never overflows; up to the cap it is exact.
  const sum = (what: string) => `cast(min(total(${what}), 9007199254740991) as integer)`;
  const sums = [
    "kind = 'request'",
    "outcome not in ('ok', 'client_abort')",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "images",
    "media_ms",
    "micros",
  ].map(sum);
  const day = "cast(at_ms / 86400000 as integer)";
  const model = "case when outcome = 'ok' or channel_id is not null then model else '' end";
  const channel = "coalesce(channel_id, '')";
  return [
    `create table usage_day (account_id text not null, day integer not null, key_id text not null,
      model text not null, ${measures}, primary key (account_id, day, key_id, model))
      strict, without rowid`,
    `create table usage_channel_day (day integer not null, channel_id text not null,
      model text not null, ${measures}, primary key (day, channel_id, model))
      strict, without rowid`,
    `insert into usage_day select account_id, ${day}, key_id, ${model}, ${sums.join(", ")}
      from usage_log group by 1, 2, 3, 4`,
    `insert into usage_channel_day select ${day}, ${channel}, ${model}, ${sums.join(", ")}
      from usage_log group by 1, 2, 3`,
  ];
}
