// A real nginx: NGINX_PATH names one, else that of the system; else Debian's package is fetched and
// unpacked beside the tests, so that nothing is installed and no service starts.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../harness/books.ts";

type Found = { path: string } | { missing: string };

const fetchMsMax = 60_000;

/** How long a test has to wait at most where it is fetched first. */
export const nginxMsMax = fetchMsMax + 60_000;

let finding: Promise<Found> | null = null;

export async function findNginx(): Promise<Found> {
  finding ??= find();
  return await finding;
}

async function find(): Promise<Found> {
  const places = [process.env["NGINX_PATH"], Bun.which("nginx"), "/usr/sbin/nginx"];
  const path = places.find((place) => typeof place === "string" && existsSync(place));
  if (path) return { path };
  const apt = Bun.which("apt-get");
  if (apt === null) return { missing: "None is installed, and there is no apt-get to fetch it." };
  const folder = mkdtempSync(join(tmpdir(), "sluice-nginx-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const child = Bun.spawn(["sh", "-c", `${apt} download nginx && dpkg -x nginx_*.deb .`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    signal: AbortSignal.timeout(fetchMsMax),
  });
  const [code, said] = await Promise.all([child.exited, child.stderr.text()]);
  const unpacked = join(folder, "usr", "sbin", "nginx");
  if (code === 0 && Bun.spawnSync([unpacked, "-v"]).exitCode === 0) return { path: unpacked };
  return { missing: `None is installed, and apt-get download nginx failed: ${said.trim()}` };
}

export class Nginx implements AsyncDisposable {
  readonly #process: Bun.Subprocess;

  constructor(process: Bun.Subprocess) {
    this.#process = process;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.exited;
  }
}

/** Runs it on a configuration of a server in a folder; resolves when it listens on the port. */
export async function startNginx(
  path: string,
  folder: string,
  { server, port }: { server: string; port: number },
): Promise<Nginx> {
  const lines = [
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;`,
    "events { worker_connections 256; }",
    "http {",
    `access_log off; default_type application/octet-stream;`,
    ...["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    ),
    server,
    "}",
  ];
  // A worker of another user could not reach the folder of a test.
  if (process.getuid?.() === 0) lines.unshift("user root;");
  const config = join(folder, "nginx.conf");
  await Bun.write(config, lines.join("\n"));
  const child = Bun.spawn([path, "-e", `${folder}/error.log`, "-p", folder, "-c", config], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await eventually("nginx", async () => {
    if (child.exitCode !== null) throw new Error(await Bun.file(`${folder}/error.log`).text());
    return await connects(port);
  });
  return new Nginx(child);
}

async function connects(port: number): Promise<true | undefined> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return undefined;
  }
}
