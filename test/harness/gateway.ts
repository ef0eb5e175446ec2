// Starts the gateway in a data folder of its own: within the test's process, or as a user would in
// one of its own where a process is what is tested; on PostgreSQL two of them, behind a balancer.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewaySettings } from "../../bin/settings.mjs";
import { systemThreads } from "../../src/store/sqlite/open.ts";
import { placeTables } from "../../src/store/sqlite/fixtures/ready-folder.ts";
import { agreement, metricsAt, noteNodes, sumMetrics, written } from "./nodes/agreement.ts";
import { Balancer } from "./nodes/balancer.ts";
import { startHere, type HereOptions } from "./nodes/node-here.ts";
import { started, type Output, type StartedNode } from "./nodes/started-node.ts";
import type { ReasonForOneProcess } from "./nodes/one-process.ts";
import { bundledWords, programWords } from "./nodes/program.ts";
import { redisOf } from "./nodes/shared-redis.ts";
import { engineOf, forgetDatabaseOf, isOnPostgres, keepOnFiles, passLeases } from "./postgres.ts";
import { behindMs } from "./time/behind.ts";
import { MovableTime } from "./time/movable-time.ts";

export interface GatewayOptions {
  /** Lines of the configuration file. */
  config?: string;
  environment?: Record<string, string>;
  /** A folder that outlives this gateway; by default it has one of its own. */
  folder?: string;
  /** It is about the files of the data folder, so it has them on whatever engine tests run. */
  isOnFiles?: true;
  /** It is about a process: how that ends, its signals, its memory, what it reads at its start. */
  isProcess?: true;
  /** Words behind `serve`. */
  words?: readonly string[];
  /** Behind a balancer it has to be told under which address: providers send people there. */
  needsPublicUrl?: true;
  /** Reason for one node where others have two. */
  oneProcess?: ReasonForOneProcess;
  /** The program's entry; that of this repository unless a test has changed a copy of it. */
  entry?: string;
  /** Its machine has the wrong time. */
  isBehind?: true;
}

export const rootKey = "sk-test-root-key-0123456789abcdef";
export const rootToken = "sat-test-root-token-0123456789abcdef";

/** The control plane's envelope. */
export interface Envelope {
  success: boolean;
  message: string;
  data: unknown;
}

interface GatewayFacts {
  folder: string;
  ownsFolder: boolean;
  nodes: readonly StartedNode[];
  output: Output;
  /** In front of its nodes, where it has several. */
  balancer: Balancer | null;
}

export class Gateway implements AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly #facts: GatewayFacts;
  #isOver = false;

  constructor(facts: GatewayFacts) {
    this.url = facts.balancer?.url ?? facts.nodes[0]?.url ?? "";
    this.folder = facts.folder;
    this.#facts = facts;
  }

  /** The data folder of each of its nodes. */
  get folders(): string[] {
    return this.#facts.nodes.map((_, at) => folderOf(this.folder, at));
  }

  /** Addresses of its nodes. */
  get nodeUrls(): string[] {
    return this.#facts.nodes.map(({ url }) => url);
  }

  /** Its first node alone, past the balancer: for what each node knows or counts for itself. */
  get first(): Gateway {
    const nodes = this.#facts.nodes.slice(0, 1);
    return new Gateway({ ...this.#facts, nodes, balancer: null, ownsFolder: false });
  }

  /** Ids of its processes. */
  get pids(): number[] {
    return this.#facts.nodes.map(({ pid }) => pid);
  }

  /** Everything the program has written to its output so far. */
  get output(): string {
    return this.#facts.output.text;
  }

  /** The highest exit code of its processes, once all have ended. */
  get exited(): Promise<number> {
    return this.#ended();
  }

  async #ended(): Promise<number> {
    const codes = await Promise.all(this.#facts.nodes.map(({ exited }) => exited));
    return Math.max(...codes);
  }

  /** Counters of its nodes, together. */
  async metrics(): Promise<string> {
    return sumMetrics(await Promise.all(this.nodeUrls.map(metricsAt)));
  }

  /** Waits until all of its nodes know what one of them knows. */
  async agreed(): Promise<void> {
    await agreement(this.nodeUrls);
  }

  /** A request with a key; the root's unless another one is given. */
  async post(path: string, body: unknown, key: string = rootKey): Promise<Response> {
    return await fetch(this.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  async get(path: string, key: string = rootKey): Promise<Response> {
    return await fetch(this.url + path, { headers: { authorization: `Bearer ${key}` } });
  }

  /** A call of the control plane with the root's token; throws what it answers when it fails. */
  async control<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const envelope = await this.controlEnvelope(method, path, body);
    if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`);
    return envelope.data as Data;
  }

  async controlEnvelope(
    method: string,
    path: string,
    body?: unknown,
    token: string = rootToken,
  ): Promise<Envelope> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Envelope;
  }

  /** An account with this much money and one key of it. */
  async customer(
    micros: number,
    key: object = {},
  ): Promise<{ id: string; key: string; keyId: string }> {
    const username = `customer-${crypto.randomUUID().slice(0, 8)}`;
    const account = await this.control<{ id: string }>("POST", "/api/user", {
      username,
      password: "correct horse battery",
      quota_micros: micros,
    });
    const made = await this.control<{ id: string; key: string }>("POST", "/api/token", {
      name: `key of ${username}`.slice(0, 60),
      account: username,
      ...key,
    });
    return { id: account.id, key: made.key, keyId: made.id };
  }

  signal(signal: NodeJS.Signals): void {
    for (const node of this.#facts.nodes) node.signal(signal);
  }

  /** Ends its processes without warning, as a crash would; another may go on in its folder. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.#drop();
  }

  async #drop(): Promise<void> {
    await Promise.all(this.#facts.nodes.map((node) => node.drop()));
    await this.#closeBalancer();
    if (!this.#facts.ownsFolder) await passLeases(this.folder);
  }

  /** Lets time pass for it: what is due by then has happened. Not where it has processes. */
  pass(seconds: number): void {
    for (const node of this.#facts.nodes) node.pass(seconds);
  }

  /** Ends it as an operator would; returns the exit code. */
  async stop(): Promise<number> {
    this.signal("SIGTERM");
    const code = await this.#ended();
    await this.#closeBalancer();
    return code;
  }

  async #closeBalancer(): Promise<void> {
    const { balancer } = this.#facts;
    if (balancer && !this.#isOver) noteNodes(this.folder, []);
    this.#isOver = true;
    await balancer?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#drop();
    if (!this.#facts.ownsFolder) return;
    rmSync(this.folder, { recursive: true, force: true });
    if (isOnPostgres) await forgetDatabaseOf(this.folder);
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "sluice-test-"));
}

/** The variables of a gateway, with its configuration in a file of its folder. */
function environmentOf(options: GatewayOptions, folder: string): Record<string, string> {
  const environment: Record<string, string> = {
    HOST: "127.0.0.1",
    PORT: "0",
    SLUICE_DATA: folder,
    SLUICE_ROOT_KEY: rootKey,
    SLUICE_ROOT_TOKEN: rootToken,
    SLUICE_ROOT_PASSWORD: "root password for tests",
    // Nodes must say where all of them find results; only tests of several nodes need one place.
    ...(options.environment?.["SLUICE_DATABASE_URL"] && {
      SLUICE_MEDIA_FOLDER: join(folder, "media"),
    }),
  };
  if (options.config !== undefined) {
    const path = join(folder, "sluice.yaml");
    writeFileSync(path, options.config);
    environment["SLUICE_CONFIG"] = path;
  }
  return { ...environment, ...options.environment };
}

const wrongClock = join(import.meta.dir, "time", "wrong-clock.ts");

/** The process that `startGateway` runs, for tests that need the process itself. */
export function spawnGateway(options: GatewayOptions, folder: string) {
  const { entry, isBehind = false, words = [] } = options;
  const isChanged = entry !== undefined || isBehind;
  const before = isBehind ? wrongClock : undefined;
  const program = isChanged ? bundledWords(entry, before) : programWords();
  return Bun.spawn([...program, "serve", ...words], {
    env: {
      PATH: process.env["PATH"] ?? "",
      ...gatewaySettings,
      ...environmentOf(options, folder),
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** The program as a user starts it, where a process is what is tested. */
export function startProcess(options: GatewayOptions = {}): Promise<Gateway> {
  return startGateway({ ...options, isProcess: true });
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const folder = options.folder ?? temporaryFolder();
  if (options.isOnFiles) keepOnFiles(folder);
  const engine = await engineOf(folder);
  const isAlone =
    options.oneProcess !== undefined ||
    engine["SLUICE_DATABASE_URL"] === undefined ||
    options.environment?.["SLUICE_DATABASE_URL"] !== undefined;
  const urls: string[] = [];
  const token = options.environment?.["SLUICE_ROOT_TOKEN"] ?? rootToken;
  const balancer = isAlone ? null : await balancerBefore(urls, token);
  const environments = balancer ? await environmentsOf(folder, engine) : [engine];
  const output: Output = { text: "" };
  const each = environments.map((environment) => {
    const all = { ...environment, ...options.environment };
    if (options.needsPublicUrl && balancer) all["SLUICE_PUBLIC_URL"] = balancer.url;
    return { ...options, environment: all };
  });
  const nodes = await startAll(each, folder, output).catch(async (error: unknown) => {
    await balancer?.[Symbol.asyncDispose]();
    throw error;
  });
  urls.push(...nodes.map(({ url }) => url));
  if (balancer) noteNodes(folder, urls);
  const ownsFolder = options.folder === undefined;
  return new Gateway({ folder, ownsFolder, nodes, output, balancer });
}

async function startAll(
  each: readonly GatewayOptions[],
  folder: string,
  output: Output,
): Promise<StartedNode[]> {
  if (each.every(isWithin)) {
    // Made later, by the first command, it would keep nodes waiting beyond their leases.
    if (each.some(isNode)) programWords();
    else placeTables(folder);
    return await Promise.all(
      each.map((options) => startHere(environmentOf(options, folder), output, partsOf(options))),
    );
  }
  const children = each.map((options) => spawnGateway(options, folder));
  return await Promise.all(children.map((child) => started(child, output))).catch((error) => {
    for (const child of children) child.kill("SIGKILL");
    throw error;
  });
}

/** A thread that rests lets go of its files a moment after it has closed them. */
function partsOf({ isOnFiles, isBehind }: GatewayOptions): HereOptions {
  return {
    ...(isOnFiles && { threads: systemThreads }),
    ...(isBehind && { time: new MovableTime(-behindMs) }),
  };
}

/** Variables that the runtime reads for itself, once, at the start of a process. */
export const isOfRuntime = (name: string) => /^(?:NODE_|BUN_|SSL_|TZ$)/.test(name);

/** Nodes that share a database have nothing else in common, in one process or in two. */
export const areNodesProcesses = process.env["SLUICE_TEST_NODES"] === "processes";

const isNode = ({ environment }: GatewayOptions) =>
  environment?.["SLUICE_DATABASE_URL"] !== undefined;

/** Whether the test's own process will do. */
function isWithin({ environment = {}, ...options }: GatewayOptions): boolean {
  const { isProcess, words, entry, oneProcess } = options;
  const isProgram = isProcess || words || entry !== undefined;
  const isHeldApart = areNodesProcesses && isNode({ environment }) && oneProcess === undefined;
  return !isProgram && !isHeldApart && !Object.keys(environment).some(isOfRuntime);
}

/** The nodes come later: they may have to know where they are reached. */
function balancerBefore(urls: readonly string[], token: string): Promise<Balancer> {
  return Balancer.listening({
    ports: () => urls.map((url) => Number(new URL(url).port)),
    agreed: () => agreement(urls),
    written: () => written(urls, token),
  });
}

/**
 * Environments of two nodes, the second of which has a folder of its own within the first one's.
 */
async function environmentsOf(
  folder: string,
  engine: Record<string, string>,
): Promise<Record<string, string>[]> {
  const redis = await redisOf(folder);
  const shared = { ...engine, ...redis, SLUICE_MEDIA_FOLDER: join(folder, "media") };
  return [shared, { ...shared, SLUICE_DATA: folderOf(folder, 1) }];
}

function folderOf(folder: string, node: number): string {
  return node === 0 ? folder : join(folder, "second");
}
