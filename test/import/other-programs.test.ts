// one-api in SQLite, new-api and LiteLLM in PostgreSQL: each comes in, and a key of it goes on.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createCipheriv, createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { runCommand } from "../harness/command.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { Vendor } from "../harness/vendor.ts";
import { keyOf, LineageDatabase } from "./lineage-database.ts";
import { testNeeding } from "../harness/requirements.ts";
import { Postgres } from "./postgres.ts";

setDefaultTimeout(120_000);

let vendor: Vendor;
let gateway: Gateway;
const testWithPostgres = testNeeding("postgres", Postgres.findMissing());
let postgres: Postgres | null = null;

beforeAll(async () => {
  vendor = new Vendor((_request, reply) =>
    reply.json({
      id: "x",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  );
  gateway = await startGateway({ config: 'sandbox: "off"\nunpriced: free\n' });
  postgres = Postgres.start();
});

afterAll(async () => {
  postgres?.[Symbol.dispose]();
  await gateway[Symbol.asyncDispose]();
  vendor[Symbol.dispose]();
});

interface Money {
  planned_micros: number;
  granted_micros: number;
  equal: boolean;
}

interface Report {
  money: Money;
  remarks: { about: string; why: string }[];
}

async function importFrom(words: string[], environment = {}): Promise<Report> {
  const where = { folder: gateway.folder, environment };
  const end = await runCommand(where, "import", ...words, "--allow-private", "--json");
  expect(end.error).toBe("");
  return JSON.parse(end.out) as Report;
}

async function account(username: string) {
  const { items } = await gateway.control<{
    items: { username: string; quota_micros: number | null; id: string }[];
  }>("GET", "/api/user?page_size=100");
  return items.find((item) => item.username === username);
}

async function asks(model: string, key: string): Promise<number> {
  const body = { model, messages: [{ role: "user", content: "hello" }], max_tokens: 5 };
  return (await gateway.post("/v1/chat/completions", body, key)).status;
}

test("a database of one-api comes in, but for the password that everybody knows", async () => {
  const path = join(gateway.folder, "one.db");
  using database = new LineageDatabase(path, "one-api");
  const delivered = await Bun.password.hash("123456", { algorithm: "bcrypt", cost: 10 });
  database.add("users", {
    username: "root",
    password: delivered,
    role: 100,
    quota: 500_000_000_000_000,
  });
  database.add("users", { username: "carol", password: delivered, quota: 3, github_id: "carol" });
  database.add("users", { username: "deleted_x", password: "", status: 3, quota: 9 });
  database.add("tokens", {
    user_id: 2,
    key: keyOf(9001),
    name: "one",
    remain_quota: 3,
    models: "a",
  });
  const key = "vendor-key-of-one-api";
  database.add("channels", { type: 36, key, name: "deep", base_url: vendor.url, models: "a,b" });
  database.option("ModelRatio", { a: 0.0001 });
  const { money, remarks } = await importFrom(["one-api", "--from", path]);
  expect(money).toEqual({
    ...money,
    planned_micros: 1_000_000_000_000_006,
    granted_micros: 1_000_000_000_000_006,
    equal: true,
  });
  const said = remarks.map(({ about, why }) => `${about}: ${why}`).join("\n");
  expect(said).toContain("account root: has the password it was delivered with");
  expect(said).toContain("account carol: its github is a name");
  expect((await account("carol"))?.quota_micros).toBe(6);
  expect(await asks("a", `sk-${keyOf(9001)}`)).toBe(200);
  expect(await asks("b", `sk-${keyOf(9001)}`)).not.toBe(200);
});

test("a balance that is no whole number of micros is rounded down, and the rest is told", async () => {
  const path = join(gateway.folder, "thirds.db");
  using database = new LineageDatabase(path, "new-api");
  database.option("QuotaPerUnit", "3000000");
  database.add("users", { username: "third", password: "", quota: 10 });
  database.add("users", { username: "two-thirds", password: "", quota: 2 });
  database.add("users", { username: "debtor", password: "", quota: -3 });
  database.add("users", { username: "gone", password: "", quota: 6, deleted_at: "2026-08-01" });
  const key = { user_id: 1, key: keyOf(9100), name: "third", remain_quota: 1 };
  database.add("tokens", { ...key, allow_ips: "nonsense" });
  const code = { key: "f".repeat(32), name: "third", quota: 4, status: 1, expired_time: 0 };
  database.add("redemptions", code);
  database.add("redemptions", { ...code, key: "e".repeat(32), status: 3 });
  const words = ["new-api", "--source", "thirds", "--from", path];
  const dry = await runCommand({ folder: gateway.folder }, "import", ...words, "--dry-run");
  expect(dry.out).toContain(
    [
      "Money:",
      "  there: $0.000005",
      "  left behind, of deleted users: $0.000002",
      "  debts, which do not come: -$0.000001",
      "  rounded down: $0.000001, to whole micros",
      "  to be granted: $0.000003",
    ].join("\n"),
  );
  const { money, remarks } = await importFrom(words);
  expect(money).toMatchObject({ planned_micros: 3, granted_micros: 3, equal: true });
  const said = remarks.map(({ about, why }) => `${about}: ${why}`);
  expect(said).toContain("1 limit of keys: rounded down to a whole micro");
  expect(said).toContain("1 code for credit: rounded down to a whole micro");
  expect(said).toContain("1 code for credit: were used, disabled or deleted");
  expect(said).toContain("account debtor: owed $0.000001 there and starts with nothing");
  expect(said).toContain("account gone: was deleted there; $0.000002 stays behind");
  expect(said.filter((line) => line.startsWith("key third"))).toHaveLength(1);
});

test("another database under the name of the first is refused before anything is written", async () => {
  const make = (file: string, names: string[]) => {
    const path = join(gateway.folder, file);
    using database = new LineageDatabase(path, "new-api");
    for (const username of names) database.add("users", { username, password: "", quota: 1 });
    return path;
  };
  const words = ["new-api", "--source", "twice", "--from"];
  await importFrom([...words, make("first.db", ["chief", "frank", "grete"])]);
  const other = make("second.db", ["chief", "heidi", "ivan", "judy"]);
  const end = await runCommand({ folder: gateway.folder }, "import", ...words, other);
  expect(end.code).toBe(1);
  expect(end.error).toContain("another database came under this name before");
  expect(await account("judy")).toBeUndefined();
  const grown = make("third.db", ["chief", "frank", "renamed", "karl"]);
  const { money, remarks } = await importFrom([...words, grown]);
  expect(money.equal).toBe(true);
  expect(remarks.map(({ why }) => why).join()).toContain("was renamed there; here it is grete");
  expect((await account("karl"))?.quota_micros).toBe(2);
});

testWithPostgres(
  "a database of new-api in PostgreSQL comes in with padded texts and long numbers",
  async () => {
    if (!postgres) throw new Error("PostgreSQL did not start");
    await using sql = new SQL(postgres.url, { max: 1 });
    await sql.unsafe(`
    create table users (id bigserial primary key, username text, password text, role bigint,
      status bigint, quota bigint, "group" varchar(64), aff_quota bigint, deleted_at timestamptz);
    create table tokens (id bigserial primary key, user_id bigint, key char(60), status bigint,
      name text, expired_time bigint, remain_quota bigint, unlimited_quota boolean,
      model_limits_enabled boolean, model_limits text, "group" text, deleted_at timestamptz);
    create table channels (id bigserial primary key, type bigint, key text, status bigint,
      name text, weight bigint, base_url text, models text, "group" varchar(64), model_mapping text,
      priority bigint, channel_info json);
    create table options (key text primary key, value text);
    insert into users values (1, 'dora', '', 1, 1, 400000000000001, 'default', 0, null),
      (2, 'ended', '', 1, 1, 5, 'default', 0, now());
    insert into tokens values (1, 1, '${keyOf(7001)}', 1, 'pg', -1, 5, true, false, '', '', null);
    insert into channels values (1, 1, 'vendor-key-pg', 1, 'pg', 0, '${vendor.url}', 'pg-model',
      'default', '', 0, '{"is_multi_key": false}')`);
    const { money } = await importFrom(["new-api", "--source", "pg", "--from", postgres.url]);
    expect(money).toMatchObject({ granted_micros: 800_000_000_000_002, equal: true });
    expect((await account("dora"))?.quota_micros).toBe(800_000_000_000_002);
    expect(await asks("pg-model", `sk-${keyOf(7001)}`)).toBe(200);
  },
);

function seal(text: string, salt: string): string {
  const key = createHash("sha256").update(salt).digest();
  const nonce = Buffer.alloc(12, 7);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return `v2:gcm:${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url")}`;
}

test("LiteLLM's file comes in as channels and prices, by variables that are named", async () => {
  const path = join(gateway.folder, "litellm.yaml");
  writeFileSync(
    path,
    `model_list:
  - model_name: quick
    litellm_params: { model: openai/quick-1, api_base: ${vendor.url}/v1,
      api_key: os.environ/QUICK_KEY, input_cost_per_token: 0.0000025,
      output_cost_per_token: 1e-5 }
  - model_name: slow
    litellm_params: { model: openai/slow-1, api_base: ${vendor.url}/v1,
      api_key: os.environ/QUICK_KEY }
  - model_name: cloud
    litellm_params: { model: bedrock/x, api_key: os.environ/MISSING }
router_settings: { model_group_alias: { fast: quick } }
`,
  );
  const words = ["litellm", "--source", "file", "--config", path];
  const { remarks } = await importFrom(words, { QUICK_KEY: "quick-vendor-key" });
  const said = remarks.map(({ about, why }) => `${about}: ${why}`).join("\n");
  expect(said).toContain("model cloud: has no address that could be called");
  const { key } = await gateway.customer(1_000_000);
  expect(await asks("fast", key)).toBe(200);
  const sent = vendor.requests.at(-1);
  expect(sent?.headers["authorization"]).toBe("Bearer quick-vendor-key");
  expect(sent?.body["model"]).toBe("quick-1");
  const { items } = await gateway.control<{ items: { model: string }[] }>(
    "GET",
    "/api/price?page_size=100",
  );
  expect(items.find(({ model }) => model === "fast")).toMatchObject({
    input_micros_per_million: 2_500_000,
    output_micros_per_million: 10_000_000,
  });
});

testWithPostgres(
  "LiteLLM's database comes in: what is left as balances, and keys by their digests",
  async () => {
    if (!postgres) throw new Error("PostgreSQL did not start");
    await using sql = new SQL(postgres.url, { max: 1 });
    const text = "sk-litellm-key-of-someone";
    const digest = createHash("sha256").update(text).digest("hex");
    const params = { model: "openai/deep-1", api_base: vendor.url, api_key: "sealed-vendor-key" };
    const sealed = Object.entries(params).map(([name, value]) => [name, seal(value, "the salt")]);
    await sql.unsafe(`
    create table "LiteLLM_UserTable" (user_id text primary key, user_email text, user_alias text,
      user_role text, max_budget float8, spend float8, budget_duration text, tpm_limit bigint,
      rpm_limit bigint, max_parallel_requests int);
    create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, blocked boolean,
      models text[], max_budget float8, spend float8, tpm_limit bigint, rpm_limit bigint);
    create table "LiteLLM_VerificationToken" (token text primary key, key_name text, key_alias text,
      user_id text, team_id text, models text[], expires timestamp(3), blocked boolean,
      max_budget float8, spend float8, tpm_limit bigint, rpm_limit bigint, aliases jsonb,
      allowed_routes text[], created_at timestamp(3));
    create table "LiteLLM_ProxyModelTable" (model_id text primary key, model_name text,
      litellm_params jsonb, model_info jsonb);
    insert into "LiteLLM_UserTable" values
      ('u1', 'eve@example.com', null, 'internal_user', 10.5, 0.1, '30d', null, 600, null),
      ('u2', null, 'boss', 'proxy_admin', null, 3, null, null, null, null);
    insert into "LiteLLM_TeamTable" values ('t1', 'crew', false, '{deep}', 1, 0.25, null, null);
    insert into "LiteLLM_VerificationToken" values
      ('${digest}', 'sk-...eone', 'eve laptop', 'u1', null, '{}', null, null, 2, 0.5, null, null,
       '{}', '{}', now()),
      ('${"b".repeat(64)}', 'sk-...team', null, null, 't1', '{all-team-models}', null, null, null,
       0, null, null, '{}', '{}', now());`);
    await sql`insert into "LiteLLM_ProxyModelTable" values
    ('m1', 'deep', ${JSON.stringify(Object.fromEntries(sealed))}::text::jsonb, '{}')`;
    const environment = { LITELLM_SALT_KEY: "the salt" };
    const { money } = await importFrom(["litellm", "--from", postgres.url], environment);
    expect(money).toMatchObject({
      planned_micros: 750_000,
      granted_micros: 750_000,
      equal: true,
    });
    // A budget that starts anew is one here too, and no balance.
    expect((await account("eve@example.com"))?.quota_micros).toBeNull();
    const { items: budgets } = await gateway.control<{ items: object[] }>("GET", "/api/budget");
    expect(budgets).toMatchObject([
      { account: "eve@example.com", limit_micros: 10_500_000, period: "month" },
    ]);
    expect((await account("boss"))?.quota_micros).toBeNull();
    expect((await account("team-crew"))?.quota_micros).toBe(750_000);
    expect(await asks("deep", text)).toBe(200);
    expect(vendor.requests.at(-1)?.headers["authorization"]).toBe("Bearer sealed-vendor-key");
    const { items } = await gateway.control<{ items: { name: string; quota_micros: number }[] }>(
      "GET",
      "/api/token?page_size=100",
    );
    expect(items.find(({ name }) => name === "eve laptop")?.quota_micros).toBe(1_500_000);
  },
);
