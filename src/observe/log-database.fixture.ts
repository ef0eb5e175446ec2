// A usage log in memory for the tests of this folder, and rows to put in.
import { Connection } from "../store/sqlite/connection.ts";
import type { Row, Statement } from "../store/store.ts";
import { listUsage, toUsageRow, type StoredUsageRow } from "./listing/queries.ts";
import {
  encodeDayExpiry,
  encodeRowExpiry,
  encodeUsageRows,
  usageProgram,
  usageSteps,
} from "./queries.ts";
import type { UsageRow } from "./usage-log.ts";
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
    ...fields,
  };
}

export class LogDatabase implements Disposable {
  readonly #connection = new Connection({
    path: ":memory:",
    programs: { [usageProgram]: usageSteps },
  });

  constructor(versions: readonly string[][] = usageLogMigrations) {
    this.#connection.migrate(versions);
  }

  insert(...rows: UsageRow[]): void {
    this.#run(encodeUsageRows(rows));
  }

  /** Several batches in one commit. */
  insertBatches(...batches: UsageRow[][]): void {
    this.#run(...batches.map(encodeUsageRows));
  }

  expireRows(beforeMs: number): void {
    this.#run(encodeRowExpiry(beforeMs));
  }

  expireDays(day: number): void {
    this.#run(encodeDayExpiry(day));
  }

  /** To the newest version there is. */
  migrate(): void {
    this.#connection.migrate(usageLogMigrations);
  }

  all(sql: string): Row[] {
    return this.read({ sql, parameters: [] });
  }

  read(statement: Statement): Row[] {
    return this.#connection.all(statement);
  }

  readonly readLog = async (statement: Statement): Promise<Row[]> => this.read(statement);

  /** Newest first. */
  rows(): UsageRow[] {
    const rows = this.read(listUsage({}, { limit: 1000, offset: 0 }));
    return (rows as unknown as StoredUsageRow[]).map(toUsageRow);
  }

  plan({ sql, parameters }: Statement): string {
    const steps = this.read({ sql: `explain query plan ${sql}`, parameters });
    return steps.map((step) => String(step["detail"])).join("; ");
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #run(...documents: string[]): void {
    const runs = documents.map((document) => ({ program: usageProgram, document }));
    this.#connection.commit(runs, [], false);
  }
}
