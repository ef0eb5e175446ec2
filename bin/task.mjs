#!/usr/bin/env node
// The developer's commands: npm run check | test | format | bench | crash | agents.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";

ensureInstalled(root, { omitDev: false });
const [task, ...rest] = process.argv.slice(2);

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function check() {
  run(bunPath(), ["fmt", "--no-script", "--check", "."]);
  run(join(root, "node_modules", ".bin", "oxlint"), ["--deny-warnings"]);
  run(bunPath(), ["check", "--no-script"]);
}

const tasks = {
  check,
  format: () => run(bunPath(), ["fmt", "--no-script", "."]),
  test() {
    check();
    launch(["test", ...rest], { NODE_ENV: "test" });
  },
  bench() {
    ensureInstalled(join(root, "bench"), { omitDev: false });
    launch([join(root, "bench", "main.ts"), ...rest]);
  },
  crash: () => launch([join(root, "test", "crash", "main.ts"), ...rest]),
  agents() {
    ensureInstalled(join(root, "test", "agents"), { omitDev: false });
    launch([join(root, "test", "agents", "main.ts"), ...rest]);
  },
};

if (!tasks[task]) {
  process.stderr.write(`Unknown task ${task}. One of: ${Object.keys(tasks).join(", ")}\n`);
  process.exit(2);
}
tasks[task]();
