// A gateway of its own with a long usage log: accounts are made over its control API, then the log
// is filled by the program that the gateway itself writes it with.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { stopChild } from "../children.ts";
import { dayMs } from "../../src/core/day.ts";
import { createIds } from "../../src/core/ids.ts";
import { systemRandom } from "../../src/core/random.ts";
import { fillFacets } from "../../src/observe/facets/fill.ts";
import { encodeRecords, usageSteps } from "../../src/observe/queries.ts";
import { toUsageRecord, type UsageRecord } from "../../src/observe/usage-row.ts";
import { usageLogMigrations } from "../../src/observe/versions/queries.ts";
import { foldSlots } from "../../src/observe/slots/queries.ts";
import { changeLog } from "../../src/store/log.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import type { Statement } from "../../src/store/store.ts";
import { launchGateway, rootToken } from "./start.ts";

export interface LogTarget {
  readonly origin: string;
  /** The account that has a third of the rows. */
  readonly own: Readonly<Record<"accountId" | "token" | "key", string>>;
  readonly rootToken: string;
  readonly fillSeconds: number;
  /** The days of the log, as dates; the last is the first that has no rows. */
  readonly from: string;
  readonly to: string;
}

const logDays = 30;
const logModels = 12;
const accounts = 200;
const keysPerAccount = 2;
const channels = 6;
/** More than the gateway hands on at once, so that a million are soon written. */
const batchRows = 5_000;

export async function startLogGateway(rows: number, runFolder: string): Promise<LogTarget> {
  const folder = join(runFolder, "logs");
  mkdirSync(folder);
  const first = await launchGateway(folder, {});
  const own = await makeAccount(`http://127.0.0.1:${first.port}`);
  await stopChild(first.pid);
  const toMs = Math.floor(Date.now() / dayMs) * dayMs;
  const fromMs = toMs - logDays * dayMs;
  const startMs = performance.now();
  await fill(join(folder, "data"), { rows, fromMs, toMs, own });
  const fillSeconds = (performance.now() - startMs) / 1_000;
  const { port } = await launchGateway(folder, {});
  const date = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const days = { from: date(fromMs), to: date(toMs) };
  return { origin: `http://127.0.0.1:${port}`, own, rootToken, fillSeconds, ...days };
}

interface Own {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly token: string;
}

async function makeAccount(origin: string): Promise<Own> {
  const username = "bench";
  const user = { username, password: "bench-Password-0123456789" };
  const { id: accountId } = await call<{ id: string }>(origin, "/api/user", user);
  const { token } = await call<{ token: string }>(origin, `/api/user/${accountId}/token`, {});
  const fields = { name: "bench", account: username };
  const { id: keyId, key } = await call<{ id: string; key: string }>(origin, "/api/token", fields);
  return { accountId, keyId, key, token };
}

async function call<Data>(origin: string, path: string, body: object): Promise<Data> {
  const headers = {
    authorization: `Bearer ${rootToken}`,
    "content-type": "application/json",
  };
  const response = await fetch(origin + path, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { success: boolean; message: string; data: Data };
  if (!answer.success) throw new Error(`POST ${path}: ${answer.message}`);
  return answer.data;
}

interface Filling {
  readonly rows: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly own: Own;
}

async function fill(folder: string, filling: Filling): Promise<void> {
  const log = { program: usageSteps, migrations: usageLogMigrations };
  const store = await openSqlite({ folder, programs: {}, log });
  try {
    let writing = Promise.resolve();
    for (let from = 0; from < filling.rows; from += batchRows) {
      const count = Math.min(batchRows, filling.rows - from);
      const rows = Array.from({ length: count }, (_, at) => makeRow(filling, from + at));
      const document = encodeRecords(rows);
      // The next batch is made while this one is written.
      await writing;
      writing = store.writeLog({ documents: [document] });
    }
    await writing;
    // Fold like the gateway itself when an hour is old, and a day over.
    await changeLog(store, foldSlots(filling.toMs));
    await fillFacets(store, filling.toMs);
    await store.commit({ statements: [enterAll(filling), ...payAll(filling)] });
  } finally {
    await store.close();
  }
}

const entryMicros = 1000;

/** Grant the own account beforehand all that it has spent. */
function payAll({ rows, fromMs, own }: Filling): Statement[] {
  const spentMicros = Math.ceil(rows / 3) * entryMicros;
  return [
    {
      sql: `insert into entry (id, kind, account_id, held_micros, micros, reason, at_ms)
        values ('bench grant', 'grant', ?, 0, ?, 'bench', ?)`,
      parameters: [own.accountId, spentMicros, fromMs],
    },
    {
      sql: `update ledger_account set granted_micros = granted_micros + ?1,
        spent_micros = spent_micros + ?1 where account_id = ?2`,
      parameters: [spentMicros, own.accountId],
    },
  ];
}

/** Ledger entries as many as the rows, of the same accounts. */
function enterAll({ rows, fromMs, toMs, own }: Filling): Statement {
  const sql = `insert into entry (id, kind, account_id, key_id, group_name, model, held_micros,
      micros, loss_micros, price, usage, at_ms)
    with recursive line (n) as (select 0 union all select n + 1 from line where n < ?1 - 1)
    select printf('req_%026d', n), 'post', iif(n % 3 = 0, ?2, printf('acc_%026d', n % ${accounts})),
      iif(n % 3 = 0, ?3, printf('key_%026d', n % ${accounts})), 'default', 'bench-model-1', 2000,
      ${entryMicros}, 0, '{}', '{}', ?4 + cast(n * 1.0 / ?1 * ?5 as integer)
    from line`;
  return { sql, parameters: [rows, own.accountId, own.keyId, fromMs, toMs - fromMs] };
}

const padded = (prefix: string, number: number): string =>
  `${prefix}${String(number).padStart(26, "0")}`;

const clock = { atMs: 0, nowMs: () => clock.atMs, monotonicMs: () => 0 };
const ids = createIds(clock, systemRandom);

/** A third of one account, the rest of all others; one of a hundred failed. */
function makeRow({ rows, fromMs, toMs, own }: Filling, number: number): UsageRecord {
  const atMs = fromMs + Math.floor((number / rows) * (toMs - fromMs));
  clock.atMs = atMs;
  const isOwn = number % 3 === 0;
  const account = (number * 7919) % accounts;
  const key = account * keysPerAccount + (number % keysPerAccount);
  const hasFailed = number % 97 === 0;
  return toUsageRecord({
    id: ids.request(),
    at_ms: atMs,
    account_id: isOwn ? own.accountId : padded("acc_", account),
    key_id: isOwn ? own.keyId : padded("key_", key),
    key_name: "bench",
    group_name: "default",
    route: "/v1/chat/completions",
    model: modelOf((number * 31) % logModels),
    channel_id: padded("chn_", number % channels),
    channel_name: `channel ${number % channels}`,
    status: hasFailed ? 500 : 200,
    outcome: hasFailed ? "upstream_error" : "ok",
    stream: number % 2 === 0 ? 1 : 0,
    input_tokens: 1_200 + (number % 500),
    output_tokens: 300 + (number % 200),
    cache_read_tokens: number % 4 === 0 ? 800 : 0,
    micros: hasFailed ? 0 : 1_000 + (number % 900),
    latency_ms: 900,
    first_byte_ms: 120,
    attempts: 1,
    ip: "203.0.113.7",
    error_code: hasFailed ? "bad_response" : null,
  });
}

export function modelOf(number: number): string {
  return `bench-model-${number}`;
}
