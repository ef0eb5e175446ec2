// A gateway as `serve` runs it: from its environment to its greeting. The process around it, with its
// signals and its end, is the program's; a test runs several of them in its own.
import { resolve } from "node:path";
import type { DeclaredKeyMade } from "./admin/declared.ts";
import { startApp, type App } from "./app.ts";
import type { Machine } from "./app/machine.ts";
import type { Config } from "./config/config.ts";
import { readTextFile, type Environment } from "./config/environment.ts";
import { loadConfig } from "./config/load.ts";
import { listSettings } from "./config/settings.ts";
import { createLog, describe, type Log } from "./core/log.ts";

interface ServeNeeds {
  machine: Machine;
  /** Where lines for the operator and for the log go. */
  write(text: string): void;
  /** Told once the database that nodes share has answered. */
  reached?(): void;
}

export interface Serving {
  config: Config;
  log: Log;
  starting: Promise<App>;
  /** Reads the configuration anew; a bad file leaves everything as it was. */
  reload(): Promise<void>;
}

export async function beginServing(environment: Environment, needs: ServeNeeds): Promise<Serving> {
  const { write } = needs;
  const source = { environment, readFile: readTextFile };
  const readConfig = () => loadConfig(source);
  const settings = { list: () => listSettings(source), load: readConfig };
  const config = await readConfig();
  const log = createServeLog(config, needs);
  const keyMade = ({ name, key }: DeclaredKeyMade) => write(`API key ${name}: ${key}\n`);
  const starting = startApp(config, { ...needs, log, keyMade, settings });
  async function reload(): Promise<void> {
    const app = await starting;
    try {
      await app.reload(await readConfig());
      log.info("configuration reloaded");
    } catch (error) {
      log.error("configuration not reloaded", { error: describe(error) });
    }
  }
  return { config, log, starting, reload };
}

export function createServeLog({ log }: Config, { machine, write }: ServeNeeds): Log {
  const { clock, timers } = machine;
  return createLog({ level: log.level, clock, timers, write });
}

/** Lines for whoever has started it. */
export function greeting(
  { url, generated, signInLink }: App,
  { dataFolder, node }: Config,
): string {
  const lines: string[] = [];
  // Of several nodes, the process that started them says where they are.
  if (node === null) {
    lines.push(`Sluice is listening on ${url}`, `Data folder: ${resolve(dataFolder)}`);
  }
  if (generated.password !== null) lines.push(`Root password: ${generated.password}`);
  if (generated.key !== null) {
    lines.push(`API key: ${generated.key}`, "", "Both are shown this once. Try:", "");
    lines.push(`  curl ${url}/v1/chat/completions -H 'authorization: Bearer ${generated.key}' \\`);
    lines.push("    -H 'content-type: application/json' \\");
    lines.push(`    -d '{"model":"chatA","messages":[{"role":"user","content":"Hello"}]}'`, "");
  }
  if (signInLink !== null) lines.push("Sign in, once, within 15 minutes:", `  ${signInLink}`);
  return lines.map((line) => `${line}\n`).join("");
}
