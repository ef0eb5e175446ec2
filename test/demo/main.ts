// npm run demo: a month of an invented company, lived in a minute or two, and then served by the
// program as its users run it, while its people go on asking.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Subprocess } from "bun";
import { demoPassword } from "./company.ts";
import { goOn } from "./everyday.ts";
import { liveMonth } from "./month.ts";
import { progressText } from "./progress.ts";
import { monthOf } from "./size.ts";

const options = {
  folder: { type: "string" },
  seed: { type: "string", default: "harbour" },
} as const;
const { values } = parseArgs({ options });
const { PORT: port = "3000" } = process.env;
const startedMs = performance.now();
/** On a terminal the line of before is written over. */
const lineBegin = process.stderr.isTTY ? "\r\u001b[K" : "";
const tellEveryMs = 10_000;
let toldMs = -tellEveryMs;
let child: Subprocess | null = null;

assertFree();
const folder = folderOf(values.folder);
process.on("exit", () => {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
});
// A gateway that runs ends first, as an operator would have it.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => (child === null ? process.exit(1) : child.kill(signal)));
}
write(
  "Step 1 of 2: a gateway lives a month of a company of sixteen, request by request.\n" +
    "This takes a minute or two on a free machine, and longer on a busy one.\n",
);
await using month = await liveMonth({ ...monthOf(values.seed), folder, tell });
const seconds = Math.round((performance.now() - startedMs) / 1000);
write(`${lineBegin}A month with ${month.acts.length} requests was lived in ${seconds} seconds.\n`);
write(`Step 2 of 2: the gateway starts on port ${port}.\n`);
process.exitCode = await serve();

function write(text: string): void {
  process.stderr.write(text);
}

/** In its place on a terminal, and now and then where the lines go to a file. */
function tell(share: number): void {
  const nowMs = performance.now();
  if (!process.stderr.isTTY && nowMs - toldMs < tellEveryMs) return;
  toldMs = nowMs;
  const text = progressText(share, nowMs - startedMs);
  write(process.stderr.isTTY ? `${lineBegin}${text}` : `${text}\n`);
}

/** Said before the month is lived, and not after it. */
function assertFree(): void {
  try {
    Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: () => new Response() }).stop(
      true,
    );
  } catch {
    write(`Port ${port} is taken. Another one: PORT=3001 npm run demo\n`);
    process.exit(2);
  }
}

/** One that is named must be empty, and is kept; otherwise nothing is left behind. */
function folderOf(named: string | undefined): string {
  if (named === undefined) return mkdtempSync(join(tmpdir(), "sluice-demo-"));
  const path = resolve(named);
  try {
    if (readdirSync(path).length === 0) return path;
  } catch {
    return path;
  }
  write(`${path} is not empty: name another folder, or none.\n`);
  process.exit(2);
}

async function serve(): Promise<number> {
  const program = join(import.meta.dir, "..", "..", "bin", "sluice.mjs");
  // Settings of another gateway are not for this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("SLUICE_"));
  const running = Bun.spawn(["node", program, "serve"], {
    env: { ...Object.fromEntries(own), ...month.environment, PORT: port },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  child = running;
  const ended = new AbortController();
  void running.exited.then(() => ended.abort());
  const client = month.client.at(`http://127.0.0.1:${port}`);
  if (await isReady(client.url, ended.signal)) {
    write(`\nOpen ${client.url} and sign in with the password ${demoPassword}\n`);
    write("as root, as maren.holt (an admin) or as wei.chen (a member). Ctrl C ends it.\n\n");
    void goOn(month, client, ended.signal);
  }
  return await running.exited;
}

async function isReady(url: string, ended: AbortSignal): Promise<boolean> {
  while (!ended.aborted) {
    const isThere = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return true;
    await Bun.sleep(200);
  }
  return false;
}
