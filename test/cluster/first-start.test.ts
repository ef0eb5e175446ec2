// A first start of several nodes on one port, whose database stops at one moment after another on
// the way: the start waits for it, and serves when it is back.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startProcess } from "../harness/gateway.ts";
import { clusterSecret } from "../harness/postgres.ts";
import { findPostgres } from "../harness/postgres/find.ts";
import { PostgresServer } from "../harness/postgres/server.ts";

setDefaultTimeout(120_000);

let server: PostgresServer;

beforeAll(async () => {
  const programs = await findPostgres();
  if ("missing" in programs) throw new Error(programs.missing);
  server = await PostgresServer.start(programs.bin, ["fsync = off"]);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Progress of the start when the database stops. */
interface Moment {
  database: string;
  folder: string;
}

const hasRows = (sql: string) => async (at: Moment) =>
  (await server.ask(at.database, sql).catch(() => [])).length > 0;
const isServing = (node: number) => async (at: Moment) => existsSync(stateOf(at.folder, node));
const stateOf = (folder: string, node: number) =>
  join(folder, "nodes", String(node), "server.json");

const moments: Readonly<Record<string, (at: Moment) => Promise<boolean>>> = {
  "while tables are made": hasRows("select 1 from pg_namespace where nspname = 'sluice'"),
  "when the root account is there": hasRows("select 1 from sluice.account limit 1"),
  "when both serve": isServing(2),
};

test.each(Object.entries(moments))(
  "a database that stops %s is waited for",
  async (_name, hasCome) => {
    const database = `first_start_${Object.values(moments).indexOf(hasCome)}`;
    await server.ask("postgres", `create database ${database}`);
    using folder = new Folder();
    const at = { database, folder: folder.path };
    const environment = { SLUICE_DATABASE_URL: server.url(database), SLUICE_SECRET: clusterSecret };
    const starting = startProcess({
      config: 'sandbox: "off"\njournal: { lease_ms: 3000 }\n',
      environment,
      folder: folder.path,
      words: ["--nodes", "2"],
    });
    starting.catch(() => {});
    await eventually("the moment", async () => ((await hasCome(at)) ? true : undefined));
    await server.stopAtOnce();
    // Nodes notice, end, and are started on nothing.
    await Bun.sleep(1500);
    await server.begin();
    await using gateway = await starting;
    for (const node of [1, 2]) {
      await eventually(`node ${node}, ready`, async () => {
        if (!existsSync(stateOf(folder.path, node))) return undefined;
        const { url } = JSON.parse(readFileSync(stateOf(folder.path, node), "utf8")) as {
          url: string;
        };
        const response = await fetch(`${url}/readyz`).catch(() => null);
        return response?.status === 200 ? true : undefined;
      });
    }
    const verified = await runCommand({ folder: folder.path, environment }, "ledger", "verify");
    expect([verified.code, verified.error]).toEqual([0, ""]);
    expect(await gateway.stop()).toBe(0);
  },
);

test("a database that was never there ends the start, with its reason", async () => {
  using folder = new Folder();
  const environment = {
    SLUICE_DATABASE_URL: "postgres://sluice@127.0.0.1:1/none",
    SLUICE_SECRET: clusterSecret,
  };
  const refused = await runCommand({ folder: folder.path, environment }, "serve", "--nodes", "2");
  expect(refused.code).toBe(1);
  expect(refused.error).toContain("node 1 did not start");
});
