// A proxy in front of a port of this machine: the real program on our sample, in which only names,
// ports and paths are others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../harness/books.ts";
import { newCertificate } from "../harness/e2e/certificate.ts";
import { Folder } from "../harness/folder.ts";
import { freePort } from "../harness/nodes/free-port.ts";
import { findProgram } from "./debian-program.ts";

export interface Front extends AsyncDisposable {
  url: string;
  ask(path: string, request?: RequestInit): Promise<Response>;
}

interface Place {
  /** Folder for anything it likes, and for certificate and key. */
  folder: string;
  port: number;
  plainPort: number;
  upstreamPort: number;
  /** Those of more nodes, for a proxy whose sample has a line for each. */
  morePorts: readonly number[];
}

export const proxies = ["nginx", "caddy"] as const;
export type ProxyName = (typeof proxies)[number];

interface Proxy {
  variable: string;
  place: string;
  sample: string;
  configure(sample: string, place: Place): string;
  command(config: string, folder: string): string[];
}

const known: Record<ProxyName, Proxy> = {
  nginx: {
    variable: "NGINX_PATH",
    place: "usr/sbin/nginx",
    sample: "nginx/sluice.conf",
    configure: (sample, place) => nginxConfig(sample, place),
    command: (config, folder) => ["-e", `${folder}/error.log`, "-p", folder, "-c", config],
  },
  caddy: {
    variable: "CADDY_PATH",
    place: "usr/bin/caddy",
    sample: "caddy/Caddyfile",
    configure: (sample, place) => caddyConfig(sample, place),
    command: (config) => ["run", "--adapter", "caddyfile", "--config", config],
  },
};

const nginxNode = /^ *server 127\.0\.0\.1:3000 .*;$/m;

function nginxConfig(sample: string, place: Place): string {
  const { folder, port, plainPort, upstreamPort, morePorts } = place;
  const server = sample
    .replace(nginxNode, (line) =>
      [upstreamPort, ...morePorts].map((other) => line.replace("3000", String(other))).join("\n"),
    )
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replaceAll("/etc/ssl/sluice", folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return [
    // A worker of another user could not reach the folder of a test.
    process.getuid?.() === 0 ? "user root;" : "",
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;`,
    "events { worker_connections 256; }",
    "http { access_log off;",
    ...temporary,
    server,
    "}",
  ].join("\n");
}

function caddyConfig(sample: string, { folder, port, upstreamPort }: Place): string {
  const certificate = `tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
  return sample
    .replace("127.0.0.1:3000", `127.0.0.1:${upstreamPort}`)
    .replace(
      "gateway.example.com {",
      `{\nadmin off\nauto_https disable_redirects\n}\nhttps://127.0.0.1:${port} {\n${certificate}`,
    );
}

/** Reason why there is no such program, or null. */
export async function whyNoProxy(name: ProxyName): Promise<string | null> {
  const found = await findProxy(name);
  return "missing" in found ? found.missing : null;
}

async function findProxy(name: ProxyName): ReturnType<typeof findProgram> {
  const { variable, place } = known[name];
  return await findProgram({ name, variable, place });
}

export async function openFront(
  name: ProxyName,
  upstreamPort: number,
  morePorts: readonly number[] = [],
): Promise<Front> {
  const proxy = known[name];
  const found = await findProxy(name);
  if ("missing" in found) throw new Error(found.missing);
  const folder = new Folder();
  const { key, cert } = newCertificate("127.0.0.1");
  await Bun.write(join(folder.path, "fullchain.pem"), cert);
  await Bun.write(join(folder.path, "privkey.pem"), key);
  const place = {
    folder: folder.path,
    port: freePort(),
    plainPort: freePort(),
    upstreamPort,
    morePorts,
  };
  const sample = join(import.meta.dir, "..", "..", "deploy", proxy.sample);
  const config = join(folder.path, "proxy.conf");
  await Bun.write(config, proxy.configure(readFileSync(sample, "utf8"), place));
  const child = Bun.spawn([found.path, ...proxy.command(config, folder.path)], {
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = child.stderr.text();
  await eventually(name, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${await said}`);
    return await connects(place.port);
  });
  const url = `https://127.0.0.1:${place.port}`;
  return {
    url,
    ask: (path, request = {}) =>
      fetch(url + path, { ...request, tls: { rejectUnauthorized: false } }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
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
