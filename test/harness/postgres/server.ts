// A server of PostgreSQL with a folder and a port of its own, which ends with the process that
// started it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "../nodes/free-port.ts";
import { endWithUs } from "../nodes/ends-with-us.ts";

/** PostgreSQL refuses root, so then it runs as nobody. */
const nobody = 65_534;
const startMsMax = 60_000;
const lookMs = 30;

export type DatabaseRow = Readonly<Record<string, unknown>>;

export class PostgresServer implements AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  readonly #bin: string;
  readonly #settings: readonly string[];
  readonly #idle = new Map<string, SQL>();
  #child: ChildProcess | null = null;
  #letBe: () => void = () => {};

  private constructor(bin: string, folder: string, port: number, settings: readonly string[]) {
    this.#bin = bin;
    this.folder = folder;
    this.port = port;
    this.#settings = settings;
    process.once("exit", () => {
      this.#child?.kill("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** `settings` are lines of postgresql.conf, such as `fsync = off`. */
  static async start(bin: string, settings: readonly string[] = []): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "sluice-postgres-"));
    const server = new PostgresServer(reachable(bin, folder), folder, freePort(), settings);
    server.#make();
    await server.begin();
    return server;
  }

  url(database: string): string {
    return `postgres://sluice@127.0.0.1:${this.port}/${database}`;
  }

  async begin(): Promise<void> {
    const child = spawn(
      join(this.#bin, "postgres"),
      ["-D", join(this.folder, "data"), "-p", String(this.port), "-k", ""],
      { ...asNobody(), stdio: "ignore", cwd: this.folder },
    );
    this.#child = child;
    if (child.pid !== undefined) this.#letBe = endWithUs(child.pid, this.folder);
    await this.#answers();
  }

  /** Not all who pack the server pack what copies one. */
  get canBeCopied(): boolean {
    return canCopyServers(this.#bin);
  }

  /** A standby that follows this one from now on. */
  async copy(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "sluice-postgres-"));
    const copy = new PostgresServer(this.#bin, folder, freePort(), this.#settings);
    const data = join(folder, "data");
    if (asNobody().uid !== undefined) chownSync(folder, nobody, nobody);
    const source = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "sluice"];
    const options = ["--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf"];
    const copying = spawn(
      join(this.#bin, "pg_basebackup"),
      [...source, "-D", data, ...options, "--no-sync"],
      { ...asNobody(), stdio: "ignore", cwd: folder },
    );
    const code = await new Promise((resolve) => copying.once("exit", resolve));
    if (code !== 0) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`pg_basebackup ended with ${String(code)}`);
    }
    // The copy does not wait for the standbys of its original.
    appendFileSync(join(data, "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
    await copy.begin();
    return copy;
  }

  /** Without a word to anybody, as a machine that loses its power: the log is read at the start. */
  async stopAtOnce(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  /** Keeps one connection of each database: to open one takes ten times as long as a question. */
  async ask(database: string, sql: string): Promise<DatabaseRow[]> {
    const client = this.#take(database);
    try {
      const rows: Record<string, unknown>[] = await client.unsafe(sql);
      if (this.#child && !this.#idle.has(database)) this.#idle.set(database, client);
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(toCell)));
    } finally {
      if (this.#idle.get(database) !== client) await client.close({ timeout: 0 });
    }
  }

  /** Ends the connection that is kept, for whoever wants the database for themselves. */
  async letGo(database: string): Promise<void> {
    const client = this.#idle.get(database);
    this.#idle.delete(database);
    await client?.close({ timeout: 0 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGQUIT");
    rmSync(this.folder, { recursive: true, force: true });
  }

  #take(database: string): SQL {
    const kept = this.#idle.get(database);
    this.#idle.delete(database);
    if (kept) return kept;
    const client: SQL = new SQL({
      url: this.url(database),
      max: 1,
      bigint: true,
      connection: { search_path: "sluice, sluice_log" },
      onclose: () => {
        if (this.#idle.get(database) === client) this.#idle.delete(database);
      },
    });
    return client;
  }

  #make(): void {
    const data = join(this.folder, "data");
    if (asNobody().uid !== undefined) chownSync(this.folder, nobody, nobody);
    // Its owner stays the same: a server refuses files of others.
    const copied = spawnSync("cp", ["-R", newData(this.#bin, this.folder), data], {
      ...asNobody(),
      cwd: this.folder,
    });
    if (copied.status !== 0) throw new Error(`the new data could not be copied to ${data}`);
    const lines = ["listen_addresses = '127.0.0.1'", "max_connections = 400", ...this.#settings];
    writeFileSync(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
  }

  async #answers(): Promise<void> {
    for (const startedMs = Date.now(); ;) {
      try {
        await this.ask("postgres", "select 1");
        return;
      } catch (error) {
        if (Date.now() - startedMs > startMsMax) throw error;
        await Bun.sleep(lookMs);
      }
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    for (const database of this.#idle.keys()) await this.letGo(database);
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
    this.#letBe();
  }
}

/** Data of a server that has never started, in the folder of one that is still there. */
let unstarted = "";

/** To make them takes twenty times as long as to copy them. */
function newData(bin: string, folder: string): string {
  if (existsSync(unstarted)) return unstarted;
  const data = join(folder, "unstarted");
  const options = ["--username=sluice", "--auth=trust", "--encoding=UTF8", "--no-sync"];
  // Not the order of bytes: what the gateway wants of its texts it has to see to itself.
  const done = spawnSync(join(bin, "initdb"), ["-D", data, "--locale=C.UTF-8", ...options], {
    ...asNobody(),
    encoding: "utf8",
    cwd: folder,
  });
  if (done.status !== 0) throw new Error(`initdb failed: ${done.stderr}`);
  return (unstarted = data);
}

function toCell([column, value]: [string, unknown]): [string, unknown] {
  return [column, typeof value === "bigint" ? Number(value) : value];
}

function asNobody(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/** A checkout in somebody's home cannot be entered by nobody, so what came with it is copied. */
function reachable(bin: string, folder: string): string {
  if (process.getuid?.() !== 0 || bin.startsWith("/usr/")) return bin;
  const copy = join(folder, "native");
  cpSync(join(bin, ".."), copy, { recursive: true, verbatimSymlinks: false });
  return join(copy, "bin");
}

/** Whether a standby can be made with these programs. */
export function canCopyServers(bin: string): boolean {
  return existsSync(join(bin, "pg_basebackup"));
}
