// The tests of media on S3 against a real server: npm run s3-trial. The server is the one that
// SLUICE_TEST_S3_URL names; else versitygw (on the path, or built through Go's proxy); else moto's
// (on the path). What could not be had is said, and is a failure.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [id, secret, bucket] = ["trial-id", "trial-secret-0123456789", "results"];
const buildMsMax = 900_000;
const startTriesMax = 100;
const folder = mkdtempSync(join(tmpdir(), "sluice-s3-"));

interface Server {
  name: string;
  url: string;
  stop(): void;
  /** The tests that mean something there; all unless it is said. */
  pattern?: string;
}

function spawn(command: string[], environment: Record<string, string> = {}) {
  return Bun.spawn(command, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function findVersity(): Promise<string | null> {
  const known = Bun.which("versitygw");
  const go = Bun.which("go");
  if (known !== null || go === null) return known;
  process.stderr.write("Building versitygw through Go's proxy; this takes minutes.\n");
  const built = join(tmpdir(), "sluice-versitygw");
  const place = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
  const build = Bun.spawn([go, "install", place], {
    env: { ...process.env, GOBIN: built },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: buildMsMax,
  });
  return (await build.exited) === 0 ? join(built, "versitygw") : null;
}

async function start(): Promise<Server | null> {
  const named = process.env["SLUICE_TEST_S3_URL"] ?? "";
  if (named !== "") return { name: "the server that was named", url: named, stop() {} };
  const versity = await findVersity();
  if (versity !== null) return await startVersity(versity);
  const moto = Bun.which("moto_server");
  return moto === null ? null : await startMoto(moto);
}

async function startVersity(program: string): Promise<Server> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  mkdirSync(join(folder, bucket), { recursive: true });
  const keys = ["--access", id, "--secret", secret];
  const child = spawn([program, "--port", `127.0.0.1:${port}`, ...keys, "posix", folder]);
  await answers(port);
  const url = `http://${id}:${secret}@127.0.0.1:${port}/${bucket}`;
  return { name: "versitygw", url, stop: () => child.kill() };
}

async function startMoto(program: string): Promise<Server> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn([program, "-H", "127.0.0.1", "-p", String(port)]);
  await answers(port);
  await fetch(`http://127.0.0.1:${port}/${bucket}`, { method: "PUT" });
  const url = `http://${id}:${secret}@127.0.0.1:${port}/${bucket}`;
  // It checks no signature, so that the test of a wrong key says nothing there.
  const pattern = "^(?!a store that refuses)";
  return { name: "moto", url, stop: () => child.kill(), pattern };
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < startTriesMax; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (response) return;
    await Bun.sleep(100);
  }
  throw new Error(`nothing answers on port ${port}`);
}

const server = await start();
if (!server) {
  process.stderr.write("NOT CHECKED: there is no S3 server, and none could be had.\n");
  process.exit(1);
}
try {
  process.stderr.write(`Media on S3 against ${server.name}.\n`);
  const { pattern = "" } = server;
  const chosen = ["--timeout", "60000", "-t", pattern, "./src/media/s3.test.ts"];
  const test = spawn([process.execPath, "test", ...chosen], {
    NODE_ENV: "test",
    SLUICE_TEST_S3_URL: server.url,
  });
  process.exitCode = await test.exited;
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
