// new-api and one-api in MySQL, as their own migrations make their tables there: each comes in by
// either way of writing its address, and a key of it goes on.
import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { SQL } from "bun";
import { runCommand } from "../harness/command.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { testNeeding } from "../harness/requirements.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { keyOf } from "./lineage-database.ts";
import { MariaDb } from "./mariadb.ts";

setDefaultTimeout(120_000);

let vendor: Vendor;
let gateway: Gateway;
const testWithMariaDb = testNeeding("mariadb", MariaDb.findMissing());
let mariadb: MariaDb | null = null;

beforeAll(async () => {
  mariadb = await MariaDb.start();
  if (mariadb === null) return;
  vendor = new Vendor((_request, reply) => reply.json(completion("hi")));
  gateway = await startGateway({ config: 'sandbox: "off"\nunpriced: free\n' });
});

afterAll(async () => {
  if (mariadb === null) return;
  await mariadb[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

interface Report {
  counts: Record<string, { found: number; made: number; known: number; refused: number }>;
  money: { planned_micros: number; granted_micros: number; equal: boolean };
}

async function fill(server: MariaDb, name: string, statements: readonly string[]): Promise<void> {
  await using begin = new SQL(server.urlOf("mysql"), { max: 1 });
  await begin.unsafe(`create database ${name} character set utf8mb4`);
  await using sql = new SQL(server.urlOf(name), { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
}

async function importFrom(...words: string[]): Promise<Report> {
  const where = { folder: gateway.folder };
  const end = await runCommand(where, "import", ...words, "--allow-private", "--json");
  expect(end.error).toBe("");
  return JSON.parse(end.out) as Report;
}

async function balanceOf(username: string): Promise<number | null | undefined> {
  const { items } = await gateway.control<{
    items: { username: string; quota_micros: number | null }[];
  }>("GET", "/api/user?page_size=100");
  return items.find((item) => item.username === username)?.quota_micros;
}

async function asks(model: string, key: string): Promise<number> {
  const body = { model, messages: [{ role: "user", content: "hello" }], max_tokens: 5 };
  return (await gateway.post("/v1/chat/completions", body, key)).status;
}

testWithMariaDb(
  "a database of new-api in MySQL comes in whole, and a second run changes nothing",
  async () => {
    if (!mariadb) throw new Error("MariaDB did not start");
    await fill(mariadb, "newapi", [
      `create table users (id bigint auto_increment primary key, username varchar(191) unique,
      password longtext not null, role bigint default 1, status bigint default 1,
      github_id varchar(191), quota bigint default 0, \`group\` varchar(64) default 'default',
      aff_quota bigint default 0, created_at bigint, deleted_at datetime(3) null)`,
      `create table tokens (id bigint auto_increment primary key, user_id bigint,
      \`key\` char(48) unique, status bigint default 1, name varchar(191), expired_time bigint
      default -1, remain_quota bigint default 0, unlimited_quota tinyint(1),
      model_limits_enabled tinyint(1), model_limits longtext, \`group\` varchar(191) default '',
      deleted_at datetime(3) null)`,
      `create table channels (id bigint auto_increment primary key, type bigint default 0,
      \`key\` longtext not null, status bigint default 1, name varchar(191), weight bigint unsigned
      default 0, base_url varchar(191) default '', models longtext, \`group\` varchar(64) default
      'default', model_mapping text, priority bigint default 0, balance double, channel_info json)`,
      "create table options (`key` varchar(191) primary key, value longtext)",
      `create table redemptions (id bigint auto_increment primary key, user_id bigint,
      \`key\` char(32) unique, status bigint default 1, name varchar(191), quota bigint default 100,
      created_time bigint, expired_time bigint default 0, deleted_at datetime(3) null)`,
      "create table logs (id bigint auto_increment primary key, user_id bigint, quota bigint)",
      `insert into users (id, username, password, quota, deleted_at) values
      (1, 'dora', '', 400000000000001, null), (2, '王小明', '', 7, null), (3, 'gone', '', 5, now())`,
      `insert into tokens (user_id, \`key\`, name, remain_quota, unlimited_quota,
      model_limits_enabled, model_limits) values
      (1, '${keyOf(8001)}', 'mine', 5, 1, 0, ''), (2, '${keyOf(8002)}', 'few', 900000, 0, 1, 'other')`,
      `insert into channels (type, \`key\`, name, base_url, models, channel_info) values
      (1, 'vendor-key-mysql', 'mysql', '${vendor.url}', 'my-model', '{"is_multi_key": false}')`,
      `insert into options values ('GroupRatio', '{"default": 1}')`,
      `insert into redemptions (\`key\`, name, quota) values ('${"c".repeat(32)}', 'gift', 50)`,
      "insert into logs (user_id, quota) select 1, seq from seq_1_to_1000",
    ]);
    const words = ["new-api", "--source", "mysql", "--from"];
    const { counts, money } = await importFrom(...words, mariadb.urlOf("newapi"));
    expect(money).toMatchObject({ granted_micros: 800_000_000_000_016, equal: true });
    expect(counts).toMatchObject({
      accounts: { made: 2, refused: 0 },
      keys: { made: 2, refused: 0 },
      channels: { made: 1, refused: 0 },
      codes: { made: 1, refused: 0 },
    });
    expect(await balanceOf("dora")).toBe(800_000_000_000_002);
    expect(await asks("my-model", `sk-${keyOf(8001)}`)).toBe(200);
    expect(vendor.requests.at(-1)?.headers["authorization"]).toBe("Bearer vendor-key-mysql");
    expect(await asks("my-model", `sk-${keyOf(8002)}`)).not.toBe(200);
    const again = await importFrom(...words, mariadb.goUrlOf("newapi"));
    expect(again.money).toMatchObject({ granted_micros: 800_000_000_000_016, equal: true });
    expect(Object.values(again.counts).map(({ made }) => made)).toEqual(Array(8).fill(0));
  },
);

testWithMariaDb(
  "a database of one-api in MySQL comes in by the address that it has in its own settings",
  async () => {
    if (!mariadb) throw new Error("MariaDB did not start");
    await fill(mariadb, "oneapi", [
      `create table users (id bigint auto_increment primary key, username varchar(191) unique,
      password longtext not null, role bigint default 1, status bigint default 1,
      quota bigint default 0, \`group\` varchar(32) default 'default')`,
      `create table tokens (id bigint auto_increment primary key, user_id bigint,
      \`key\` char(48) unique, status bigint default 1, name varchar(191), expired_time bigint
      default -1, remain_quota bigint default 0, unlimited_quota tinyint(1) default 0,
      models text, subnet varchar(191) default '')`,
      `create table channels (id bigint auto_increment primary key, type bigint default 0,
      \`key\` text, status bigint default 1, name varchar(191), weight bigint unsigned default 0,
      base_url varchar(191) default '', models longtext, \`group\` varchar(32) default 'default',
      model_mapping varchar(1024) default '', priority bigint default 0, config longtext)`,
      "create table options (`key` varchar(191) primary key, value longtext)",
      "insert into users (username, password, quota) values ('erin', '', 3)",
      `insert into tokens (user_id, \`key\`, name, unlimited_quota) values
      (1, '${keyOf(8003)}', 'one', 1)`,
      `insert into channels (type, \`key\`, name, base_url, models) values
      (1, 'vendor-key-one', 'one', '${vendor.url}', 'one-model')`,
    ]);
    const { money } = await importFrom("one-api", "--from", mariadb.goUrlOf("oneapi"));
    expect(money).toMatchObject({ planned_micros: 6, granted_micros: 6, equal: true });
    expect(await balanceOf("erin")).toBe(6);
    expect(await asks("one-model", `sk-${keyOf(8003)}`)).toBe(200);
  },
);
