// A gateway as `serve` runs it, from its environment on. The process around it, with its signals
// and its end, is the program's; a test runs several of them in its own.
import type { DeclaredKeyMade } from "../admin/declared.ts";
import { startApp, type App } from "../app.ts";
import type { Machine } from "../app/machine.ts";
import type { Config } from "../config/config.ts";
import { readTextFile, type Environment } from "../config/environment.ts";
import { loadConfig } from "../config/load.ts";
import { createSettingsSource } from "../config/page/settings-source.ts";
import { createLog, describe, type Log } from "../core/log.ts";

interface ServeNeeds {
  machine: Machine;
  /** Sink of lines for the operator and for the log. */
  write(text: string): void;
  /** Told once the database that nodes share has answered. */
  reached?(): void;
}

interface BegunServing {
  config: Config;
  log: Log;
  starting: Promise<App>;
  /** Reads the configuration anew; a bad file leaves everything as it was. */
  reload(): Promise<void>;
}

export async function beginServing(
  environment: Environment,
  needs: ServeNeeds,
): Promise<BegunServing> {
  const { write } = needs;
  const source = { environment, readFile: readTextFile };
  const settings = createSettingsSource(source);
  const config = await loadConfig(source);
  const log = createServeLog(config, needs);
  const keyMade = ({ name, key }: DeclaredKeyMade) => write(`API key ${name}: ${key}\n`);
  const starting = startApp(config, { ...needs, log, keyMade, settings });
  async function reload(): Promise<void> {
    const app = await starting;
    try {
      await app.reload();
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
