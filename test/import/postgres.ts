// A PostgreSQL of one's own, where the machine has one. Its server refuses to be run by root, so it
// is then run by nobody.
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../harness/nodes/free-port.ts";

const versionsFolder = "/usr/lib/postgresql";
const nobody = 65_534;

export class Postgres implements Disposable {
  readonly url: string;
  readonly #programs: string;
  readonly #folder: string;

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Reason why there is none, or null. */
  static findMissing(): string | null {
    return findPrograms() === null ? `there is no server in ${versionsFolder}` : null;
  }

  /** Null where there is none. */
  static start(): Postgres | null {
    const programs = findPrograms();
    if (programs === null) return null;
    const folder = mkdtempSync(join(tmpdir(), "sluice-postgres-"));
    if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
    const data = join(folder, "data");
    const port = freePort();
    run([join(programs, "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "--no-sync"]);
    const options = `-p ${port} -h 127.0.0.1 -k ${folder} -F`;
    const log = join(folder, "log");
    run([
      join(programs, "pg_ctl"),
      "-D",
      data,
      "-w",
      "-t",
      "50",
      "-l",
      log,
      "-o",
      options,
      "start",
    ]);
    return new Postgres(programs, folder, port);
  }

  [Symbol.dispose](): void {
    const stop = ["-D", join(this.#folder, "data"), "-m", "immediate", "stop"];
    run([join(this.#programs, "pg_ctl"), ...stop]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function findPrograms(): string | null {
  const versions = existsSync(versionsFolder) ? readdirSync(versionsFolder) : [];
  const folders = versions.map((version) => join(versionsFolder, version, "bin"));
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

function run(words: readonly string[]): void {
  const ids = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const asNobody = process.getuid?.() === 0 ? ["setpriv", ...ids] : [];
  const done = Bun.spawnSync([...asNobody, ...words], {
    cwd: tmpdir(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (done.exitCode !== 0) throw new Error(`${words[0]} failed: ${done.stderr.toString()}`);
}
