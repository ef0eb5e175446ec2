// The gateway in a few files instead of some 1,600 modules: each of those takes memory for as long
// as it runs. Made again when a source has changed, and kept beside the packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bunPath, root } from "./install.mjs";

export const sources = join(root, "src");
const consoleSources = join(root, "web");
const cache = join(root, "node_modules", ".cache", "sluice");
/** A gateway that runs may still need what it was started from. */
const keptMax = 3;

/** The threads that the program starts by their names. */
export const threads = [
  "store/sqlite/journal-thread.ts",
  "store/sqlite/archive-thread.ts",
  "gateway/text/meter/meter-thread.ts",
  "catalogue/lists/list-thread.ts",
  "app/books/books-thread.ts",
  "app/backup/backup-thread.ts",
  "app/import/import-thread.ts",
];
const entries = ["main.ts", ...threads];

/** Files read at run time, from beside the code that reads them. */
export const pages = ["http/reference/docs.html"];

/** The console in one file, which is made rather than copied. */
export const consoleFile = "console.json";

/** Makes the console, as the file `path`; false where that fails. */
export function makeConsole(path) {
  const script = fileURLToPath(new URL("./console.mjs", import.meta.url));
  return spawnSync(bunPath(), [script, path], { stdio: ["ignore", "ignore", 2] }).status === 0;
}

/** Files of the console: those beside the bundle of these sources; where it is not made, built. */
export async function consoleOfSources() {
  const made = join(folderOfSources(), consoleFile);
  if (existsSync(made)) return JSON.parse(readFileSync(made, "utf8"));
  const { buildConsole } = await import("./console.mjs");
  return await buildConsole();
}

/** The path of what to run: the sources themselves where nothing can be written. */
export function bundle() {
  const made = folderOfSources();
  const program = join(made, "main.ts");
  try {
    if (!existsSync(program)) make(made);
  } catch {
    // A folder that is read-only, or a disk that is full: it runs all the same.
  }
  return existsSync(program) ? program : join(sources, "main.ts");
}

function make(made) {
  // Readable for others: an image may be built by one user and run by another.
  const draft = join(cache, `draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  const files = entries.map((entry) => join(sources, entry));
  const words = ["build", ...files, "--target=bun", "--splitting", "--entry-naming=[name].ts"];
  // All of the text stays in memory; names are kept, for whoever reads a stack.
  words.push("--minify-whitespace", "--minify-syntax");
  const done = spawnSync(bunPath(), [...words, `--outdir=${draft}`], { stdio: "ignore" });
  for (const page of pages) copyFileSync(join(sources, page), join(draft, basename(page)));
  const isWhole = makeConsole(join(draft, consoleFile));
  try {
    // Refused where somebody else was faster, who has made the same.
    if (done.status === 0 && isWhole) renameSync(draft, made);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOld();
}

function forgetOld() {
  const byAge = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), ms: statSync(join(cache, name)).mtimeMs }))
    .sort((one, other) => other.ms - one.ms);
  for (const { path } of byAge.slice(keptMax)) rmSync(path, { recursive: true, force: true });
}

/** Its name changes with every source and every package, and with how they are put together. */
function folderOfSources() {
  const hash = createHash("sha256");
  const scripts = ["bundle.mjs", "console.mjs"].map((name) => join(root, "bin", name));
  const others = [join(root, "package-lock.json"), bunPath(), ...scripts];
  for (const path of [...listSources(), ...others]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return join(cache, hash.digest("hex").slice(0, 16));
}

function listSources() {
  return [sources, join(root, "sandbox"), consoleSources]
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter(
      (path) =>
        /\.(?:tsx?|html|json|sql|css|svg)$/.test(path) &&
        !/\.test\.ts$|[/\\]fixtures[/\\]/.test(path),
    )
    .sort();
}
