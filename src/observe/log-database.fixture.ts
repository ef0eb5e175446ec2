// A usage log in memory for the tests of this folder, and rows to put in.
import { bindLog, type LogQuery } from "../store/log.ts";
import type { Migration } from "../store/migrate.ts";
import { SqliteConnection } from "../store/sqlite/connection.ts";
import { toVersions } from "../store/sqlite/dialect.ts";
import type { Row, Statement } from "../store/store.ts";
import { listUsage, toUsageRow } from "./listing/queries.ts";
import { encodeRecords, forgetRows, usageSteps } from "./queries.ts";
import { forgetDays } from "./rollup/queries.ts";
import type { UsageRow } from "./usage-row.ts";
import { usageLogMigrations } from "./versions/queries.ts";

export function usageRow(fields: Partial<UsageRow> = {}): UsageRow {
  return {
    id: "req_a",
    kind: "request",
    atMs: 1_800_000_000_123,
    accountId: "acc_1",
    keyId: "key_1",
    keyName: 'it\'s "mine" \\ 日本',
    group: "default",
    route: "chat",
    model: "chat-a",
    channelId: "chn_1",
    channelName: "first",
    status: 200,
    outcome: "ok",
    stream: true,
    inputTokens: 10,
    outputTokens: 20,
    cacheReadTokens: 30,
    cacheWriteTokens: 40,
    reasoningTokens: 50,
    images: 2,
    mediaMs: 8000,
    estimated: false,
    micros: 1234,
    latencyMs: 1234,
    firstByteMs: 56,
    attempts: 2,
    ip: "2001:db8::1",
    errorCode: "bad_response",
    taskId: "task_1",
    failedChannels: [],
    ...fields,
  };
}

export class LogDatabase implements Disposable {
  readonly #connection = new SqliteConnection({
    path: ":memory:",
    programs: { log: usageSteps },
  });

  constructor(migrations: readonly Migration[] = usageLogMigrations) {
    this.#connection.migrate(toVersions(migrations));
  }

  insert(...rows: UsageRow[]): void {
    this.#run(encodeRecords(rows));
  }

  /** Several batches in one commit. */
  insertBatches(...batches: UsageRow[][]): void {
    this.#run(...batches.map(encodeRecords));
  }

  expireRows(beforeMs: number): void {
    this.#connection.commit([], [bindLog(forgetRows(beforeMs))], false);
  }

  expireDays(day: number): void {
    this.#connection.commit([], forgetDays(day).map(bindLog), false);
  }

  /** To the newest version there is. */
  migrate(): void {
    this.#connection.migrate(toVersions(usageLogMigrations));
  }

  all(sql: string): Row[] {
    return this.read({ sql, parameters: [] });
  }

  read(statement: Statement): Row[] {
    return this.#connection.all(statement);
  }

  list<Listed>(query: LogQuery<Listed>): Listed[] {
    return this.read(bindLog(query)) as Listed[];
  }

  readonly readLog = async (statement: Statement): Promise<Row[]> => this.read(statement);

  /** Newest first. */
  rows(): UsageRow[] {
    return this.list(listUsage({}, { limit: 1000, offset: 0 })).map(toUsageRow);
  }

  plan(query: LogQuery<unknown>): string {
    const { sql, parameters } = bindLog(query);
    const steps = this.read({ sql: `explain query plan ${sql}`, parameters });
    return steps.map((step) => String(step["detail"])).join("; ");
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #run(...documents: string[]): void {
    const runs = documents.map((document) => ({ program: "log", document }));
    this.#connection.commit(runs, [], false);
  }
}
