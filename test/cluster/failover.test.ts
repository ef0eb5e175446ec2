// A standby that takes the place of its primary: what was acknowledged is there, and what nobody
// can know is not acknowledged.
import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { eventually } from "../harness/books.ts";
import { openDatabase } from "../harness/postgres.ts";
import { findPostgres } from "../harness/postgres/find.ts";
import { canCopyServers, PostgresServer } from "../harness/postgres/server.ts";
import { testNeeding } from "../harness/requirements.ts";
import type { Store } from "../../src/store/store.ts";
import { NodeWire } from "./campaign/wire.ts";

setDefaultTimeout(120_000);

const database = "failover";
const node = "node_of_the_test";
const programs = await findPostgres();
if ("missing" in programs) throw new Error(programs.missing);
const { bin } = programs;
const missingCopy = canCopyServers(bin) ? null : `there is no pg_basebackup in ${bin}`;
const testWithStandby = testNeeding("pg_basebackup", missingCopy);
let primary: PostgresServer;
let standby: PostgresServer | null = null;
let wire: NodeWire;
let store: Store;
let port: number;

/** Commits that wait for the standby. */
async function waiting(count: number): Promise<void> {
  await eventually(`${count} commits that wait`, async () => {
    const sql = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
    const rows = await primary.ask("postgres", sql);
    return rows.length === count ? true : undefined;
  });
}

beforeAll(async () => {
  primary = await PostgresServer.start(bin, ["fsync = off"]);
  ({ port } = primary);
  await primary.ask("postgres", `create database ${database}`);
  wire = await NodeWire.open(
    () => port,
    () => {},
  );
  const url = new URL(primary.url(database));
  url.port = String(wire.port);
  store = await openDatabase(url.href);
  if (missingCopy !== null) return;
  standby = await primary.copy();
  await primary.ask("postgres", "alter system set synchronous_standby_names = '*'");
  await primary.ask("postgres", "select pg_reload_conf()");
  await eventually("the standby", async () => {
    const sql = "select 1 from pg_stat_replication where sync_state = 'sync'";
    return (await primary.ask("postgres", sql)).length > 0 ? true : undefined;
  });
});

afterAll(async () => {
  await store.close();
  wire[Symbol.dispose]();
  await standby?.[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

testWithStandby("a turn that comes again is answered only when the standby has it", async () => {
  if (!standby) throw new Error("the standby did not start");
  const { turns } = store;
  if (!turns) throw new Error("there are no turns");
  await turns.join(node, 60_000, { name: "node", version: "1" });
  const turn = { node, seq: 1, ttlMs: 60_000, document: "{}", logged: undefined };
  await standby.stopAtOnce();
  const lost = turns.take(turn).catch(() => "lost");
  await waiting(1);
  wire.cut();
  expect(await lost).toBe("lost");
  await primary.stopAtOnce();
  await primary.begin();
  const again = turns.take(turn);
  const first = await Promise.race([waiting(1).then(() => "waits"), again.then(() => "answered")]);
  await standby.begin();
  expect(first).toBe("waits");
  expect(await again).toMatchObject({ again: true });
});

testWithStandby(
  "a commit that died with its primary is not taken for one of its successor",
  async () => {
    if (!standby) throw new Error("the standby did not start");
    const sql = "insert into milestone (name) values ($1)";
    const insert = (name: string) => ({ sql, parameters: [name] });
    await store.commit({ statements: [insert("before")] });
    await standby.stopAtOnce();
    const committing = store.commit({ statements: [insert("lost")] }).then(
      () => "committed",
      () => "nobody knows",
    );
    await waiting(1);
    await primary.stopAtOnce();
    await standby.begin();
    await standby.ask("postgres", "select pg_promote(true)");
    // The lost one's number is somebody else's now.
    for (let count = 0; count < 20; count++) {
      await standby.ask(database, `insert into milestone (name) values ('new-${count}')`);
    }
    ({ port } = standby);
    const rows = async () =>
      (await standby?.ask(database, "select 1 from milestone where name = 'lost'")) ?? [];
    expect(await committing).toBe((await rows()).length > 0 ? "committed" : "nobody knows");
  },
);
