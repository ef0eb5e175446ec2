// Starts the pinned Bun on a file of this repository.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { bunPath, root } from "./install.mjs";

/** Runs Bun and ends this process the way Bun ended. */
export function launch(args, environment = {}) {
  start(args, environment).on("exit", (code, signal) => process.exit(exitCode(code, signal)));
}

/** As a shell would say it. */
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
