// LiteLLM's organizations, teams, members and budgets that start anew come as what they are here.
import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
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

function digestOf(alias: string): string {
  return new Bun.CryptoHasher("sha256").update(alias).digest("hex");
}

const tables = `
  create table "LiteLLM_BudgetTable" (budget_id text primary key, max_budget float8,
    rpm_limit bigint, budget_duration text);
  create table "LiteLLM_OrganizationTable" (organization_id text primary key,
    organization_alias text, budget_id text, spend float8);
  create table "LiteLLM_OrganizationMembership" (user_id text, organization_id text,
    user_role text);
  create table "LiteLLM_TeamMembership" (user_id text, team_id text, spend float8, budget_id text);
  create table "LiteLLM_UserTable" (user_id text primary key, user_alias text, max_budget float8,
    spend float8, budget_duration text);
  create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, max_budget float8,
    spend float8, budget_duration text, organization_id text, members_with_roles jsonb,
    rpm_limit bigint);
  create table "LiteLLM_VerificationToken" (token text primary key, key_alias text, user_id text,
    team_id text, organization_id text, max_budget float8, spend float8, budget_duration text);
  insert into "LiteLLM_BudgetTable" values ('house', 100, null, null), ('each', 5, null, '1d');
  insert into "LiteLLM_OrganizationTable" values ('o1', 'acme', 'house', 3);
  insert into "LiteLLM_OrganizationMembership" values ('u1', 'o1', 'org_admin'),
    ('u3', 'o1', 'internal_user_viewer'), ('gone', 'o1', 'internal_user');
  insert into "LiteLLM_TeamMembership" values ('u2', 't3', 1, 'each');
  insert into "LiteLLM_UserTable" values ('u1', 'ann', null, 0, null), ('u2', 'bob', 40, 7, '30d'),
    ('u3', 'cy', 10, 1, '20s'), ('u4', 'cleo', null, 0, null);
  insert into "LiteLLM_TeamTable" values
    ('t1', 'search', 20, 5, '7d', 'o1', 
      '[{"user_id":"u2","role":"user"},{"user_id":"u4","role":"user"}]', null),
    ('t2', 'labs', 8, 3, null, 'o1',
      '[{"user_id":"u1","role":"user"},{"user_id":"u4","role":"user"}]', 60),
    ('t3', 'crew', 30, 2, '5h', null, '[{"user_id":"u2","role":"admin"}]', null);
  insert into "LiteLLM_VerificationToken" values
    ('${digestOf("one")}', 'one', 'u2', 't1', null, 2, 1, '1mo'),
    ('${digestOf("two")}', 'two', null, 't2', 'o1', 2, 1, null),
    ('${digestOf("three")}', 'three', 'u2', 't3', null, null, 0, null),
    ('${digestOf("four")}', 'four', 'u1', null, 'o1', null, 0, null);`;

interface Budget {
  account: string;
  name: string;
  scope: string;
  limit_micros: number;
  period: string;
  hours: number | null;
}

const listOf = async <Item>(path: string) =>
  (await gateway.control<{ items: Item[] }>("GET", path)).items;

interface Seat {
  id: string;
  name: string;
  role: string;
}

/** Name, role and project of each member. */
async function membersOf(name: string): Promise<string[]> {
  const organisations = await listOf<Seat>("/api/organisation");
  const id = organisations.find((one) => one.name === name)?.id;
  const members = await listOf<{ username: string; role: string; project: string | null }>(
    `/api/organisation/${id}/member`,
  );
  return members.map(({ username, role, project }) => `${username} ${role} ${project}`).toSorted();
}

testWithPostgres(
  "organizations, teams, members and renewed budgets keep what they were",
  async () => {
    if (!postgres) throw new Error("PostgreSQL did not start");
    await using sql = new SQL(postgres.url, { max: 1 });
    await sql.unsafe(tables);
    const words = ["import", "litellm", "--from", postgres.url, "--json"];
    const end = await runCommand({ folder: gateway.folder }, ...words);
    expect(end.error).toBe("");
    const { counts, money, remarks } = JSON.parse(end.out);
    for (const kind of ["accounts", "projects", "members", "keys", "budgets"]) {
      expect([kind, counts[kind].refused]).toEqual([kind, 0]);
    }
    // The rest of the organization's budget, and of one whose period has no equal.
    expect(money).toMatchObject({ equal: true, granted_micros: 97_000_000 + 9_000_000 });

    const organisations = await listOf<Seat>("/api/organisation");
    const roles = organisations.map(({ name, role }) => [name, role]);
    expect(roles.toSorted()).toEqual([
      ["acme", "owner"],
      ["team-crew", "owner"],
    ]);
    // Keys go to the project of the team that somebody is in; cleo is in two, and has none.
    expect(await membersOf("acme")).toEqual([
      "ann admin labs",
      "bob member search",
      "cleo member null",
      "cy viewer null",
      "root owner null",
    ]);
    expect(await membersOf("team-crew")).toEqual(["bob admin null", "root owner null"]);

    const budgets = await listOf<Budget>("/api/budget?page_size=100");
    const told = budgets.map(({ account, scope, name, ...rest }) =>
      [account, scope, name, rest.limit_micros / 1e6, rest.period, rest.hours].join(" "),
    );
    expect(told.toSorted()).toEqual([
      "acme key one 2 month ",
      "acme project labs 5 forever ",
      "acme project search 20 week ",
      "bob account whole 40 month ",
      "team-crew account whole 30 hours 5",
      "team-crew member u2 5 day ",
    ]);

    const keys = await listOf<{ name: string; account: string; quota_micros: number | null }>(
      "/api/token?page_size=100",
    );
    const owned = keys
      .filter(({ account }) => account !== "root")
      .map(({ name, account, quota_micros: left }) => `${name} ${account} ${left}`);
    expect(owned.toSorted()).toEqual([
      "four acme null",
      "one u2 acme null",
      "three u2 team-crew null",
      "two acme 1000000",
    ]);
    const why = remarks.map((one: { about: string; why: string }) => `${one.about}: ${one.why}`);
    expect(why).toContain("project labs: has rates, which a project has not");
    expect(why.join("\n")).toContain("account cy: its budget starts anew every 20s there");

    const again = JSON.parse((await runCommand({ folder: gateway.folder }, ...words)).out);
    for (const kind of ["projects", "members", "budgets"]) {
      expect([kind, again.counts[kind].made, again.counts[kind].refused]).toEqual([kind, 0, 0]);
    }
  },
);
