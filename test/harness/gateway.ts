// Starts the real program as a user would, in a process and a data folder of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { bundle } from "../../bin/bundle.mjs";
import { gatewaySettings } from "../../bin/settings.mjs";
import { engineOf, forgetDatabaseOf, isOnPostgres, keepOnFiles } from "./postgres.ts";

export interface GatewayOptions {
  /** Lines of the configuration file. */
  config?: string;
  environment?: Record<string, string>;
  /** A folder that outlives this gateway; by default it has one of its own. */
  folder?: string;
  /** It is about the files of the data folder, so it has them on whatever engine tests run. */
  isOnFiles?: true;
  /** What stands behind `serve`. */
  words?: readonly string[];
  /** The program's entry; that of this repository unless a test has changed a copy of it. */
  entry?: string;
  /** A module that its process loads before the program. */
  preload?: string;
}

export const rootKey = "sk-test-root-key-0123456789abcdef";
export const rootToken = "sat-test-root-token-0123456789abcdef";
const startMsMax = 50_000;
let program: string | undefined;

/** What the control plane answers with. */
export interface Envelope {
  success: boolean;
  message: string;
  data: unknown;
}

export class Gateway implements AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly #process: Subprocess<"ignore", "pipe", "pipe">;
  readonly #ownsFolder: boolean;
  readonly #output: { text: string };

  constructor(facts: {
    url: string;
    folder: string;
    process: Subprocess<"ignore", "pipe", "pipe">;
    ownsFolder: boolean;
    output: { text: string };
  }) {
    this.url = facts.url;
    this.folder = facts.folder;
    this.#process = facts.process;
    this.#ownsFolder = facts.ownsFolder;
    this.#output = facts.output;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Everything the program has written to its output so far. */
  get output(): string {
    return this.#output.text;
  }

  get exited(): Promise<number> {
    return this.#process.exited;
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
    this.#process.kill(signal);
  }

  /** Ends it without warning, as a crash would. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.exited;
  }

  /** Ends it as an operator would; returns the exit code. */
  async stop(): Promise<number> {
    this.#process.kill("SIGTERM");
    return await this.#process.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (!this.#ownsFolder) return;
    rmSync(this.folder, { recursive: true, force: true });
    if (isOnPostgres) await forgetDatabaseOf(this.folder);
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "sluice-test-"));
}

/** The command and environment that `startGateway` runs, for tests that need the process itself. */
export function spawnGateway(options: GatewayOptions, folder: string) {
  const environment: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    ...gatewaySettings,
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
  const entry = options.entry ?? (program ??= bundle());
  const before = options.preload === undefined ? [] : ["--preload", options.preload];
  const words = [...before, entry, "serve", ...(options.words ?? [])];
  return Bun.spawn([process.execPath, "--no-env-file", ...words], {
    env: { ...environment, ...options.environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const folder = options.folder ?? temporaryFolder();
  if (options.isOnFiles) keepOnFiles(folder);
  const environment = { ...(await engineOf(folder)), ...options.environment };
  const process = spawnGateway({ ...options, environment }, folder);
  const output = { text: "" };
  const url = await Promise.race([
    readUrl(process, output),
    process.exited.then((code) => {
      throw new Error(`the gateway ended with ${code}:\n${output.text}`);
    }),
    Bun.sleep(startMsMax).then(() => {
      throw new Error(`the gateway did not start:\n${output.text}`);
    }),
  ]);
  const ownsFolder = options.folder === undefined;
  return new Gateway({ url, folder, process, ownsFolder, output });
}

/** Collects both streams for as long as the process lives; resolves when it says where it is. */
function readUrl(
  process: Subprocess<"ignore", "pipe", "pipe">,
  output: { text: string },
): Promise<string> {
  return new Promise((resolve) => {
    async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        output.text += decoder.decode(chunk, { stream: true });
        const url = /listening on (http:\/\/\S+)/.exec(output.text)?.[1];
        if (url !== undefined) resolve(url);
      }
    }
    void collect(process.stdout);
    void collect(process.stderr);
  });
}
