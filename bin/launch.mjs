// Starts the pinned Bun on a file of this repository.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { bunPath, root } from "./install.mjs";

const parentLookMs = 500;

/** Runs Bun and ends this process the way Bun ended. */
export function launch(args, environment = {}) {
  const child = start(args, environment);
  endWithNpm(child);
  child.on("exit", (code, signal) => process.exit(exitCode(code, signal)));
}

/** Exit code in a shell's convention. */
export function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

export function start(args, environment, stdio = "inherit") {
  const child = spawn(bunPath(), ["--no-env-file", "--no-orphans", ...args], {
    stdio,
    env: { ...process.env, NODE_ENV: "production", SLUICE_HOME: root, ...environment },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`Cannot start Bun: ${error.message}\n`);
    process.exit(1);
  });
  return child;
}

/**
 * npm hands SIGTERM to the shell that it runs a script in, and that dies of it without a word to
 * us. So where npm runs our own script, the end of that shell is the signal. Who starts this file
 * without npm may leave it running alone, as `nohup` does.
 */
function endWithNpm(child) {
  if (process.env["npm_package_json"] !== join(root, "package.json")) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    child.kill("SIGTERM");
  }, parentLookMs);
}
