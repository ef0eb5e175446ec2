// People with keys and tokens, what they are told of their usage, and a log of any age.
import { join } from "node:path";
import type { ListedLog, LogView } from "../../../src/admin/log/contract.ts";
import type { ListedUsage, UsageView } from "../../../src/admin/usage/contract.ts";
import { dayOf, formatDay } from "../../../src/core/day.ts";
import { encodeRecords, usageSteps } from "../../../src/observe/queries.ts";
import { toUsageRecord, type UsageRecord } from "../../../src/observe/usage-row.ts";
import { usageLogMigrations } from "../../../src/observe/versions/queries.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { toVersions } from "../../../src/store/sqlite/dialect.ts";
import { logFile } from "../../../src/store/sqlite/open.ts";
import { eventually } from "../books.ts";
import { rootToken, type Gateway } from "../gateway.ts";
import { isOnPostgres, writeLogIn } from "../postgres.ts";

export interface Person {
  id: string;
  username: string;
  key: string;
  keyId: string;
  token: string;
}

/** An account with a key for the models and a token for the rest. */
export async function newPerson(
  gateway: Gateway,
  micros: number,
  key: object = {},
): Promise<Person> {
  const made = await gateway.customer(micros, key);
  const { token } = await gateway.control<{ token: string }>("POST", `/api/user/${made.id}/token`);
  const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${made.id}`);
  return { ...made, username, token };
}

/** A call in someone's name that must succeed. */
export async function as<Data>(gateway: Gateway, token: string, path: string): Promise<Data> {
  const envelope = await gateway.controlEnvelope("GET", path, undefined, token);
  if (!envelope.success) throw new Error(`GET ${path}: ${envelope.message}`);
  return envelope.data as Data;
}

/** The field that a refusal names. */
export async function refusedField(
  gateway: Gateway,
  token: string,
  path: string,
): Promise<string | null | undefined> {
  const envelope = await gateway.controlEnvelope("GET", path, undefined, token);
  if (envelope.success) throw new Error(`GET ${path} succeeded`);
  return (envelope as { param?: string | null }).param;
}

export type UsageSums = ListedUsage["sum"];
export type UsageItem = UsageView;
export type UsageAnswer = ListedUsage;
export type LogItem = LogView;
export type LogAnswer = ListedLog;

/** All rows of everyone's log that a filter finds, once there are so many; newest first. */
export async function rowsOf(gateway: Gateway, query: string, count: number): Promise<LogItem[]> {
  return await eventually(`${count} rows of ${query}`, async () => {
    const { items } = await as<LogAnswer>(gateway, rootToken, `/api/log?${query}`);
    return items.length === count ? items : undefined;
  });
}

const firstDay = dayOf(Date.now());

/** The days on which tests have run: two of them once it was midnight. */
export function daysOfRun(): number[] {
  return [...new Set([firstDay, dayOf(Date.now())])];
}

/** Rows by the day that the gateway gave them: only it knows on which side of midnight they are. */
export function byDay(rows: readonly LogItem[]): [day: number, rows: LogItem[]][] {
  const days = [...Map.groupBy(rows, ({ time }) => dayOf(time * 1000))];
  const wrong = days.find(([day]) => !daysOfRun().includes(day));
  if (wrong) throw new Error(`a row is of ${formatDay(wrong[0])}, when no test has run`);
  return days;
}

/** A row of some request, for logs that no test has the time to fill by asking. */
export function oldRow(fields: Partial<UsageRecord>): UsageRecord {
  return toUsageRecord({
    id: `req_${crypto.randomUUID()}`,
    account_id: "acc_nobody",
    key_id: "key_nobody",
    key_name: "old",
    group_name: "default",
    route: "/v1/chat/completions",
    model: "m",
    channel_id: "chn_old",
    channel_name: "old",
    status: 200,
    input_tokens: 1,
    output_tokens: 2,
    micros: 100,
    latency_ms: 1,
    attempts: 1,
    ip: "127.0.0.1",
    ...fields,
  });
}

/** Writes to the log beside the gateway, with the gateway's own program. */
export async function writeLog({ folder }: Gateway, rows: readonly UsageRecord[]): Promise<void> {
  if (isOnPostgres) return await writeLogIn(folder, encodeRecords(rows));
  const path = join(folder, logFile);
  const connection = new SqliteConnection({ path, programs: { log: usageSteps } });
  connection.migrate(toVersions(usageLogMigrations));
  connection.commit([{ program: "log", document: encodeRecords(rows) }], [], false);
  connection.close();
}
