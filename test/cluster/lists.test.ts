// A page of fifty takes few statements, whatever is listed: nothing is asked for each of its rows.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { encodeRecords } from "../../src/observe/queries.ts";
import { oldRow } from "../harness/accounts/usage.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import {
  clusterSecret,
  dropDatabase,
  newDatabase,
  openDatabase,
  sharedPostgres,
} from "../harness/postgres.ts";
import { CountingWire } from "../harness/postgres/counting-wire.ts";
import { routes } from "../harness/route-table.ts";

setDefaultTimeout(120_000);

const rows = 50;
/** Its own few, and those of a node's turns meanwhile. */
const statementsMax = 15;

let url: string;
let wire: CountingWire;
let gateway: Gateway;

beforeAll(async () => {
  url = await newDatabase();
  wire = new CountingWire((await sharedPostgres()).port);
  const counted = new URL(url);
  counted.port = String(wire.port);
  gateway = await startGateway({
    config: 'sandbox: "off"\nlog: { level: error }\nsite: { shows_models: true }\n',
    environment: { SLUICE_DATABASE_URL: counted.href, SLUICE_SECRET: clusterSecret },
  });
  await fill();
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  wire[Symbol.dispose]();
  await dropDatabase(url);
});

async function fill(): Promise<void> {
  const { id: root } = await gateway.control<{ id: string }>("GET", "/api/user/self");
  for (let at = 0; at < rows; at++) {
    const name = `fifty ${at}`;
    const model = { model: `fifty-${at}` };
    await gateway.control("POST", "/api/group", { name });
    await gateway.control("POST", "/api/model-note", { ...model, note: "Good." });
    await gateway.control("POST", "/api/price", { ...model, call_micros: 1 });
    const keys = { key: "sk-vendor", base_url: "https://vendor.test", models: [`fifty-${at}`] };
    await gateway.control("POST", "/api/channel", { name, type: "openai", ...keys });
    await gateway.control("POST", "/api/virtual-model", { name: `best-${at}`, members: [model] });
  }
  const server = await sharedPostgres();
  for (const [table, cells] of tables(`'${root}'`)) {
    await server.ask(new URL(url).pathname.slice(1), await insertFifty(table, cells));
  }
  const store = await openDatabase(url);
  const logged = Array.from({ length: rows }, (_, at) =>
    oldRow({ at_ms: Date.now(), account_id: root, key_id: `key_${at}`, model: `fifty-${at}` }),
  );
  await store.writeLog({ documents: [encodeRecords(logged)] });
  await store.close();
}

/** Cells that cannot be just any text or number; `n` is the row's number. */
const budget = "bud_00000000000000000000000001";

function tables(root: string): [table: string, cells: Record<string, string>][] {
  const own = { account_id: root };
  const now = String(Date.now());
  const key = { key_id: "'key_' || n" };
  const rhythm = { scope: "'key'", period: "'month'", zone: "'UTC'", hours_from: "'epoch'" };
  const starts = { start_hour: "0", start_weekday: "1", start_day: "1", start_month: "1" };
  const terms = { ...rhythm, ...starts, mode: "'stop'", marks: "'[]'", status: "'enabled'" };
  return [
    ["account", { id: "'acc_' || n", role: "'user'", status: "'enabled'" }],
    ["ledger_account", { account_id: "'acc_' || n", unlimited: "0" }],
    ["api_key", { id: "'key_' || n", account_id: "'acc_' || n", status: "'enabled'" }],
    ["ledger_key", { ...key, account_id: "'acc_' || n" }],
    ["access_token", own],
    ["session", { ...own, created_at_ms: now, seen_at_ms: now }],
    ["oauth_identity", own],
    ["invitation", { created_by: root }],
    ["redemption", { created_by: root }],
    ["announcement", { created_by: root }],
    ["asset", { ...own, kind: "'image'", status: "'active'" }],
    ["task", { ...own, ...key, kind: "'video'", state: "'completed'", job: "'{}'" }],
    ["webhook_delivery", { task_id: "'id ' || n" }],
    ["capture", { actor_id: root, until_ms: now, created_at_ms: now, ...key }],
    ["entry", { ...own, kind: "'grant'" }],
    ["hold", { ...own, ...key, kind: "'request'", created_at_ms: now }],
    ["notice", { details: "'{}'" }],
    [
      "budget",
      {
        ...own,
        id: `'${budget.slice(0, -2)}' || lpad(n::text, 2, '0')`,
        name: "'budget ' || n",
        ...terms,
      },
    ],
    ["cap", { ...own, budget_id: `'${budget}'`, mode: "'hard'" }],
  ];
}

async function insertFifty(table: string, cells: Record<string, string>): Promise<string> {
  const server = await sharedPostgres();
  const columns = await server.ask(
    new URL(url).pathname.slice(1),
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'sluice' and table_name = '${table}'
      and is_nullable = 'NO' and column_default is null`,
  );
  const any = columns.map(({ name, type }): [string, string] => [
    String(name),
    type === "text" ? `'${String(name)} ' || n` : "n",
  ]);
  const all = { ...Object.fromEntries(any), ...cells };
  return `insert into sluice.${table} (${Object.keys(all).join(", ")})
    select ${Object.values(all).join(", ")} from generate_series(1, ${rows}) as n`;
}

function isPaged(answer: object): boolean {
  const properties = "properties" in answer ? answer.properties : null;
  return typeof properties === "object" && properties !== null && "page_size" in properties;
}

const isOfBudgets = (path: string) => path.startsWith("/api/budget");

/** Budgets come last: once their windows are looked at, the node's turns move them on its own. */
const lists = routes
  .filter(({ method, entry }) => method === "GET" && isPaged(entry?.answer ?? {}))
  .toSorted((one, other) => Number(isOfBudgets(one.path)) - Number(isOfBudgets(other.path)));

/** Nodes, roles and requests that run: there are no fifty of them here. */
const short = ["/api/inflight", "/api/node", "/api/role"];

test("every list takes few statements for a page of fifty", async () => {
  const { id } = await gateway.control<{ id: string }>("GET", "/api/user/self");
  const faults: string[] = [];
  for (const { path, entry } of lists) {
    const before = wire.statements;
    const all = "all" in (entry?.query ?? {}) ? "&all=true" : "";
    const subject = path.startsWith("/api/budget/") ? budget : id;
    const address = `${path.replace("{id}", subject)}?page_size=${rows}${all}`;
    const { items } = await gateway.control<{ items: unknown[] }>("GET", address);
    const statements = wire.statements - before;
    const count = items.length;
    if (count < rows && !short.includes(path)) faults.push(`${path} has ${count} rows`);
    if (statements > statementsMax) faults.push(`${path} takes ${statements} statements`);
  }
  expect(faults).toEqual([]);
  expect(lists.length).toBeGreaterThan(25);
});
