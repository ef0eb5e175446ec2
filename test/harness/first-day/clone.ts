// A fresh clone of the repository as a newcomer has it, with the packages that are installed here,
// so that no network is needed.
import { cpSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..", "..");

/** Makes it below the folder; returns its path. */
export async function cloneRepository(folder: string): Promise<string> {
  const clone = join(folder, "sluice");
  // A checkout may belong to another user than the one who runs the tests.
  const settings = join(folder, "gitconfig");
  writeFileSync(settings, "[safe]\n\tdirectory = *\n");
  // The tree is what counts: to pack its objects takes ten times as long as to write it.
  const git = Bun.spawn(["git", "clone", "--quiet", "--shared", root, clone], {
    env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: settings },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  if ((await git.exited) !== 0) throw new Error(await git.stderr.text());
  linkPackages(join(clone, "node_modules"));
  // An install is asked for where the lock file is younger than what is installed.
  utimesSync(join(clone, "package-lock.json"), 0, 0);
  return clone;
}

/** One by one: what the clone puts beside its packages is its own. */
function linkPackages(target: string): void {
  const source = join(root, "node_modules");
  mkdirSync(target);
  for (const name of readdirSync(source)) {
    if (name === ".cache") continue;
    if (name === ".package-lock.json") cpSync(join(source, name), join(target, name));
    else symlinkSync(join(source, name), join(target, name));
  }
}
