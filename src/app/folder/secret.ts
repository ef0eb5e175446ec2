// The secret of a gateway at its start: long enough, and not made anew for data that has one.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { ConfigError } from "../../config/problems.ts";
import type { Log } from "../../core/log.ts";
import { secretPath } from "../../store/kept-secret.ts";
import { mainFile } from "../../store/sqlite/open.ts";

const secretLengthMin = 32;

function isShort({ secret }: Config): boolean {
  return secret !== null && secret.length < secretLengthMin;
}

/** For a folder that nobody has started on; a database tells so itself. */
export function assertFolderSecretLong(config: Config): void {
  const { databaseUrl, dataFolder } = config;
  const isFirst = databaseUrl === null && !existsSync(join(dataFolder, mainFile));
  if (isFirst) assertSecretLong(config);
}

/** At a first start, when another one costs nothing yet. */
export function assertSecretLong(config: Config): void {
  if (!isShort(config)) return;
  const problem = `environment SLUICE_SECRET is shorter than ${secretLengthMin} characters`;
  const make = "make one with: openssl rand -base64 32";
  const remedy = config.databaseUrl === null ? `${make}, or leave it out and one is made` : make;
  throw new ConfigError([`${problem}: ${remedy}`]);
}

/** Data that was sealed with it goes on with it. */
export function warnOfSecret(config: Config, log: Log): void {
  if (!isShort(config)) return;
  log.warn("SLUICE_SECRET is short, and whoever has the data can try all such secrets", {
    characters: config.secret?.length ?? 0,
    wanted: secretLengthMin,
  });
}

/** A start that is refused leaves no new secret in the place of one that is gone. */
export function withdrawSecret({ secret, dataFolder }: Config): (error: unknown) => never {
  const path = secretPath(dataFolder);
  const wasThere = secret !== null || existsSync(path);
  return (error) => {
    if (!wasThere && error instanceof ConfigError) rmSync(path, { force: true });
    throw error;
  };
}
