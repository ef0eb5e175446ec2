// The two ends of a move: a data folder, or a database of PostgreSQL.
import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { assertUnowned } from "../../app/folder/owner.ts";
import { logProgram, mainPrograms } from "../../app/programs.ts";
import { oldestLogReader, usageLogMigrations } from "../../observe/versions/queries.ts";
import { createDatabase, type Database } from "../../store/database.ts";
import { peekDatabase, peekFolder, type Peeked } from "../../store/move/peek.ts";
import { openPostgres } from "../../store/postgres/open.ts";
import { mainFile, openSqlite } from "../../store/sqlite/open.ts";
import type { Store } from "../../store/store.ts";
import { ControlError } from "../control-client.ts";

export type MovePlace =
  | { kind: "folder"; folder: string; shown: string }
  | { kind: "database"; url: string; shown: string };

export interface MoveEnd {
  place: MovePlace;
  store: Store;
  database: Database;
}

const isDatabase = /^postgres(?:ql)?:\/\//;

/** `text` is an address of PostgreSQL, a folder, or the file of the main database in one. */
export function toPlace(text: string): MovePlace {
  if (isDatabase.test(text)) return databasePlace(text);
  if (/^\w+:\/\//.test(text)) {
    throw new ControlError("--to names a database as postgres://..., or a data folder");
  }
  const path = resolve(text);
  const folder = basename(path) === mainFile ? dirname(path) : path;
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new ControlError(`${folder} is a file: --to names a data folder`);
  }
  return { kind: "folder", folder, shown: folder };
}

/** Shown without its credentials. */
export function databasePlace(text: string): MovePlace {
  const url = URL.parse(text);
  if (!url) throw new ControlError("--to is no address: postgres://user:password@host/database");
  return { kind: "database", url: text, shown: `${url.protocol}//${url.host}${url.pathname}` };
}

export async function peekPlace(place: MovePlace): Promise<Peeked> {
  return place.kind === "folder" ? await peekFolder(place.folder) : await peekDatabase(place.url);
}

/** Takes the lock of a folder and what its journal still has; fails while somebody uses it. */
export async function openPlace(place: MovePlace): Promise<MoveEnd> {
  const store = place.kind === "folder" ? await openFiles(place.folder) : await openRows(place.url);
  return { place, store, database: createDatabase(store) };
}

async function openRows(url: string): Promise<Store> {
  const log = {
    program: logProgram,
    migrations: usageLogMigrations,
    oldestReader: oldestLogReader,
  };
  return await openPostgres({ url, programs: mainPrograms, log });
}

async function openFiles(folder: string): Promise<Store> {
  await assertUnowned(folder);
  const faults: string[] = [];
  const store = await openSqlite({
    folder,
    programs: mainPrograms,
    log: {
      program: logProgram,
      migrations: usageLogMigrations,
      onFault: (error) => void (error && faults.push(error.message)),
      onLost: (_count, error) => void faults.push(error.message),
    },
    onRejected: (_run, error) => void faults.push(error.message),
    onOrphaned: () => void faults.push("records went with the power"),
    onDamaged: (error) => void faults.push(error.message),
  });
  await store.applied();
  await store.logApplied();
  const [fault] = faults;
  if (fault === undefined) return store;
  await store.close();
  throw new ControlError(`the journal of ${folder} could not be taken over: ${fault}`);
}
