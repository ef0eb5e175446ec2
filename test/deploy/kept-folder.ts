// Data folders that earlier versions have left, each with what its customer must find again.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const keptFolders = join(import.meta.dir, "folders");

/** Data folders with a channel of every kind of credential. */
export const keptChannels = join(import.meta.dir, "channels");

/** Amounts as the control plane tells them. */
export interface KeptBook {
  key: string;
  keyId: string;
  accountId: string;
  quota_micros: number;
  used_micros: number;
}

export function keptNames(): string[] {
  return readdirSync(keptFolders)
    .filter((name) => name.endsWith(".tar.gz"))
    .map((name) => name.slice(0, -".tar.gz".length))
    .toSorted();
}

/** Puts it where a gateway can be started on it. */
export function unpackKept(name: string, folder: string): KeptBook {
  const archive = join(keptFolders, `${name}.tar.gz`);
  const { success, stderr } = Bun.spawnSync(["tar", "xzf", archive, "-C", folder]);
  if (!success) throw new Error(stderr.toString());
  return JSON.parse(readFileSync(join(keptFolders, `${name}.json`), "utf8")) as KeptBook;
}
