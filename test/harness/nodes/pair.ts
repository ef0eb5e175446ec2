// Two gateways on one database, the second of them on a machine whose clock is wrong. What one
// tells the other by notices can be made to be lost.
import { join } from "node:path";
import { eventually } from "../books.ts";
import { Folder } from "../folder.ts";
import { startGateway, type Gateway } from "../gateway.ts";
import {
  clusterSecret,
  dropDatabase,
  newDatabase,
  sharedPostgres,
  type DatabaseRow,
} from "../postgres.ts";

interface PairOptions {
  /** Lines of the configuration of both; they declare no media. */
  config?: string;
  /** Within the section of media. */
  media?: string;
  environment?: Record<string, string>;
}

const wrongClock = join(import.meta.dir, "..", "time", "wrong-clock.ts");

export class Pair implements AsyncDisposable {
  readonly url: string;
  readonly one: Gateway;
  /** Its clock is two hours behind. */
  readonly other: Gateway;
  readonly #folder: Folder;

  private constructor(url: string, [one, other]: [Gateway, Gateway], folder: Folder) {
    this.url = url;
    this.one = one;
    this.other = other;
    this.#folder = folder;
  }

  static async start({ config = "", media = "", environment = {} }: PairOptions): Promise<Pair> {
    const url = await newDatabase();
    const folder = new Folder();
    const lines = `sandbox: "off"\nmedia: { shared_folder: "${folder.path}"${media} }\n${config}`;
    const shared = { SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret, ...environment };
    const nodes = await Promise.all([
      startGateway({ config: lines, environment: shared }),
      startGateway({ config: lines, environment: shared, preload: wrongClock }),
    ]);
    return new Pair(url, nodes, folder);
  }

  async rows(sql: string): Promise<DatabaseRow[]> {
    return await (await sharedPostgres()).ask(new URL(this.url).pathname.slice(1), sql);
  }

  /** An account whose key both know. */
  async customer(micros: number) {
    const payer = await this.one.customer(micros);
    await eventually("the key on the other node", async () => {
      const { status } = await this.other.get("/v1/models", payer.key);
      return status === 200 ? true : undefined;
    });
    return payer;
  }

  /** No notice arrives any more, until what is returned is called. */
  async mute(): Promise<() => Promise<void>> {
    const define = (body: string) =>
      this.rows(`create or replace function pg_catalog.pg_notify(text, text) returns void ${body}`);
    await define("language sql as ''");
    return async () => {
      await define("language internal volatile strict parallel restricted as 'pg_notify'");
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of [this.one, this.other]) await node[Symbol.asyncDispose]();
    await dropDatabase(this.url);
    this.#folder[Symbol.dispose]();
  }
}
