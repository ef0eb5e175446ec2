// Databases for gateways under test: one server for all files of a run, and a database for each
// data folder, copied from one that has its tables already.
import { join } from "node:path";
import { logProgram, mainPrograms } from "../../src/app/programs.ts";
import { oldestLogReader, usageLogMigrations } from "../../src/observe/versions/queries.ts";
import { openPostgres } from "../../src/store/postgres/open.ts";
import type { Store } from "../../src/store/store.ts";
import { findPostgres } from "./postgres/find.ts";
import { PostgresServer, type DatabaseRow } from "./postgres/server.ts";

/** Secret that every gateway on one of these databases seals with. */
export const clusterSecret = "the secret that all nodes under test share";

export type { DatabaseRow };

/** True where any black-box test is to run on PostgreSQL. */
export const isOnPostgres = process.env["SLUICE_TEST_ENGINE"] === "postgres";

const template = "sluice_template";
/** Nothing here has to outlive the machine. */
const settings = ["fsync = off", "full_page_writes = off", "autovacuum_naptime = 10s"];

/** Reason why there is no server, or null. */
export async function whyNoPostgres(): Promise<string | null> {
  const programs = await findPostgres();
  return "missing" in programs ? programs.missing : null;
}

let shared: Promise<PostgresServer> | null = null;

/** The server of this run, with a template of the gateway's tables. */
export async function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startShared();
  return await shared;
}

async function startShared(): Promise<PostgresServer> {
  const programs = await findPostgres();
  if ("missing" in programs) {
    throw new Error(`These tests need PostgreSQL, and there is none: ${programs.missing}`);
  }
  const server = await PostgresServer.start(programs.bin, settings);
  await server.ask("postgres", `create database ${template}`);
  const store = await openDatabase(server.url(template));
  await store.close();
  return server;
}

/** The store that a gateway has on a database. */
export async function openDatabase(url: string): Promise<Store> {
  return await openPostgres({
    url,
    programs: mainPrograms,
    log: { program: logProgram, migrations: usageLogMigrations, oldestReader: oldestLogReader },
  });
}

let count = 0;
/** Copying a template wants it for itself. */
let copying: Promise<unknown> = Promise.resolve();

/** The address of a new database. */
export async function newDatabase(): Promise<string> {
  const server = await sharedPostgres();
  const name = `gateway_${++count}`;
  const copied = copying.then(() =>
    server.ask("postgres", `create database ${name} template ${template}`),
  );
  copying = copied.catch(() => {});
  await copied;
  return server.url(name);
}

export async function dropDatabase(url: string): Promise<void> {
  const server = await sharedPostgres();
  const name = new URL(url).pathname.slice(1);
  await server.letGo(name);
  await server.ask("postgres", `drop database if exists ${name} with (force)`);
}

const byFolder = new Map<string, Promise<string>>();
const onFiles = new Set<string>();

/** For a test that is about files: the folder and those below it never stand for a database. */
export function keepOnFiles(folder: string): void {
  onFiles.add(folder);
}

/** Environment of a gateway or a command for the engine that tests are run on. */
export async function engineOf(folder: string): Promise<Record<string, string>> {
  const isKept = [...onFiles].some((kept) => `${folder}/`.startsWith(`${kept}/`));
  if (!isOnPostgres || isKept) return {};
  return {
    SLUICE_DATABASE_URL: await databaseOf(folder),
    SLUICE_SECRET: clusterSecret,
    SLUICE_MEDIA_FOLDER: join(folder, "media"),
  };
}

/** A data folder's own: a gateway that comes back to its folder finds its rows again. */
function databaseOf(folder: string): Promise<string> {
  let url = byFolder.get(folder);
  if (!url) byFolder.set(folder, (url = newDatabase()));
  return url;
}

export async function forgetDatabaseOf(folder: string): Promise<void> {
  const url = byFolder.get(folder);
  byFolder.delete(folder);
  if (url) await dropDatabase(await url);
}

/** Rows of the database of a folder. */
export async function rowsIn(folder: string, sql: string): Promise<DatabaseRow[]> {
  const server = await sharedPostgres();
  const name = new URL(await databaseOf(folder)).pathname.slice(1);
  return await server.ask(name, sql);
}

/** Other nodes leave a task to who had it for half a minute, and that half minute passes here. */
export async function passLeases(folder: string): Promise<void> {
  if (!byFolder.has(folder)) return;
  await rowsIn(folder, "update task set lease_until_ms = 1 where lease_until_ms > 1 returning id");
}

/** The tables of a folder's database in which the text stands. */
export async function tablesWith(folder: string, text: string): Promise<string[]> {
  const listed = await rowsIn(
    folder,
    "select schemaname, tablename from pg_tables where schemaname in ('sluice', 'sluice_log')",
  );
  const looks = listed.map(
    ({ schemaname, tablename }) => `select '${tablename}' as name
      where exists (select 1 from ${schemaname}.${tablename} as one
        where strpos(one::text, '${text.replaceAll("'", "''")}') > 0)`,
  );
  const rows = await rowsIn(folder, looks.join(" union all "));
  return rows.map(({ name }) => String(name));
}

/** A document of the log's program, written beside the gateway of the folder. */
export async function writeLogIn(folder: string, document: string): Promise<void> {
  const store = await openDatabase(await databaseOf(folder));
  await store.writeLog({ documents: [document] });
  await store.close();
}
