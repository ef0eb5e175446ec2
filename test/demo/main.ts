// npm run demo: a month of an invented company, lived in a minute or two, and then served by the
// program as its users run it, while its people go on asking.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { demoPassword } from "./company.ts";
import { goOn } from "./everyday.ts";
import { liveMonth } from "./month.ts";
import { monthOf } from "./size.ts";

const options = {
  folder: { type: "string" },
  seed: { type: "string", default: "harbour" },
} as const;
const { values } = parseArgs({ options });
const folder = folderOf(values.folder);
const isKept = values.folder !== undefined;
const startedMs = performance.now();
const write = (text: string) => void process.stderr.write(text);

write("Living a month of a company of sixteen. This takes a minute or two.\n");
await using month = await liveMonth({ ...monthOf(values.seed), folder, tell });
const seconds = Math.round((performance.now() - startedMs) / 1000);
write(`\rA month with ${month.acts.length} requests was lived in ${seconds} seconds.\n`);
process.exitCode = await serve();
if (!isKept) rmSync(folder, { recursive: true, force: true });

function tell(share: number): void {
  write(`\r${Math.round(share * 100)} %`);
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
  const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
  const program = join(import.meta.dir, "..", "..", "bin", "sluice.mjs");
  const child = Bun.spawn(["node", program, "serve"], {
    env: { ...process.env, ...month.environment, HOST, PORT },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const ended = new AbortController();
  // Signals reach the gateway too; this process ends after it.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  void child.exited.then(() => ended.abort());
  const client = month.client.at(`http://127.0.0.1:${PORT}`);
  if (await isReady(client.url, ended.signal)) {
    write(`\nOpen http://127.0.0.1:${PORT} and sign in with the password ${demoPassword}\n`);
    write("as root, as maren.holt (an admin) or as wei.chen (a member). Ctrl C ends it.\n\n");
    void goOn(month, client, ended.signal);
  }
  return await child.exited;
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
