// The servers that are compared. Each starts as its users start it and proves with one request and
// one stream that it serves before anything is measured.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPostgres } from "../../test/harness/postgres/find.ts";
import { PostgresServer } from "../../test/harness/postgres/server.ts";
import { bundle } from "../../bin/bundle.mjs";
import { gatewaySettings } from "../../bin/settings.mjs";
import { findFreePort, readPort, startChild, startScript, waitUntilReady } from "../children.ts";
import { clientWires } from "../measure/client-wires.ts";
import { models } from "../measure/workload.ts";
import type { TargetName } from "../options.ts";
import { configureGateway } from "./gateway-setup.ts";
import { prove } from "./prove.ts";
import type { Target } from "./target.ts";

interface TargetOptions {
  readonly vendorPort: number;
  /** Data and logs of one run; removed at the end. */
  readonly folder: string;
  /** Folder of another version of this gateway. */
  readonly against: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const portkeyVersion = "1.15.2";

const benchFolder = join(import.meta.dir, "..");
export const rootKey = "sk-bench-0123456789abcdef0123456789abcdef";
export const rootToken = "sat-bench-0123456789abcdef0123456789abcdef";
const starters = {
  gateway: startGateway,
  postgres: startOnPostgres,
  traced: startTraced,
  before: startBefore,
  bare: startBare,
  portkey: startPortkey,
} as const;

export async function startTarget(name: TargetName, options: TargetOptions): Promise<Target> {
  const target = await starters[name](options);
  await prove(target, { wire: clientWires.chat, model: models.chat });
  return target;
}

async function startGateway({ vendorPort, folder }: TargetOptions): Promise<Target> {
  return await startOne("gateway", { vendorPort, folder }, bundle());
}

/** The same with traces on: the collector takes them and keeps nothing. */
async function startTraced({ vendorPort, folder }: TargetOptions): Promise<Target> {
  const collectorPort = await readPort(startScript("collector.ts", []));
  const own = mkdtempSync(join(folder, "traced-"));
  const environment = { SLUICE_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` };
  return await startOne("traced", { vendorPort, folder: own }, bundle(), environment);
}

/** The same as a node of a cluster, alone; the CPU of the database is not counted. */
async function startOnPostgres({ vendorPort, folder }: TargetOptions): Promise<Target> {
  const programs = await findPostgres();
  if ("missing" in programs) throw new Error(programs.missing);
  const server = await PostgresServer.start(programs.bin);
  const own = mkdtempSync(join(folder, "postgres-"));
  const environment = {
    SLUICE_DATABASE_URL: server.url("postgres"),
    SLUICE_SECRET: "bench-0123456789abcdef0123456789abcdef",
    SLUICE_MEDIA_FOLDER: join(own, "media"),
  };
  return await startOne("postgres", { vendorPort, folder: own }, bundle(), environment);
}

/** The other checkout makes its own bundle, and tells Bun what its own users' gateway does. */
async function startBefore({ vendorPort, folder, against }: TargetOptions): Promise<Target> {
  if (against === undefined) throw new Error("--against names no folder");
  const script = (name: string) => pathToFileURL(join(against, "bin", name)).href;
  const made: { bundle(): string } = await import(script("bundle.mjs"));
  const settings: { gatewaySettings: Record<string, string> } = await import(
    script("settings.mjs")
  );
  const unset = Object.fromEntries(Object.keys(gatewaySettings).map((name) => [name, undefined]));
  const own = mkdtempSync(join(folder, "before-"));
  const environment = { ...unset, ...settings.gatewaySettings };
  return await startOne("before", { vendorPort, folder: own }, made.bundle(), environment);
}

async function startOne(
  name: TargetName,
  { vendorPort, folder }: Omit<TargetOptions, "against">,
  program: string,
  environment: Environment = {},
): Promise<Target> {
  const { pid, port } = await launchGateway(folder, environment, program);
  const origin = `http://127.0.0.1:${port}`;
  const key = await configureGateway({ origin, rootToken, vendorPort });
  return { name, pid, port, headers: { Authorization: `Bearer ${key}` } };
}

/** A gateway with a data folder of its own; the root key is the only one that there is. */
export async function launchGateway(
  folder: string,
  environment: Environment,
  program: string = bundle(),
): Promise<Pick<Target, "pid" | "port">> {
  const port = findFreePort();
  const child = startChild([process.execPath, "--no-env-file", program, "serve"], {
    logPath: join(folder, "gateway.log"),
    environment: {
      ...gatewaySettings,
      HOST: "127.0.0.1",
      PORT: String(port),
      SLUICE_DATA: join(folder, "data"),
      SLUICE_ROOT_KEY: rootKey,
      SLUICE_ROOT_TOKEN: rootToken,
      SLUICE_SANDBOX: "off",
      ...environment,
    },
  });
  await waitUntilReady(child, `http://127.0.0.1:${port}/readyz`);
  return { pid: child.pid, port };
}

async function startBare({ vendorPort }: TargetOptions): Promise<Target> {
  // Bun's default allows no more than 256 requests of `fetch` at once.
  const environment = { BUN_CONFIG_MAX_HTTP_REQUESTS: "65535" };
  const child = startScript("bare-proxy.ts", [`http://127.0.0.1:${vendorPort}`], { environment });
  const port = await readPort(child);
  return { name: "bare", pid: child.pid, port, headers: { Authorization: "Bearer sk-vendor" } };
}

async function startPortkey({ vendorPort, folder }: TargetOptions): Promise<Target> {
  const packageFolder = join(benchFolder, "node_modules", "@portkey-ai", "gateway");
  const manifest = Bun.file(join(packageFolder, "package.json"));
  if (!(await manifest.exists())) throw new Error("@portkey-ai/gateway is not installed in bench/");
  const { version } = (await manifest.json()) as { version?: string };
  if (version !== portkeyVersion)
    throw new Error(`@portkey-ai/gateway is ${version}, not ${portkeyVersion}`);
  const node = Bun.which("node");
  if (node === null) throw new Error("node is not on the PATH");
  const port = findFreePort();
  const entry = join(packageFolder, "build", "start-server.js");
  const child = startChild([node, entry, `--port=${port}`, "--headless"], {
    logPath: join(folder, "portkey.log"),
    environment: { NODE_ENV: "production" },
  });
  await waitUntilReady(child, `http://127.0.0.1:${port}/`);
  const headers = {
    Authorization: "Bearer sk-vendor",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `http://127.0.0.1:${vendorPort}/v1`,
  };
  return { name: "portkey", pid: child.pid, port, headers };
}
