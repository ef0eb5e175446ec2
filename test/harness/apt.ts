// Packages that tests need and the machine has not: Debian's, where root can install them.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInstallAllowed } from "./requirements.ts";

interface Packages {
  names: readonly string[];
  msMax: number;
}

/** Null when they are there now, else a sentence that says why not. */
export async function installByApt(what: string, packages: Packages): Promise<string | null> {
  const { names, msMax } = packages;
  if (!isInstallAllowed()) return "none is installed; npm run test:all installs it, as root";
  const apt = Bun.which("apt-get");
  if (process.getuid?.() !== 0 || apt === null) {
    return "none is installed, and it can be only by root with apt-get";
  }
  process.stderr.write(`Installing ${what}.\n`);
  const signal = AbortSignal.timeout(msMax);
  const command = ["install", "-y", "--no-install-recommends", ...names];
  let failure = await run([apt, ...command], signal);
  // The lists of packages may not be there yet, or name files that are not there any more.
  if (failure !== null) {
    failure = (await run([apt, "update"], signal)) ?? (await run([apt, ...command], signal));
  }
  if (failure === null) return null;
  const why = signal.aborted ? `took more than ${msMax / 1000} seconds` : "failed";
  const missing = `none is installed, and apt-get ${command.join(" ")} ${why}`;
  return failure ? `${missing} (${failure})` : missing;
}

/** Null when it went well, else what it said last. One at a time, whoever else installs here. */
async function run(command: string[], signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) return "";
  const flock = Bun.which("flock");
  const lock = join(tmpdir(), "sluice-test-chromium.lock");
  const child = Bun.spawn(flock === null ? command : [flock, "--no-fork", lock, ...command], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  const said = child.stderr.text();
  if ((await child.exited) === 0) return null;
  // Its own children may live on for a while, with the same standard error.
  return signal.aborted ? "" : ((await said).trimEnd().split("\n").at(-1) ?? "");
}
