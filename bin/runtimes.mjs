// Runtimes of other platforms, as npm has them: fetched once, and only those that the lock file
// knows by their checksum.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const cache = join(root, "node_modules", ".cache", "sluice-runtimes");

/** The package that holds it. */
export function runtimePackage(platform) {
  return `@oven/bun-${platform.replace("arm64", "aarch64")}`;
}

/** The path of that platform's Bun. */
export function runtimeOf(platform, lock) {
  const name = runtimePackage(platform);
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const folder = join(cache, `${platform}-${version}`);
  const bun = join(folder, "package", "bin", "bun");
  if (existsSync(bun)) return bun;
  mkdirSync(folder, { recursive: true });
  run("npm", ["pack", "--silent", "--pack-destination", folder, `${name}@${version}`], folder);
  const archive = join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`);
  const digest = createHash("sha512").update(readFileSync(archive)).digest("base64");
  if (`sha512-${digest}` !== integrity) {
    rmSync(folder, { recursive: true, force: true });
    fail(`${name} is not what package-lock.json says`);
  }
  run("tar", ["xzf", archive], folder);
  rmSync(archive);
  return bun;
}

function run(command, words, cwd) {
  const done = spawnSync(command, words, { cwd, stdio: ["ignore", 2, 2] });
  if (done.status !== 0) fail(`${command} ${words[0]} failed; the lines above say why`);
}

function fail(why) {
  process.stderr.write(`${why}.\n`);
  process.exit(1);
}
