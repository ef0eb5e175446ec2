#!/usr/bin/env node
// npm run build: the gateway as one executable, with what it is made of and its checksums.
//   --all           for every platform, in place of this machine's alone
//   --out <folder>  in place of dist
//   --commit <hash> where there is no git to ask
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeBill } from "./bill-of-materials.mjs";
import { consoleFile, makeConsole, pages, sources, threads } from "./bundle.mjs";
import { bunPath, ensureInstalled, root } from "./install.mjs";
import { runtimeOf } from "./runtimes.mjs";

const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const here = `${process.platform}-${process.arch}`;

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    out: { type: "string", default: join(root, "dist") },
    commit: { type: "string", default: askGit() },
  },
});
await ensureInstalled(root, { omitDev: true });
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const made = values.all
  ? platforms.map((platform) => ({ platform, name: `sluice-${platform}` }))
  : [{ platform: here, name: "sluice" }];
const consolePath = join(out, consoleFile);
if (!makeConsole(consolePath)) {
  process.stderr.write("The console could not be made; the lines above say why.\n");
  process.exit(1);
}
// Files of an earlier build would stand beside sums that do not know them.
for (const name of ["sluice", ...platforms.map((platform) => `sluice-${platform}`)]) {
  if (!made.some((one) => one.name === name)) rmSync(join(out, name), { force: true });
}
for (const { platform, name } of made) compile(name, platform);
rmSync(consolePath);
const bill = "sluice.cdx.json";
const about = { commit: values.commit, platforms: made.map(({ platform }) => platform) };
writeFileSync(join(out, bill), `${JSON.stringify(makeBill(lock, about), null, 2)}\n`);
const sums = [...made.map(({ name }) => name), bill].map((name) => `${digestOf(name)}  ${name}\n`);
writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
process.stdout.write(sums.join(""));

function compile(name, platform) {
  const file = join(out, name);
  // The running program may be this very file: a new one takes its place instead of being written
  // into it.
  rmSync(file, { force: true });
  const words = ["build", "--compile", "--bytecode", "--bytecode-depth=2", "--format=esm"];
  words.push("--splitting", "--entry-naming=[name].ts", "--minify-whitespace", "--minify-syntax");
  words.push("--sourcemap=none", "--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig");
  words.push("--define", `SLUICE_COMMIT=${JSON.stringify(values.commit)}`);
  const assets = [...pages, relative(sources, consolePath)];
  words.push(...assets.flatMap((asset) => ["--asset", asset]), "--outfile", file);
  if (platform !== here) {
    words.push(`--target=bun-${platform}`);
    words.push(`--compile-executable-path=${runtimeOf(platform, lock)}`);
  }
  words.push(join("..", "bin", "standalone.mjs"), ...threads);
  // Paths are told from the sources, so that where they lie is no part of what is made.
  const done = spawnSync(bunPath(), words, { cwd: sources, stdio: ["ignore", 2, 2] });
  if (done.status === 0 && existsSync(file)) return;
  process.stderr.write(`${name} could not be made; the lines above say why.\n`);
  process.exit(1);
}

function digestOf(name) {
  return createHash("sha256")
    .update(readFileSync(join(out, name)))
    .digest("hex");
}

/** Empty where this is no clone, or where something is not committed. */
function askGit() {
  const git = (...words) => spawnSync("git", words, { cwd: root, encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "HEAD");
  if (status !== 0) return "";
  return git("status", "--porcelain").stdout === "" ? stdout.trim() : `${stdout.trim()}+`;
}
