// Bounds of LiteLLM on keys and accounts come with them, or what they bound comes disabled; none is
// lost without a word.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { runCommand } from "../harness/command.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { testNeeding } from "../harness/requirements.ts";
import { Postgres } from "./postgres.ts";

setDefaultTimeout(120_000);

let gateway: Gateway;
const testWithPostgres = testNeeding("postgres", Postgres.findMissing());
let postgres: Postgres | null = null;

beforeAll(async () => {
  gateway = await startGateway({ config: 'sandbox: "off"\n' });
  postgres = Postgres.start();
});

afterAll(async () => {
  postgres?.[Symbol.dispose]();
  await gateway?.[Symbol.asyncDispose]();
});

interface Row {
  name?: string;
  username?: string;
  status: string;
  quota_micros: number | null;
  requests_per_minute: number | null;
}

async function importFrom(words: string[], environment = {}): Promise<string> {
  const where = { folder: gateway.folder, environment };
  const end = await runCommand(where, "import", "litellm", ...words, "--json");
  expect(end.error).toBe("");
  const { remarks } = JSON.parse(end.out) as { remarks: { about: string; why: string }[] };
  return remarks.map(({ about, why }) => `${about}: ${why}`).join("\n");
}

async function rowsOf(path: string): Promise<Map<string | undefined, Row>> {
  const { items } = await gateway.control<{ items: Row[] }>("GET", `${path}?page_size=100`);
  return new Map(items.map((item) => [item.name ?? item.username, item]));
}

/** A key of that alias, with columns of its own. */
function keyRow(alias: string, columns: Record<string, string>): string {
  const token = new Bun.CryptoHasher("sha256").update(alias).digest("hex");
  const all = { token: `'${token}'`, key_alias: `'${alias}'`, spend: "1", ...columns };
  return `insert into "LiteLLM_VerificationToken" (${Object.keys(all).join(", ")})
    values (${Object.values(all).join(", ")});`;
}

const tables = `
  create table "LiteLLM_BudgetTable" (budget_id text primary key, max_budget float8,
    soft_budget float8, max_parallel_requests int, tpm_limit bigint, rpm_limit bigint,
    model_max_budget jsonb, budget_duration text);
  create table "LiteLLM_OrganizationTable" (organization_id text primary key, budget_id text,
    spend float8);
  create table "LiteLLM_TeamMembership" (user_id text, team_id text, spend float8, budget_id text);
  create table "LiteLLM_UserTable" (user_id text primary key, user_alias text, max_budget float8,
    spend float8, organization_id text, model_max_budget jsonb default '{}', budget_limits jsonb);
  create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, max_budget float8,
    spend float8, model_max_budget jsonb default '{}', organization_id text);
  create table "LiteLLM_VerificationToken" (token text primary key, key_alias text, user_id text,
    team_id text, max_budget float8, spend float8, rpm_limit bigint, budget_id text,
    budget_limits jsonb, model_max_budget jsonb default '{}', metadata jsonb default '{}');
  insert into "LiteLLM_BudgetTable" values ('tier', 5, null, null, null, 60, '{}', null),
    ('by-model', null, null, null, null, null, '{"gpt": {"max_budget": 1}}', null),
    ('closed', null, null, null, null, 0, null, null), ('house', 100, null, null, null, null, null, null);
  insert into "LiteLLM_OrganizationTable" values ('org', 'house', 3);
  insert into "LiteLLM_TeamMembership" values ('u1', 't1', 4.5, 'tier');
  insert into "LiteLLM_UserTable" values ('u1', 'ann', 50, 0, null, '{}', null),
    ('u2', 'shared', null, 0, 'org', '{}', null), ('u3', 'split', 9, 0, null, '{"gpt": 1}', null);
  insert into "LiteLLM_TeamTable" values ('t1', 'crew', 20, 0, '{}', null);`;

testWithPostgres(
  "a key that is bound by another row has that bound, and what has no equal is off",
  async () => {
    if (!postgres) throw new Error("PostgreSQL did not start");
    await using sql = new SQL(postgres.url, { max: 1 });
    const ann = { user_id: "'u1'" };
    await sql.unsafe(
      [
        tables,
        keyRow("plain", ann),
        keyRow("by tier", { ...ann, budget_id: "'tier'" }),
        keyRow("both", { ...ann, budget_id: "'tier'", max_budget: "3", rpm_limit: "9" }),
        keyRow("dangling", { ...ann, budget_id: "'nowhere'" }),
        keyRow("windows", { ...ann, budget_limits: `'[{"budget_duration":"1d","max_budget":1}]'` }),
        keyRow("models", { ...ann, model_max_budget: `'{"gpt-5": {"budget_limit": 1}}'` }),
        keyRow("tier models", { ...ann, budget_id: "'by-model'" }),
        keyRow("nothing", { ...ann, budget_id: "'closed'" }),
        keyRow("member", { ...ann, team_id: "'t1'" }),
        keyRow("model rates", { ...ann, metadata: `'{"model_rpm_limit": {"gpt-5": 1}}'` }),
      ].join("\n"),
    );
    const said = await importFrom(["--from", postgres.url]);
    const keys = await rowsOf("/api/token");
    const state = (name: string) => [keys.get(name)?.status, keys.get(name)?.quota_micros];
    expect(state("plain")).toEqual(["enabled", null]);
    expect(state("by tier")).toEqual(["enabled", 4_000_000]);
    expect(keys.get("by tier")?.requests_per_minute).toBe(60);
    expect(state("both")).toEqual(["enabled", 2_000_000]);
    expect(keys.get("both")?.requests_per_minute).toBe(9);
    expect(state("member u1")).toEqual(["enabled", 500_000]);
    for (const name of ["dangling", "windows", "models", "tier models", "nothing"]) {
      expect([name, keys.get(name)?.status]).toEqual([name, "disabled"]);
      expect(said).toMatch(new RegExp(`key ${name}: .*, so it is off`));
    }
    expect(said).toContain("key model rates: has model_rpm_limit, which has no equal");
    const accounts = await rowsOf("/api/user");
    expect(accounts.get("ann")).toMatchObject({ status: "enabled", quota_micros: 50_000_000 });
    expect(accounts.get("shared")?.status).toBe("disabled");
    expect(accounts.get("split")?.status).toBe("disabled");
    expect(said).toContain("account shared: shares the budget of its organization");
    expect(said).toContain("account split: has budgets by model");
  },
);

test("a deployment without its variable or its key is off, and prices are told as they are", async () => {
  const path = join(gateway.folder, "litellm.yaml");
  writeFileSync(
    path,
    `model_list:
  - model_name: keyless
    litellm_params: { model: openai/keyless-1, api_key: os.environ/MISSING_KEY }
  - model_name: unsaid
    litellm_params: { model: groq/unsaid-1 }
  - model_name: elsewhere
    litellm_params: { model: openai/else-1, api_base: os.environ/MISSING_BASE, api_key: k }
  - model_name: own
    litellm_params: { model: hosted_vllm/own-1, api_base: https://models.example.com }
  - model_name: chatA
    litellm_params: { model: openai/chat-1, api_key: vendor-key-of-chat }
  - model_name: third
    litellm_params: { model: openai/third-1, api_key: vendor-key-of-third,
      input_cost_per_token: 3.333333333333e-7, output_cost_per_token: 0.000002 }
`,
  );
  const said = await importFrom(["--source", "file", "--config", path]);
  const channels = await gateway.control<{ items: { models: string[]; status: string }[] }>(
    "GET",
    "/api/channel?page_size=100",
  );
  const statusOf = (model: string) =>
    channels.items.find(({ models }) => models.includes(model))?.status;
  expect(["keyless", "unsaid", "own", "chatA"].map(statusOf)).toEqual([
    "disabled",
    "disabled",
    "enabled",
    "enabled",
  ]);
  expect(statusOf("elsewhere")).toBeUndefined();
  expect(said).toContain("model keyless: needs MISSING_KEY of the environment");
  expect(said).toContain("model unsaid: has no key in the file, so it is off");
  expect(said).toContain("model elsewhere: has its address in a variable that is not set here");
  expect(said).toContain("model chatA: has no price there; the one that stands here holds");
  expect(said).toContain("model own: has no price there; it is refused until you set one");
  expect(said).toContain(
    "model third: prices are whole micros here: a million of input was 333333.",
  );
  expect(said).not.toContain("a million of output was");
});
