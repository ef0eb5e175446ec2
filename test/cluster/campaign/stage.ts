// Everything that the campaign plays on: nodes with their wires, the databases, Redis, the vendors,
// and those who pay.
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import type { JobLine } from "../../../sandbox/jobs.ts";
import { startSandbox, type Sandbox } from "../../../sandbox/server.ts";
import { markIn } from "../../crash/tasks/load.ts";
import { offersConfig } from "../../crash/tasks/offers.ts";
import { Painters } from "../../crash/tasks/painters.ts";
import { eventually } from "../../harness/books.ts";
import { Folder } from "../../harness/folder.ts";
import type { Gateway } from "../../harness/gateway.ts";
import { clusterSecret } from "../../harness/postgres.ts";
import { openRedis, type Redis } from "../../harness/redis.ts";
import type { Vendor } from "../../harness/vendor.ts";
import { addBudgets, type NearBudget } from "./budgets.ts";
import { Databases, database } from "./databases.ts";
import { chatModels, flatMicros, startChatVendor } from "./load.ts";
import { CampaignNode } from "./node.ts";
import type { Payer } from "./seen.ts";
import { NodeWire } from "./wire.ts";

export interface StageOptions {
  /** The folder of the programs of PostgreSQL. */
  bin: string;
  nodes: number;
  leaseMs: number;
  payers: number;
  hasStandby: boolean;
  hasRedis: boolean;
  /** Sync like in production, where every commit reaches the disk. */
  isSynced: boolean;
  /** The program's entry; that of this repository unless it is a mutant. */
  entry?: string;
}

const richMicros = 1e12;
const limitedMicros = 12 * flatMicros;

export class Stage implements AsyncDisposable {
  readonly nodes: CampaignNode[] = [];
  readonly payers: Payer[] = [];
  /** Budgets near their ends. */
  readonly budgets: NearBudget[] = [];
  readonly databases: Databases;
  readonly redis: Redis | null;
  /** Requests that the vendor has and never answers. */
  longBegun = 0;
  readonly #sandbox: Sandbox;
  readonly #painters: Painters;
  readonly #vendor: Vendor = startChatVendor(() => void this.longBegun++);
  readonly #media = new Folder();
  readonly #options: StageOptions;

  private constructor(options: StageOptions, databases: Databases, redis: Redis | null) {
    this.#options = options;
    this.databases = databases;
    this.redis = redis;
    this.#sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers });
    this.#painters = new Painters(this.#sandbox.url);
  }

  /** `lost` is called for each answer of the database that a wire has lost. */
  static async open(options: StageOptions, lost: () => void): Promise<Stage> {
    const { bin, hasStandby, isSynced } = options;
    const databases = await Databases.open(bin, hasStandby, isSynced);
    const opened = options.hasRedis ? await openRedis() : { missing: "not wanted" };
    const stage = new Stage(options, databases, "redis" in opened ? opened.redis : null);
    try {
      await stage.#begin(lost);
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
    return stage;
  }

  /** Any that is up, mostly a well one; null while there is none. */
  anyNode(): Gateway | null {
    const well = this.nodes.filter(({ isWell }) => isWell);
    const nodes = well.length === 0 || Math.random() < 0.05 ? this.nodes : well;
    return nodes[Math.floor(Math.random() * nodes.length)]?.gateway ?? null;
  }

  /** Works of the vendors, however often made. */
  async marksMade(): Promise<string[]> {
    await this.#painters.settled();
    const response = await fetch(`${this.#sandbox.url}/sandbox/jobs`);
    const jobs = [...((await response.json()) as JobLine[]), ...this.#painters.made];
    return jobs.map(({ prompt }) => markIn(prompt));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) await node[Symbol.asyncDispose]();
    await this.databases[Symbol.asyncDispose]();
    await this.redis?.[Symbol.asyncDispose]();
    this.#vendor[Symbol.dispose]();
    await this.#painters[Symbol.asyncDispose]();
    await this.#sandbox.close();
    this.#media[Symbol.dispose]();
  }

  async #begin(lost: () => void): Promise<void> {
    for (let at = 0; at < this.#options.nodes; at++) {
      const wire = await NodeWire.open(() => this.databases.port, lost);
      const options = this.#gatewayOptions(wire);
      const node = new CampaignNode({ databases: this.databases, wire, options });
      this.nodes.push(node);
    }
    // The first one makes the tables.
    await this.nodes[0]?.start();
    await Promise.all(this.nodes.slice(1).map((node) => node.start()));
    await this.#furnish();
  }

  #gatewayOptions(wire: NodeWire) {
    const { entry, leaseMs } = this.#options;
    const urls = { sandbox: this.#sandbox.url, painters: this.#painters.url };
    const config = `${offersConfig(urls)}
journal: { lease_ms: ${leaseMs} }
media: { shared_folder: ${this.#media.path} }
`;
    const environment = {
      SLUICE_DATABASE_URL: `postgres://sluice@127.0.0.1:${wire.port}/${database}`,
      SLUICE_SECRET: clusterSecret,
      ...(this.redis && { SLUICE_REDIS_URL: this.redis.url }),
    };
    return { config, environment, ...(entry !== undefined && { entry }) };
  }

  async #furnish(): Promise<void> {
    const gateway = this.nodes[0]?.gateway;
    if (!gateway) throw new Error("there is no node");
    for (const { model, price } of chatModels) {
      await gateway.control("POST", "/api/price", { model, ...price });
    }
    const models = chatModels.map(({ model }) => model);
    await gateway.control("POST", "/api/channel", this.#vendor.channel({ name: "only", models }));
    for (let at = 0; at < this.#options.payers; at++) {
      this.payers.push(await this.#addPayer(gateway, at));
    }
    await Promise.all(this.nodes.map((node) => this.#knows(node)));
  }

  async #addPayer(gateway: Gateway, at: number): Promise<Payer> {
    const isRich = at === 0;
    const micros = isRich ? richMicros : flatMicros * (5 + at * 3) + at;
    const free = await gateway.customer(micros, { requests_per_minute: 1_000_000 });
    const { username } = await gateway.control<{ username: string }>("GET", `/api/user/${free.id}`);
    const limited = await gateway.control<{ id: string; key: string }>("POST", "/api/token", {
      name: `limited ${at}`,
      account: username,
      // Budgets bind the rich one's instead.
      ...(!isRich && { quota_micros: limitedMicros }),
    });
    if (isRich) this.budgets.push(...(await addBudgets(gateway, username, `limited ${at}`)));
    return { id: free.id, isRich, keys: [{ id: free.keyId, key: free.key }, limited] };
  }

  /** A change by one node holds on the others a little later. */
  async #knows({ gateway }: CampaignNode): Promise<void> {
    const last = this.payers.at(-1)?.keys[1].key ?? "";
    await eventually("the last key and the channel", async () => {
      const response = await gateway?.get("/v1/models", last);
      const text = (await response?.text()) ?? "";
      return response?.status === 200 && text.includes('"flat"') ? true : undefined;
    });
  }
}
