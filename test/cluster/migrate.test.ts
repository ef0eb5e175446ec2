// A gateway with real traffic moves from its data folder to PostgreSQL and back: killed once in the
// midst of each way, resumed, and the same to the micro.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL, type ReservedSQL } from "bun";
import { usageColumns } from "../../src/store/usage-columns.ts";
import { chatBody } from "../harness/ask.ts";
import { balanceOf, eventually, logRow } from "../harness/books.ts";
import { beginCommand, runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, startProcess, type Gateway } from "../harness/gateway.ts";
import { dropDatabase, keepOnFiles, newDatabase, sharedPostgres } from "../harness/postgres.ts";
import { openDatabase } from "../harness/rows.ts";
import { completion, delta, Vendor } from "../harness/vendor.ts";
import {
  create,
  idOf,
  quickPolls,
  reaches,
  slowPrompt,
  slowSeconds,
  startVideoVendors,
} from "../harness/videos.ts";

setDefaultTimeout(180_000);

type Rows = Readonly<Record<string, unknown>>[];

const vendors = startVideoVendors();
const vendor = new Vendor((request, reply) => {
  if (request.body["stream"] === true) {
    reply.stream();
    return reply.event(delta({ content: "Yes" }));
  }
  if (request.body["user"] === "unlucky") return reply.json({ error: { message: "no" } }, 500);
  reply.json(completion("Yes."));
});
const spare = new Vendor((_request, reply) => reply.json(completion("Yes, here.")));
const config = ['sandbox: "off"', quickPolls, vendors.config].join("\n");
const price = { input_micros_per_million: 1_000_000, output_micros_per_million: 3_000_000 };
const [before, after, nodeFolder] = [new Folder(), new Folder(), new Folder()];

let url: string;
let payer: { id: string; key: string; keyId: string };
let task: string;
let lastLogged: string;

beforeAll(async () => {
  for (const { path } of [before, after]) keepOnFiles(path);
  url = await newDatabase();
});

afterAll(async () => {
  await vendors[Symbol.asyncDispose]();
  for (const one of [vendor, spare, before, after, nodeFolder]) one[Symbol.dispose]();
  await dropDatabase(url);
});

const onFiles = { folder: before.path };
const migrate = (...words: string[]) => runCommand(onFiles, "migrate", ...words);
const secret = () => readFileSync(join(before.path, "secret"), "utf8").trim();
const onDatabase = () => ({ SLUICE_DATABASE_URL: url, SLUICE_SECRET: secret() });

/** Tables of money, in either engine. */
const books = {
  accounts: "select * from account_balance order by account_id",
  keys: "select key_id, spent_micros, held_micros, limit_micros from key_balance order by key_id",
  entries: "select * from entry order by id",
  holds: `select id, kind, account_id, micros, price from hold order by id`,
  tasks: "select id, state, held_micros, operation, price from task order by id",
  hashes: "select id, hash, status from api_key order by id",
  sealed: "select channel_id, sealed from channel_key order by channel_id, position",
};
const logged = {
  days: "select * from usage_day order by account_id, day, key_id, model",
  slots: "select * from usage_channel_slot order by slot, channel_id, model, outcome, route",
  attempts: "select * from attempt_log order by id, number",
};
const requests = (place: string) =>
  `select ${place} as place, ${usageColumns.join(", ")} from usage_log order by 1`;

function rowsOfFolder(folder: string): Record<string, Rows> {
  using main = openDatabase(folder);
  using log = openDatabase(folder, "log.db");
  return {
    ...Object.fromEntries(
      Object.entries(books).map(([name, sql]) => [name, main.query(sql).all()]),
    ),
    ...Object.fromEntries(
      Object.entries(logged).map(([name, sql]) => [name, log.query(sql).all()]),
    ),
    requests: log.query(requests("rowid")).all(),
  } as Record<string, Rows>;
}

async function rowsOfDatabase(): Promise<Record<string, Rows>> {
  const server = await sharedPostgres();
  const name = new URL(url).pathname.slice(1);
  const all: Record<string, Rows> = {};
  for (const [part, sql] of Object.entries({ ...books, ...logged, requests: requests("place") })) {
    all[part] = await server.ask(name, sql);
  }
  return all;
}

/** Runs it until it waits for a lock that `hold` takes, and ends it there without warning. */
async function killAtLock(
  environment: Record<string, string>,
  to: string,
  hold: (session: ReservedSQL) => Promise<unknown>,
): Promise<void> {
  const client = new SQL({ url, max: 2, connection: { search_path: "sluice, sluice_log" } });
  const session = await client.reserve();
  await session.unsafe("begin");
  await hold(session);
  const child = await beginCommand(
    { ...onFiles, environment },
    "migrate",
    "--to",
    to,
    "--batch",
    "3",
  );
  await eventually("the wait for the lock", async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${await child.stderr.text()}`);
    const waiting: unknown[] = await client.unsafe(
      `select 1 from pg_stat_activity where datname = current_database()
         and wait_event_type = 'Lock' and application_name = 'sluice'`,
    );
    return waiting.length > 0 || undefined;
  });
  child.kill("SIGKILL");
  await child.exited;
  await session.unsafe("rollback");
  session.release();
  await client.close({ timeout: 0 });
}

async function chat(gateway: Gateway, fields: Record<string, unknown> = {}): Promise<string> {
  const response = await gateway.post("/v1/chat/completions", chatBody("m", fields), payer.key);
  expect(response.status).toBe(200);
  return (await logRow(gateway, response)).request_id;
}

async function verified(environment: Record<string, string>, folder: string): Promise<void> {
  const { code, out } = await runCommand({ folder, environment }, "ledger", "verify");
  expect([code, out]).toEqual([0, expect.stringMatching(/^ok: /)]);
}

test("a gateway that runs keeps its rows, and says so", async () => {
  const gateway = await startProcess({ folder: before.path, config, isOnFiles: true });
  await gateway.control("POST", "/api/price", { model: "m", ...price });
  await gateway.control(
    "POST",
    "/api/channel",
    vendor.channel({ name: "one", models: ["m"], priority: 9 }),
  );
  await gateway.control("POST", "/api/channel", spare.channel({ name: "two", models: ["m"] }));
  payer = await gateway.customer(50_000_000, { quota_micros: 40_000_000 });
  for (let count = 0; count < 8; count++) await chat(gateway);
  await chat(gateway, { user: "unlucky" });
  lastLogged = await chat(gateway, { user: "unlucky" });
  const video = { model: "videoB-2", prompt: slowPrompt };
  task = idOf(await create(gateway, video, { key: payer.key }));
  const refused = await migrate("--to", url);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.error).toContain("another sluice process is using the data folder");
  // Its hold is on the disk when the first bytes are there, and dies with the process.
  const open = await gateway.post(
    "/v1/chat/completions",
    chatBody("m", { stream: true }),
    payer.key,
  );
  expect(open.status).toBe(200);
  await gateway.kill();
});

test("a target with another gateway's rows is refused, and left as it is", async () => {
  const taken = await newDatabase();
  const server = await sharedPostgres();
  const name = new URL(taken).pathname.slice(1);
  await server.ask(
    name,
    `insert into account (id, username, password_hash, role, group_name, status, created_at_ms)
     values ('acc_other', 'other', '', 'root', 'default', 'enabled', 1)`,
  );
  const refused = await migrate("--to", taken);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.error).toContain("the target has the rows of a gateway");
  expect(await server.ask(name, "select count(*) as n from account")).toEqual([{ n: 1 }]);
  expect(await server.ask(name, "select * from relocation")).toEqual([]);
  await dropDatabase(taken);
});

test("a move that is killed in the midst goes on where it was, and is the same to the micro", async () => {
  using ledger = openDatabase(before.path);
  const [late] = ledger
    .query<{ id: string }, []>("select id from entry order by id limit 1 offset 7")
    .all();
  ledger.close();
  // Writers of the same key wait for this one, which is never there for anybody else.
  await killAtLock({}, url, (session) =>
    session.unsafe(
      `insert into entry (id, kind, account_id, held_micros, micros, at_ms)
       values ('${late?.id}', 'grant', 'nobody', 0, 0, 0)`,
    ),
  );
  const server = await sharedPostgres();
  const name = new URL(url).pathname.slice(1);
  const progress = "select row_count as n from relocation where part = 'entry'";
  expect(await server.ask(name, progress)).toEqual([{ n: 6 }]);
  const half = startProcess({ config, environment: onDatabase() });
  await expect(half).rejects.toThrow("was not finished");

  const moved = await migrate("--to", url, "--batch", "3");
  expect([moved.code, moved.error.split("\n").at(-2)]).toEqual([
    0,
    "verified: every row and every sum is the same on both sides",
  ]);
  expect(moved.out).toMatch(/^moved \d+ accounts, \d+ entries, 1\d requests of the log/);
  expect(moved.out).toContain("the text of " + join(before.path, "secret"));
  const rows = rowsOfFolder(before.path);
  expect(await rowsOfDatabase()).toEqual(rows);
  expect(rows["attempts"]?.length).toBeGreaterThan(1);
  expect(rows["holds"]).toEqual([expect.objectContaining({ id: task, kind: "task" })]);
  await verified(onDatabase(), nodeFolder.path);

  const again = await migrate("--to", url);
  expect([again.code, again.error]).toEqual([0, ""]);
  expect(again.out).toContain("nothing was changed");
  expect(await rowsOfDatabase()).toEqual(rows);
});

test("who starts on the folder that was left is told where its rows are", async () => {
  const left = startProcess({ folder: before.path, config, isOnFiles: true });
  await expect(left).rejects.toThrow(/have moved to postgres:\/\/127.0.0.1:\d+\/gateway/);
});

test("a gateway goes on in PostgreSQL with the same keys, money, log and tasks", async () => {
  const environment = onDatabase();
  const spent = (await rowsOfDatabase())["accounts"]?.find((row) => row["account_id"] === payer.id);
  // The half minute is over for which the one that died has its tasks.
  const server = await sharedPostgres();
  const name = new URL(url).pathname.slice(1);
  await server.ask(name, "update task set lease_until_ms = 0");
  const gateway = await startGateway({ folder: nodeFolder.path, config, environment });
  const balance = await balanceOf(gateway, payer.id);
  expect(balance.used_micros).toBe(Number(spent?.["spent_micros"]));
  expect(balance.held_micros).toBeGreaterThan(0);
  const path = `/api/log?request_id=${lastLogged}`;
  const { items } = await gateway.control<{ items: object[] }>("GET", path);
  expect(items).toEqual([expect.objectContaining({ request_id: lastLogged, attempts: 2 })]);
  await chat(gateway);
  vendors.clock.pass(slowSeconds);
  await reaches(gateway, task, "completed", payer.key);
  const end = await balanceOf(gateway, payer.id);
  expect(end.held_micros).toBe(0);
  expect(end.used_micros).toBeGreaterThan(balance.used_micros);
  expect(end.quota_micros + end.used_micros).toBe(50_000_000);

  const busy = await runCommand(
    { folder: nodeFolder.path, environment },
    "migrate",
    "--to",
    after.path,
  );
  expect(busy).toMatchObject({ code: 1, out: "" });
  expect(busy.error).toContain("1 nodes are live on the database");
  expect(await gateway.stop()).toBe(0);
  await verified(environment, nodeFolder.path);
});

test("the way back is killed and resumed as well, and the folder serves what PostgreSQL had", async () => {
  const environment = onDatabase();
  const rows = await rowsOfDatabase();
  await killAtLock(environment, after.path, (session) =>
    session.unsafe("lock table sluice_log.usage_channel_slot in access exclusive mode"),
  );
  const moved = await runCommand(
    { ...onFiles, environment },
    "migrate",
    "--to",
    after.path,
    "--json",
  );
  expect(moved.code).toBe(0);
  const report = JSON.parse(moved.out) as {
    moved: boolean;
    tables: { name: string; rows: number }[];
  };
  expect(report.moved).toBe(true);
  const counted = report.tables.find(({ name }) => name === "entry");
  expect(counted).toMatchObject({ rows: rows["entries"]?.length });
  expect(rowsOfFolder(after.path)).toEqual(rows);
  await verified({}, after.path);

  const left = startProcess({ folder: nodeFolder.path, config, environment });
  await expect(left).rejects.toThrow(`have moved to ${after.path}`);
  const wrong = startProcess({ folder: after.path, config, isOnFiles: true });
  await expect(wrong).rejects.toThrow("SLUICE_SECRET must be the secret that these rows");
  const home = { SLUICE_SECRET: secret() };
  const gateway = await startGateway({
    folder: after.path,
    config,
    isOnFiles: true,
    environment: home,
  });
  const balance = await balanceOf(gateway, payer.id);
  await chat(gateway);
  const end = await balanceOf(gateway, payer.id);
  expect(end.used_micros).toBeGreaterThan(balance.used_micros);
  expect(end.quota_micros + end.used_micros).toBe(50_000_000);
  expect(await gateway.stop()).toBe(0);
  await verified(home, after.path);
});
