// One file and the environment become one frozen Config, or one error that names every problem.
import { totalmem } from "node:os";
import { dataFolderOf, deepFreeze, toConfig, type Config } from "./config.ts";
import type { Environment } from "./environment.ts";
import {
  defaultFile,
  defaultRead,
  overrideFile,
  readConfigFile,
  readPageAlone,
  withLive,
  type ReadFile,
} from "./file.ts";
import { readCloudVariables } from "./cloud/variables.ts";
import { availableMemoryBytes } from "./memory.ts";
import { mailProblems } from "./mail/rules.ts";
import { readProviders } from "./oauth.ts";
import { readProxies } from "./proxies.ts";

import type { PageValue } from "./page/leaves.ts";
import { ConfigError } from "./problems.ts";
import type { ConfigFile } from "./schema.ts";
import { readVariables } from "./variables.ts";

export interface ConfigSource {
  environment: Environment;
  /** The text of a file, or null when it cannot be read. */
  readFile(path: string): string | null;
  /** Values that people stated on pages; all of them have to fit. */
  page?: readonly PageValue[];
  /** The file at the start, for a change while the gateway runs: only what is live changes. */
  started?: ConfigFile;
}

/** The configuration, and the file in whose words it was. */
interface Whole {
  config: Config;
  file: ConfigFile;
}

const memoryShare = 0.8;
/** Values that one node seals, every other must be able to open. */
const noSecret = "environment SLUICE_SECRET is required with a database_url, the same on each node";

export async function loadConfig(source: ConfigSource): Promise<Config> {
  return (await loadWhole(source)).config;
}

export async function loadWhole(source: ConfigSource): Promise<Whole> {
  const parts = await readParts(source);
  const memoryBytes = availableMemoryBytes(totalmem(), source.readFile);
  const memoryBytesDefault = Math.floor(memoryBytes * memoryShare);
  const { started } = source;
  const file = started ? withLive(started, parts.file) : parts.file;
  return { config: deepFreeze(toConfig({ ...parts, file, memoryBytesDefault })), file };
}

/** The file as it takes effect: with its defaults, and with what variables say instead. */
export async function loadConfigFile(source: ConfigSource): Promise<ConfigFile> {
  const { file, home } = await readParts(source);
  return { ...file, data: dataFolderOf(file, home) };
}

async function readParts(source: ConfigSource) {
  const { environment, readFile } = source;
  const { own, settings, problems } = readVariables(environment, readFile);
  const read = await readFileOf(own.SLUICE_CONFIG, source);
  const { proxies, problems: unusable } = readProxies(environment);
  const all = [...problems, ...unusable, ...read.problems];
  if (all.length > 0) throw new ConfigError(all);
  const file = overrideFile(read.file, settings);
  if (file.database_url && own.SLUICE_SECRET === undefined) throw new ConfigError([noSecret]);
  const unsendable = mailProblems(file);
  if (unsendable.length > 0) throw new ConfigError(unsendable);
  const { providers, problems: missing } = readProviders(file.oauth, environment, readFile);
  if (missing.length > 0) throw new ConfigError(missing);
  const home = environment["SLUICE_HOME"] || null;
  const cloud = readCloudVariables(environment);
  return { file, proxies, cloud, variables: own, providers, home };
}

async function readFileOf(
  path: string | undefined,
  { environment, readFile, page = [] }: ConfigSource,
): Promise<ReadFile> {
  if (path === undefined) return page.length === 0 ? defaultRead() : readPageAlone(page);
  const text = readFile(path);
  if (text !== null) return await readConfigFile(path, text, { environment, page });
  const problem = `environment SLUICE_CONFIG names a file that cannot be read: ${path}`;
  return { file: defaultFile(), problems: [problem] };
}
