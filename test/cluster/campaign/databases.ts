// The server that all nodes write to, and a synchronous standby that takes its place when it dies.
import { PostgresServer, type DatabaseRow } from "../../harness/postgres/server.ts";

export const database = "campaign";

const settings = ["wal_retrieve_retry_interval = '100ms'", "checkpoint_timeout = '30s'"];
const pauseMs = 50;
const triesMax = 600;

export class Databases implements AsyncDisposable {
  #primary: PostgresServer;
  #standby: PostgresServer | null = null;
  #copying: Promise<void> = Promise.resolve();
  #isOver = false;

  private constructor(primary: PostgresServer) {
    this.#primary = primary;
  }

  static async open(bin: string, hasStandby: boolean, isSynced: boolean): Promise<Databases> {
    const sync = `fsync = ${isSynced ? "on" : "off"}`;
    const primary = await PostgresServer.start(bin, [...settings, sync]);
    const databases = new Databases(primary);
    await primary.ask("postgres", `create database ${database}`);
    if (hasStandby && primary.canBeCopied) databases.#copying = databases.#addStandby();
    await databases.#copying;
    return databases;
  }

  get port(): number {
    return this.#primary.port;
  }

  get url(): string {
    return this.#primary.url(database);
  }

  get hasStandby(): boolean {
    return this.#standby !== null;
  }

  async ask(sql: string): Promise<DatabaseRow[]> {
    return await this.persist(() => this.#primary.ask(database, sql));
  }

  /** A server that is down comes back, so whoever only reads tries again. */
  async persist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === triesMax || this.#isOver) throw error;
        await Bun.sleep(pauseMs);
      }
    }
  }

  /** Without a word to anybody; what was committed is read from its log. */
  async stopAtOnce(): Promise<void> {
    await this.#primary.stopAtOnce();
    await this.#primary.begin();
  }

  /** The primary never comes back; false where there is nobody to take its place. */
  async failOver(): Promise<boolean> {
    await this.#copying;
    const [dead, next] = [this.#primary, this.#standby];
    if (!next) return false;
    await this.#follows();
    await dead.stopAtOnce();
    await next.ask("postgres", "select pg_promote(true)");
    this.#primary = next;
    this.#standby = null;
    await dead[Symbol.asyncDispose]();
    this.#copying = this.#addStandby();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#copying.catch(() => {});
    await this.#standby?.[Symbol.asyncDispose]();
    await this.#primary[Symbol.asyncDispose]();
  }

  /** From here on no commit is answered before the standby has it. */
  async #addStandby(): Promise<void> {
    this.#standby = await this.persist(() => this.#primary.copy());
    await this.persist(async () => {
      await this.#primary.ask("postgres", "alter system set synchronous_standby_names = '*'");
      await this.#primary.ask("postgres", "select pg_reload_conf()");
    });
    await this.#follows();
  }

  async #follows(): Promise<void> {
    await this.persist(async () => {
      const sql = "select 1 from pg_stat_replication where sync_state in ('sync', 'quorum')";
      const rows = await this.#primary.ask("postgres", sql);
      if (rows.length === 0) throw new Error("the standby does not follow");
    });
  }
}
