// `sluice serve --nodes`: the process in front of the nodes. It has the data folder, starts each
// node with a folder of its own below it, and passes signals on. It takes no request itself.
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { isObject } from "../../core/json.ts";
import type { Log } from "../../core/log.ts";
import { holdFolder } from "../../store/sqlite/lock.ts";
import { noteOwner, ownerFile } from "../folder/owner.ts";
import { takePort, urlOf } from "../port.ts";
import { environmentOf } from "./node-environment.ts";
import { Nodes, type NodeAddress, type NodeNews, type NodeProcess } from "./nodes.ts";

export interface NodesAsk {
  count: number;
  /** The first of the ports that each has for itself; 0 takes free ones. */
  ownPorts: number;
}

interface RunningNodes {
  url: string;
  /** False where it was stopped before any of them was ready. */
  isServing: boolean;
  signal(name: "SIGHUP"): void;
  close(): Promise<void>;
}

const noDatabase =
  "--nodes needs SLUICE_DATABASE_URL: several nodes share a database of PostgreSQL, and a data " +
  "folder has one gateway at a time (docs/cluster.md)";
const noSharedPort =
  "--nodes needs Linux, where the system shares one port between processes. Elsewhere start each " +
  "node on a port of its own, behind a balancer (docs/cluster.md)";

export function assertNodes({ databaseUrl }: Config, platform: string = process.platform): void {
  if (databaseUrl === null) throw new Error(noDatabase);
  if (platform !== "linux") throw new Error(noSharedPort);
}

export async function runNodes(
  config: Config,
  { count, ownPorts }: NodesAsk,
  { log, environment, ended }: { log: Log; environment: Environment; ended: Promise<void> },
): Promise<RunningNodes> {
  const { dataFolder, server } = config;
  // Taking the port finds another process that has it; from here on the nodes share it.
  const port = await takePort(server);
  await port.stop(true);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const lost = () => log.error("another process uses the data folder: stop one of them");
  const lock = holdFolder(dataFolder, { timers: systemTimers, lost });
  const nodes = new Nodes({
    count,
    spawn(number, news) {
      const ownPort = ownPorts === 0 ? 0 : ownPorts + number - 1;
      const place = { number, count, port: port.number, ownPort };
      return spawnNode(environmentOf(config, environment, place), news);
    },
    changed: () => noteAddress(dataFolder, nodes.address),
    clock: systemClock,
    timers: systemTimers,
    log,
  });
  // A start may wait for its database; whoever stops it does not.
  void ended.then(() => nodes.end());
  try {
    await nodes.begin();
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    url: urlOf(port),
    isServing: nodes.address !== null,
    signal: (name) => nodes.signal(name),
    async close() {
      await nodes.end();
      noteAddress(dataFolder, null);
      lock.release();
    },
  };
}

/** Commands find a node by it, as they find a gateway that is alone. */
function noteAddress(folder: string, address: NodeAddress | null): void {
  if (address) noteOwner(folder, { url: address.url, token: address.token, pid: process.pid });
  else rmSync(join(folder, ownerFile), { force: true });
}

/** The same program once more. It ends what it has begun when this process is gone. */
function spawnNode(environment: Record<string, string>, news: NodeNews): NodeProcess {
  // The one executable is its own entry.
  const entry = Bun.main.startsWith("/$bunfs/") ? [] : ["--no-env-file", Bun.main];
  const child = Bun.spawn([process.execPath, ...entry, "serve"], {
    env: environment,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    serialization: "json",
    ipc(message: unknown) {
      const { url, token, reached } = isObject(message) ? message : {};
      if (reached === true) news.reached();
      if (typeof url === "string" && typeof token === "string") news.ready({ url, token });
    },
  });
  return {
    exited: child.exited.then((code) => String(child.signalCode ?? `code ${code}`)),
    signal: (name) => child.kill(name),
  };
}

/** Line on the nodes' folders. */
export function describeNodes({ dataFolder }: Config, count: number): string {
  return `Nodes: ${count}, each with a folder in ${resolve(dataFolder, "nodes")}`;
}
