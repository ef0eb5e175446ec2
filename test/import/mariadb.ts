// A MariaDB of one's own, which speaks MySQL's wire, where the machine has one. Its server refuses
// to be run by root, so it is then run by nobody.
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../harness/nodes/free-port.ts";

const nobody = 65_534;
const readyMsMax = 50_000;
/** Debian's folder of servers, which is not on everybody's path. */
const path = `${process.env["PATH"] ?? ""}:/usr/sbin`;

/** With all that an address has to write in another way. */
const password = "p@ss:w/rd%";

export class MariaDb implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #server: Bun.Subprocess;

  private constructor(folder: string, port: number, server: Bun.Subprocess) {
    this.port = port;
    this.#folder = folder;
    this.#server = server;
  }

  /** Reason why there is none, or null. */
  static findMissing(): string | null {
    return findPrograms().includes(null) ? "this machine has no MariaDB" : null;
  }

  /** Null where there is none. */
  static async start(): Promise<MariaDb | null> {
    const [program, install, client] = findPrograms();
    if (!program || !install || !client) return null;
    const folder = mkdtempSync(join(tmpdir(), "sluice-mariadb-"));
    if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
    const place = [`--datadir=${join(folder, "data")}`, ...asNobody()];
    run([install, "--no-defaults", ...place, "--auth-root-authentication-method=normal"]);
    const port = freePort();
    const socket = join(folder, "socket");
    const listening = [`--port=${port}`, `--socket=${socket}`, "--bind-address=127.0.0.1"];
    const server = Bun.spawn([program, "--no-defaults", ...place, ...listening], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    const mariadb = new MariaDb(folder, port, server);
    await mariadb.#begin([client, "--no-defaults", "-u", "root", `--socket=${socket}`]);
    return mariadb;
  }

  /** A database of its own. */
  urlOf(name: string): string {
    const login = `sluice:${encodeURIComponent(password)}`;
    return `mysql://${login}@127.0.0.1:${this.port}/${name}`;
  }

  /** Address in the notation of Go's driver. */
  goUrlOf(name: string): string {
    return `sluice:${password}@tcp(127.0.0.1:${this.port})/${name}?charset=utf8mb4&parseTime=True`;
  }

  /** It takes no calls before it is ready, and says so to nobody. */
  async #begin(client: readonly string[]): Promise<void> {
    const texts = [
      `create user sluice@'127.0.0.1' identified by '${password}'`,
      "grant all on *.* to sluice@'127.0.0.1'",
    ];
    const words = [...client, "--connect-timeout=1", "-e", texts.join("; ")];
    for (const sinceMs = performance.now(); ; await Bun.sleep(100)) {
      const { exitCode, stderr } = Bun.spawnSync([...words]);
      if (exitCode === 0) return;
      if (this.#server.exitCode !== null || performance.now() - sinceMs > readyMsMax) {
        await this[Symbol.asyncDispose]();
        throw new Error(`MariaDB did not begin: ${stderr.toString()}`);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.kill("SIGKILL");
    await this.#server.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function asNobody(): string[] {
  return process.getuid?.() === 0 ? ["--user=nobody"] : [];
}

function run(words: readonly string[]): void {
  const done = Bun.spawnSync([...words], { stdio: ["ignore", "ignore", "pipe"] });
  if (done.exitCode !== 0) throw new Error(`${words[0]} failed: ${done.stderr.toString()}`);
}

/** The server, what makes its folder, and the client. */
function findPrograms(): (string | null)[] {
  return ["mariadbd", "mariadb-install-db", "mariadb"].map((name) =>
    Bun.which(name, { PATH: path }),
  );
}
