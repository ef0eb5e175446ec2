// Version of the running program, and the commit that it was built from or lies in a clone of.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { builtCommit, version } from "../core/version.ts";

export function versionText(home: string | undefined): string {
  const commit = builtCommit ?? (home === undefined ? null : readCommit(home));
  return commit === null ? `sluice ${version}` : `sluice ${version} (${shorten(commit)})`;
}

/** A plus behind it says that something was not committed. */
function shorten(commit: string): string {
  return commit.slice(0, 12) + (commit.endsWith("+") ? "+" : "");
}

/** Read rather than asked for: a machine that runs a gateway need not have git. */
function readCommit(home: string): string | null {
  try {
    const folder = gitFolder(home);
    const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
    const [, name] = /^ref: (.+)$/.exec(head) ?? [];
    return toCommit(name === undefined ? head : readReference(folder, name));
  } catch {
    return null;
  }
}

/** A worktree has a file that names it. */
function gitFolder(home: string): string {
  const path = join(home, ".git");
  if (statSync(path).isDirectory()) return path;
  return resolve(
    home,
    readFileSync(path, "utf8")
      .replace(/^gitdir: /, "")
      .trim(),
  );
}

function readReference(folder: string, name: string): string {
  const shared = join(folder, "commondir");
  const above = existsSync(shared) ? resolve(folder, readFileSync(shared, "utf8").trim()) : folder;
  for (const place of [folder, above]) {
    const path = join(place, name);
    if (existsSync(path)) return readFileSync(path, "utf8").trim();
  }
  const packed = readFileSync(join(above, "packed-refs"), "utf8").split("\n");
  return packed.find((line) => line.endsWith(` ${name}`))?.split(" ")[0] ?? "";
}

function toCommit(text: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : null;
}
