// The secret that seals upstream keys and signs links, made once and kept beside the database.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../core/random.ts";

export function secretPath(folder: string): string {
  return join(folder, "secret");
}

export function keptSecret(folder: string, random: Random): string {
  const path = secretPath(folder);
  if (!existsSync(path)) {
    const secret = Buffer.from(random.bytes(32)).toString("base64url");
    writeFileSync(path, secret, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(path, "utf8").trim();
}
