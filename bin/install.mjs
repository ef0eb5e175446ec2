// Makes sure that what package-lock.json asks for is installed, with nothing but Node and npm.
// npm's own hidden lockfile says what is there; it is rewritten last, so its age is the proof.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findUnreachable } from "./registry.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const progressMs = 5000;
/** An install that takes longer is asked whether anybody answers it. */
const patienceMs = 15_000;

/**
 * Installs missing packages of `folder`; `omitDev` leaves out what only tests need, unless some of
 * it is there: npm would take it away from whoever develops here.
 */
export async function ensureInstalled(folder, { omitDev }) {
  if (isFresh(folder, omitDev)) return;
  const closed = closedTo(folder);
  if (closed !== null) {
    process.stderr.write(`${closed}\n`);
    process.exit(1);
  }
  process.stderr.write("Installing packages (once)...\n");
  const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
  if (omitDev && !hasDev(folder)) flags.push("--omit=dev");
  // Two libraries ask for a newer Node than the launcher needs, and run under Bun alone.
  flags.push("--engine-strict=false");
  // npm's own pauses before it tries again add up to more than a minute of silence.
  flags.push("--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000");
  // Not `npm ci`: it refuses where a registry lacks a package that only other platforms need.
  // `--no-save` keeps the lockfile, and with it every version, as it is.
  const child = runNpm(["install", "--no-save", ...flags], folder, ["ignore", 2, 2]);
  const problem = await watch(child, folder);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** Null where npm may write; otherwise it would say so on a page of its own. */
function closedTo(folder) {
  const modules = join(folder, "node_modules");
  const place = existsSync(modules) ? modules : folder;
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    const user = userInfo().username;
    return (
      `Packages cannot be installed: ${place} may not be written by ${user}. ` +
      `Give it to ${user} (chown -R ${user} ${folder}), or clone as ${user}, and start again.`
    );
  }
}

/** Null when it went well, or what to tell the user. */
async function watch(child, folder) {
  const startedMs = Date.now();
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(`npm cannot be started: ${error.message}`));
    child.on("exit", (code) => resolve(code === 0 ? null : failed));
  });
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stderr.write(`Still installing packages, for ${seconds} s.\n`);
  }, progressMs);
  const gaveUp = whyNot(child, folder);
  const problem = await Promise.race([ended, gaveUp.said]);
  clearInterval(progress);
  gaveUp.stop();
  // Told to end, npm would first wait for the answers that do not come.
  child.kill("SIGKILL");
  return problem;
}

const failed =
  "npm install failed; the lines above say why. Where they tell of the network, see that this " +
  "machine reaches its package registry; then start again.";

/** Resolves only when nobody answers where packages come from. */
function whyNot(child, folder) {
  let timer;
  const said = new Promise((resolve) => {
    timer = setTimeout(async () => {
      const address = await findUnreachable((words) => runNpm(words, folder, "pipe"));
      if (address === null) return;
      resolve(
        `Packages cannot be installed: nothing answers at ${address}. ` +
          "See that this machine has a network (or set npm's registry or proxy), and start again.",
      );
    }, patienceMs);
  });
  return { said, stop: () => clearTimeout(timer) };
}

function runNpm(words, folder, stdio) {
  const child = spawn("npm", words, {
    cwd: folder,
    stdio,
    shell: process.platform === "win32",
  });
  const end = () => child.kill();
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

/** The path of the Bun that package.json pins. */
export function bunPath() {
  return join(root, "node_modules", "bun", "bin", "bun.exe");
}

function lockedPackages(folder) {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  return Object.entries(JSON.parse(lock).packages);
}

function hasDev(folder) {
  return lockedPackages(folder).some(([path, { dev }]) => dev && existsSync(join(folder, path)));
}

function isFresh(folder, omitDev) {
  const lock = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) return false;
  const wanted = lockedPackages(folder);
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return wanted.every(
    ([path, entry]) =>
      path === "" || entry.optional || (omitDev && entry.dev) || present[path] !== undefined,
  );
}
