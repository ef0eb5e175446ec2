// Packages of whoever develops here: a build and a start install what is missing, and take nothing
// away.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../harness/folder.ts";

const install = join(import.meta.dir, "..", "..", "bin", "install.mjs");
const packages = {
  "": {},
  "node_modules/needed": { version: "1.0.0" },
  "node_modules/tested-with": { version: "1.0.0", dev: true },
};

/** Words that npm is called with for a start, in a folder that has these packages. */
function wordsFor(present: readonly string[]): string {
  using folder = new Folder();
  const { path } = folder;
  const npm = join(path, "npm");
  const heard = join(path, "heard");
  writeFileSync(npm, `#!/bin/sh\necho "$@" > ${heard}\n`);
  chmodSync(npm, 0o755);
  writeFileSync(join(path, "package-lock.json"), JSON.stringify({ packages }));
  for (const name of present) mkdirSync(join(path, "node_modules", name), { recursive: true });
  const call = [
    `import { ensureInstalled } from ${JSON.stringify(install)};`,
    `await ensureInstalled(${JSON.stringify(path)}, { omitDev: true });`,
  ].join("\n");
  const env = { ...process.env, PATH: `${path}:${process.env["PATH"] ?? ""}` };
  const { status } = spawnSync("node", ["--input-type=module", "-e", call], {
    env,
    stdio: "ignore",
  });
  expect(status).toBe(0);
  return readFileSync(heard, "utf8");
}

test("a start leaves out what only tests need, and keeps it where it is there", () => {
  expect(wordsFor([])).toContain("--omit=dev");
  expect(wordsFor(["needed"])).toContain("--omit=dev");
  const kept = wordsFor(["needed", "tested-with"]);
  expect(kept).toStartWith("install --no-save");
  expect(kept).not.toContain("--omit=dev");
});

test("a start installs also where npm is strict about Node, which runs no library", () => {
  expect(wordsFor([])).toContain("--engine-strict=false");
});
