// Two gateways on one database, the second of them on a machine whose clock is wrong. What one
// tells the other by notices can be made to be lost.
import { eventually } from "../books.ts";
import { DeafWire } from "../postgres/deaf-wire.ts";
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

export class Pair implements AsyncDisposable {
  readonly url: string;
  readonly one: Gateway;
  /** Its clock is two hours behind. */
  readonly other: Gateway;
  /** Deaf, it loses every notice. */
  readonly wire: DeafWire;
  readonly #folder: Folder;

  private constructor(
    { url, folder, wire }: { url: string; folder: Folder; wire: DeafWire },
    [one, other]: [Gateway, Gateway],
  ) {
    this.url = url;
    this.one = one;
    this.other = other;
    this.wire = wire;
    this.#folder = folder;
  }

  static async start({ config = "", media = "", environment = {} }: PairOptions): Promise<Pair> {
    const url = await newDatabase();
    const folder = new Folder();
    const lines = `sandbox: "off"\nmedia: { shared_folder: "${folder.path}"${media} }\n${config}`;
    const wire = await DeafWire.open(Number(new URL(url).port));
    const way = wire.through(url);
    const shared = {
      SLUICE_DATABASE_URL: way,
      SLUICE_SECRET: clusterSecret,
      SLUICE_MEDIA_FOLDER: folder.path,
      ...environment,
    };
    const nodes = await Promise.all([
      startGateway({ config: lines, environment: shared }),
      startGateway({ config: lines, environment: shared, isBehind: true }),
    ]);
    return new Pair({ url, folder, wire }, nodes);
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

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of [this.one, this.other]) await node[Symbol.asyncDispose]();
    this.wire[Symbol.dispose]();
    await dropDatabase(this.url);
    this.#folder[Symbol.dispose]();
  }
}
