// Makes sure that what package-lock.json asks for is installed, with nothing but Node and npm.
// npm's own hidden lockfile says what is there; it is rewritten last, so its age is the proof.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Installs missing packages of `folder`; `omitDev` leaves out what only tests need. */
export function ensureInstalled(folder, { omitDev }) {
  if (isFresh(folder, omitDev)) return;
  process.stderr.write("Installing packages (once)...\n");
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", ...(omitDev ? ["--omit=dev"] : [])];
  // Not `npm ci`: it refuses where a registry lacks a package that only other platforms need.
  // `--no-save` keeps the lockfile, and with it every version, as it is.
  const words = ["install", "--no-save", ...flags];
  const done = spawnSync("npm", words, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (done.status !== 0) {
    process.stderr.write("npm install failed; the lines above say why.\n");
    process.exit(done.status ?? 1);
  }
}

/** The path of the Bun that package.json pins. */
export function bunPath() {
  return join(root, "node_modules", "bun", "bin", "bun.exe");
}

function isFresh(folder, omitDev) {
  const lock = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) return false;
  const wanted = Object.entries(JSON.parse(readFileSync(lock, "utf8")).packages);
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return wanted.every(
    ([path, entry]) =>
      path === "" || entry.optional || (omitDev && entry.dev) || present[path] !== undefined,
  );
}
