// The secret that seals upstream keys and signs links, made once and kept beside the database; and
// while it is exchanged, the one before, which may still be what a row is sealed with.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Random } from "../core/random.ts";

export const oldSecretFile = "secret.old";

export function secretPath(folder: string): string {
  return join(folder, "secret");
}

export function keptSecret(folder: string, random: Random): string {
  const path = secretPath(folder);
  if (!existsSync(path)) writeFileSync(path, madeSecret(random), { mode: 0o600, flag: "wx" });
  return readFileSync(path, "utf8").trim();
}

/** Null where none is being exchanged. */
export function oldSecret(folder: string): string | null {
  const path = join(folder, oldSecretFile);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}

/**
 * Makes a new secret. The one in force is beside it before it is replaced, so that after a death at
 * any moment both are there, or the old one alone.
 */
export function exchangeSecret(folder: string, random: Random): string {
  const next = madeSecret(random);
  writeSynced(folder, oldSecretFile, keptSecret(folder, random));
  writeSynced(folder, "secret", next);
  return next;
}

/** For when nothing is sealed with it any more. */
export function dropOldSecret(folder: string): void {
  rmSync(join(folder, oldSecretFile), { force: true });
  syncPlace(folder);
}

function madeSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

function writeSynced(folder: string, name: string, text: string): void {
  const draft = join(folder, `${name}.partial`);
  writeFileSync(draft, text, { mode: 0o600 });
  syncPlace(draft);
  renameSync(draft, join(folder, name));
  syncPlace(folder);
}

function syncPlace(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
