// A request has one record: what the ledger charged is what lists, sums and bills tell, to the
// micro, after whatever end the process had.
import { expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { dayOf, formatDay } from "../../../src/core/day.ts";
import { usageLogMigrations } from "../../../src/observe/versions/queries.ts";
import { toVersions } from "../../../src/store/sqlite/dialect.ts";
import { as, type LogAnswer, type UsageAnswer } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { entryOf } from "../../harness/entries.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway, startProcess, type Gateway } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { openDatabase, rowsOf } from "../../harness/rows.ts";
import { completion, delta, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(60_000);

const dear = 1_000_001;
const config = `
sandbox: "off"
log: { level: error }
distribution: { failures_to_eject: 1000, retry_budget_percent: 100 }
prices:
  - { model: m, input_micros_per_million: ${dear * 100_000}, output_micros_per_million: 0 }
`;
const quotaMicros = 1_000_000_000_000;

interface Payer {
  id: string;
  key: string;
}

async function ask(gateway: Gateway, { key }: Payer): Promise<number> {
  const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
  await response.text();
  return response.status;
}

/** The charge in every list and sum. */
async function toldMicros(gateway: Gateway, { id, key }: Payer): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  for (const by of ["day", "model", "key", "account", "channel"]) {
    const { sum } = await as<UsageAnswer>(gateway, rootToken, `/api/usage?by=${by}`);
    told[by] = sum.micros;
  }
  const { items } = await as<LogAnswer>(gateway, rootToken, "/api/log?page_size=100");
  told["log"] = items.reduce((sum, { micros }) => sum + micros, 0);
  for (const query of ["", `?start_date=${formatDay(dayOf(Date.now()) - 1)}`]) {
    const response = await gateway.get(`/v1/dashboard/billing/usage${query}`, key);
    const { total_usage } = (await response.json()) as { total_usage: number };
    told[`billing${query && " by day"}`] = Math.round(total_usage * 10_000);
  }
  told["balance"] = (await balanceOf(gateway, id)).used_micros;
  return told;
}

function allOf(micros: number): Record<string, number> {
  const names = ["day", "model", "key", "account", "channel", "log"];
  return Object.fromEntries(
    [...names, "billing", "billing by day", "balance"].map((name) => [name, micros]),
  );
}

test("N20 fault F1 after kill -9 usage by day tells all 34,000,034 micros that were charged", async () => {
  using folder = new Folder();
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  const first = await startProcess({ folder: folder.path, config });
  await first.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
  const payer = await first.customer(quotaMicros);
  const answers = await Promise.all(Array.from({ length: 34 }, () => ask(first, payer)));
  await first.kill();
  expect(answers.every((status) => status === 200)).toBe(true);
  // Before a new life has taken anything over, the books agree with what the journal has.
  expect((await runCommand({ folder: folder.path }, "ledger", "verify")).code).toBe(0);
  await using next = await startGateway({ folder: folder.path, config });
  expect(await toldMicros(next, payer)).toEqual(allOf(34 * dear));
  const verified = await runCommand({ folder: folder.path }, "ledger", "verify");
  expect([verified.code, verified.error]).toEqual([0, ""]);
});

test("N20 fault F1 a request that died with kill -9 has a record beside its void", async () => {
  using folder = new Folder();
  const begun = Promise.withResolvers<void>();
  using vendor = new Vendor((_request, reply) => {
    reply.stream();
    reply.event(delta({ content: "Yes" }));
    begun.resolve();
  });
  const first = await startProcess({ folder: folder.path, config });
  await first.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
  const payer = await first.customer(quotaMicros);
  const body = { ...chatBody("m"), stream: true };
  const response = await first.post("/v1/chat/completions", body, payer.key);
  // Its first bytes come when its hold is written.
  await response.body?.getReader().read();
  await begun.promise;
  await first.kill();
  await using next = await startGateway({ folder: folder.path, config });
  const id = response.headers.get("x-request-id") ?? "";
  const entry = await entryOf(next, id);
  expect(entry).toMatchObject({ kind: "void", reason: "recovered", micros: 0 });
  expect(entry.loss_micros).toBe(entry.held_micros);
  const { items } = await as<LogAnswer>(next, rootToken, "/api/log?page_size=100");
  expect(items).toEqual([
    expect.objectContaining({
      request_id: id,
      outcome: "gateway_error",
      error_code: "interrupted",
      status: 500,
      model: "m",
      micros: 0,
    }),
  ]);
  const { sum } = await as<UsageAnswer>(next, rootToken, "/api/usage?by=day");
  expect(sum).toMatchObject({ requests: 1, failures: 1, micros: 0 });
  const verified = await runCommand({ folder: folder.path }, "ledger", "verify");
  expect([verified.code, verified.error]).toEqual([0, ""]);
});

test("N20 what was answered a moment ago is in every list and sum, refused requests too", async () => {
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  await using gateway = await startGateway({ config });
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
  const payer = await gateway.customer(quotaMicros);
  expect(await ask(gateway, payer)).toBe(200);
  expect(await toldMicros(gateway, payer)).toEqual(allOf(dear));
  const refusals: [path: string, body: unknown, status: number][] = [
    ["/v1/chat/completions", chatBody("unknown"), 503],
    ["/v1/chat/completions", "{", 400],
    ["/v1/messages", { model: "m" }, 400],
    ["/v1/responses", { model: "unknown", input: "hi" }, 503],
    ["/v1/images/generations", { prompt: "a weir" }, 400],
    ["/v1/videos", { prompt: "a weir" }, 400],
  ];
  for (const [path, body, status] of refusals) {
    const response = await gateway.post(path, body, payer.key);
    expect([path, response.status]).toEqual([path, status]);
    const id = response.headers.get("x-request-id") ?? "";
    const { items } = await as<LogAnswer>(gateway, rootToken, `/api/log?request_id=${id}`);
    expect(items).toMatchObject([{ request_id: id, status, micros: 0 }]);
  }
  expect(await toldMicros(gateway, payer)).toEqual(allOf(dear));
});

test("N20 a reseller that fails 36 of a hundred attempts shows 36, not what clients saw", async () => {
  let count = 0;
  using reseller = new Vendor((_request, reply) => {
    const isFailure = count++ % 25 < 9;
    return isFailure
      ? reply.json({ error: { message: "no" } }, 500)
      : reply.json(completion("Yes."));
  });
  using spare = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  await using gateway = await startGateway({ config });
  const models = ["m"];
  const first = reseller.channel({ name: "reseller", models, priority: 10 });
  await gateway.control("POST", "/api/channel", first);
  await gateway.control("POST", "/api/channel", spare.channel({ name: "spare", models }));
  const payer = await gateway.customer(quotaMicros);
  for (let turn = 0; turn < 50; turn++) expect(await ask(gateway, payer)).toBe(200);
  const usage = await as<UsageAnswer>(gateway, rootToken, "/api/usage?by=channel");
  const byName = new Map(usage.items.map((item) => [item.channel, item]));
  expect(byName.get("reseller")).toMatchObject({
    requests: 32,
    failures: 0,
    attempts: 50,
    attempt_failures: 18,
  });
  expect(byName.get("spare")).toMatchObject({ requests: 18, attempts: 18, attempt_failures: 0 });
});

test("N20 a log that cannot be written stops no money, and has it all once it can", async () => {
  using folder = new Folder();
  keepOnFiles(folder.path);
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  const gateway = await startProcess({ folder: folder.path, config });
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
  const payer = await gateway.customer(quotaMicros);
  const log = openDatabase(folder.path, "log.db");
  log.run("begin immediate");
  for (let turn = 0; turn < 5; turn++) expect(await ask(gateway, payer)).toBe(200);
  expect((await balanceOf(gateway, payer.id)).used_micros).toBe(5 * dear);
  // It dies with the log behind; the journal has what the log has not.
  await gateway.kill();
  log.run("rollback");
  log.close();
  await using next = await startGateway({ folder: folder.path, config });
  await eventually("the log", async () => {
    const { day } = await toldMicros(next, payer);
    return day === 5 * dear ? true : undefined;
  });
  expect(await toldMicros(next, payer)).toEqual(allOf(5 * dear));
});

test("N20 verify names the day whose usage is not what the ledger charged", async () => {
  using folder = new Folder();
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  const gateway = await startGateway({ folder: folder.path, config });
  await gateway.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
  const payer = await gateway.customer(quotaMicros);
  await ask(gateway, payer);
  await gateway.stop();
  for (const change of ["- 1", "+ 2"]) {
    const place = { folder: folder.path };
    await rowsOf(place, `update usage_day set micros = micros ${change}`, "log.db");
    const { code, out } = await runCommand({ folder: folder.path }, "ledger", "verify");
    expect(code).toBe(1);
    expect(out).toContain("a day's usage is the sum of its posts");
    expect(out).toContain(payer.id);
  }
});

/** The columns of the usage log that came after the version. */
function columnsSince(version: number): string[] {
  using database = new Database(":memory:");
  const columns = () => {
    const found = database.query("select name from pragma_table_info('usage_log')").all();
    return (found as { name: string }[]).map(({ name }) => name);
  };
  const versions = toVersions(usageLogMigrations);
  for (const sql of versions.slice(0, version).flat()) database.run(sql);
  const before = columns();
  for (const sql of versions.slice(version).flat()) database.run(sql);
  return columns().filter((column) => !before.includes(column));
}

test("N20 a log of the version before is opened and goes on, and verify asks nothing of its days", async () => {
  using folder = new Folder();
  keepOnFiles(folder.path);
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  const first = await startGateway({ folder: folder.path, config });
  await first.control("POST", "/api/channel", vendor.channel({ name: "only", models: ["m"] }));
  const payer = await first.customer(quotaMicros);
  for (let turn = 0; turn < 3; turn++) await ask(first, payer);
  await first.stop();
  const log = openDatabase(folder.path, "log.db");
  // State left by the version before, with one of its rows lost.
  for (const sql of [
    "drop table log_relocation",
    "drop table usage_slot",
    "drop table usage_channel_slot",
    "drop table usage_label_day",
    "drop table usage_facet_slot",
    "drop table usage_facet_day",
    "drop table usage_facet_state",
    "drop table attempt_log",
    "drop table journal_state",
    ...columnsSince(2).map((column) => `alter table usage_log drop column ${column}`),
    "alter table usage_day drop column cost_micros",
    "alter table usage_channel_day drop column cost_micros",
    "alter table usage_channel_day drop column attempts",
    "alter table usage_channel_day drop column attempt_failures",
    "delete from usage_log where rowid = 1",
    `update usage_day set micros = micros - ${dear}`,
    "pragma user_version = 2",
  ]) {
    log.run(sql);
  }
  log.close();
  expect((await runCommand({ folder: folder.path }, "ledger", "verify")).code).toBe(0);
  await using next = await startGateway({ folder: folder.path, config });
  await ask(next, payer);
  const { items } = await as<LogAnswer>(next, rootToken, "/api/log?page_size=100");
  expect(items).toHaveLength(3);
  expect((await runCommand({ folder: folder.path }, "ledger", "verify")).code).toBe(0);
});
