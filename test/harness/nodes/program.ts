// The program as tests run it: the one executable, which starts in a third of the time that the
// sources need. Made once for all runs of the same sources, and kept beside their bundle.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundle } from "../../../bin/bundle.mjs";

const build = join(import.meta.dir, "..", "..", "..", "bin", "build.mjs");
let words: readonly string[] | undefined;

/** First words of a command line. */
export function programWords(): readonly string[] {
  return (words ??= executable() ?? bundledWords());
}

/** The bundle in the runtime, which may be told to load something before it. */
export function bundledWords(entry: string = bundle(), preload?: string): string[] {
  const before = preload === undefined ? [] : ["--preload", preload];
  return [process.execPath, "--no-env-file", ...before, entry];
}

/** None where nothing could be written beside the packages. */
function executable(): string[] | null {
  const folder = dirname(bundle());
  const file = join(folder, "sluice");
  if (basename(folder) !== "src" && !existsSync(file)) make(folder, file);
  return existsSync(file) ? [file] : null;
}

function make(folder: string, file: string): void {
  const draft = mkdtempSync(join(folder, "draft-"));
  // Without a commit: it would have to be made anew after each.
  const done = spawnSync("node", [build, "--out", draft, "--commit", ""], { stdio: "ignore" });
  // Another part of the run may have been faster; then this takes the place of the same bytes.
  if (done.status === 0) renameSync(join(draft, "sluice"), file);
  rmSync(draft, { recursive: true, force: true });
}
