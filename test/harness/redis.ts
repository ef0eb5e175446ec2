// A real Redis or Valkey on a port of its own. REDIS_BIN names one; else the path is searched; else
// Debian's is installed, where that is possible. Tests say what they do without.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RedisClient, type Subprocess } from "bun";
import { installByApt } from "./apt.ts";
import { freePort } from "./nodes/free-port.ts";
import { endWithUs } from "./nodes/ends-with-us.ts";

const installMsMax = 240_000;
const startMsMax = 20_000;
const databasesMax = 4096;

/** Time that a test has to wait at most where it is installed first. */
export const redisMsMax = installMsMax + startMsMax;

/** Opened for the caller to end; `missing` says in a sentence why there is none. */
export async function openRedis(): Promise<{ redis: Redis } | { missing: string }> {
  const program = await findProgram();
  if ("missing" in program) return program;
  const redis = new Redis(program.path, freePort());
  await redis.start();
  return { redis };
}

/** Reason why there is no Redis or Valkey, or null. */
export async function whyNoRedis(): Promise<string | null> {
  const program = await findProgram();
  return "missing" in program ? program.missing : null;
}

export class Redis implements AsyncDisposable {
  readonly url: string;
  readonly #program: string;
  readonly #port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "sluice-redis-"));
  #process: Subprocess<"ignore", "pipe", "ignore"> | null = null;
  #letBe: () => void = () => {};

  constructor(program: string, port: number) {
    this.#program = program;
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** On the same port as before, with nothing in it. */
  async start(): Promise<void> {
    const place = ["--port", String(this.#port), "--bind", "127.0.0.1"];
    const settings = [...place, "--save", "", "--databases", String(databasesMax)];
    const child = Bun.spawn([this.#program, ...settings, "--dir", this.#folder], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#process = child;
    this.#letBe = endWithUs(child.pid, this.#folder);
    const late = AbortSignal.timeout(startMsMax);
    let output = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk;
      if (/ready to accept connections/i.test(output)) return;
      if (late.aborted) break;
    }
    throw new Error(`Redis did not start:\n${output}`);
  }

  /** Kill like a crash. */
  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
    this.#process = null;
    this.#letBe();
  }

  /** Frozen: connections stay, and nothing is answered. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#process?.kill(signal);
  }

  async send(command: string, values: string[]): Promise<unknown> {
    const client = new RedisClient(this.url);
    try {
      return await client.send(command, values);
    } finally {
      client.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

type Program = { path: string } | { missing: string };

let finding: Promise<Program> | null = null;

async function findProgram(): Promise<Program> {
  finding ??= find();
  return await finding;
}

async function find(): Promise<Program> {
  const path = onPath();
  if (path !== null) return { path };
  const missing = await installByApt("Redis for the tests that need it", {
    names: ["redis-server"],
    msMax: installMsMax,
  });
  const installed = onPath();
  if (installed !== null) return { path: installed };
  return { missing: missing ?? "apt-get installed none" };
}

function onPath(): string | null {
  const programs = [process.env["REDIS_BIN"] ?? "", "valkey-server", "redis-server"];
  for (const name of programs) {
    const path = name === "" ? null : Bun.which(name);
    if (path !== null) return path;
  }
  return null;
}
