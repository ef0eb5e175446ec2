// Every process the bench starts, so that none outlives it however the bench ends.
import type { Subprocess } from "bun";

type Child = Subprocess<"ignore", "pipe" | Bun.BunFile, "inherit" | Bun.BunFile>;

interface ChildOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Standard output and error go to this file; without it they are a pipe and the terminal. */
  readonly logPath?: string;
}

const startMs = 30_000;
const killAfterMs = 3_000;
const children = new Set<Child>();

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export function startChild(command: string[], options: ChildOptions = {}): Child {
  const log = options.logPath === undefined ? undefined : Bun.file(options.logPath);
  const child = Bun.spawn(command, {
    env: { ...process.env, ...options.environment },
    stdin: "ignore",
    stdout: log ?? "pipe",
    stderr: log ?? "inherit",
  });
  children.add(child);
  void child.exited.then(() => children.delete(child));
  return child;
}

/** Runs one of our own TypeScript files with the Bun that runs this one. */
export function startScript(name: string, args: string[], options: ChildOptions = {}): Child {
  const command = [process.execPath, "--no-env-file", `${import.meta.dir}/${name}`, ...args];
  return startChild(command, options);
}

/** The port that a child prints as its first line. */
export async function readPort(child: Child): Promise<number> {
  const line = (await within(readFirstLine(child), "a child's port")) || "{}";
  const { port } = JSON.parse(line) as { port?: number };
  if (port === undefined) throw new Error("a child ended before it printed its port");
  return port;
}

export async function readOutput(child: Child): Promise<string> {
  return child.stdout instanceof ReadableStream ? new Response(child.stdout).text() : "";
}

/** Waits until the address answers 200, or fails when the child ends first. */
export async function waitUntilReady(child: Child, url: string): Promise<void> {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await Bun.sleep(50);
  }
  throw new Error(`${url} did not answer 200 in time`);
}

export async function stopChildren(): Promise<void> {
  const all = [...children];
  for (const child of all) child.kill("SIGTERM");
  const ended = Promise.all(all.map((child) => child.exited));
  await Promise.race([ended, Bun.sleep(killAfterMs)]);
  for (const child of all) if (child.exitCode === null) child.kill("SIGKILL");
  await Promise.all(all.map((child) => child.exited));
}

/** Ends one as an operator would, and waits until it has ended. */
export async function stopChild(pid: number): Promise<void> {
  const child = [...children].find((one) => one.pid === pid);
  child?.kill("SIGTERM");
  await child?.exited;
}

/** A port that was free a moment ago, for servers that cannot choose and tell one themselves. */
export function findFreePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

async function readFirstLine(child: Child): Promise<string> {
  if (!(child.stdout instanceof ReadableStream)) return "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  return text.split("\n", 1)[0] ?? "";
}

async function within<T>(work: Promise<T>, what: string): Promise<T> {
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => expired.reject(new Error(`${what} did not come in time`)),
    startMs,
  );
  try {
    return await Promise.race([work, expired.promise]);
  } finally {
    // A timer left behind would keep the bench alive after its work is done.
    clearTimeout(timer);
  }
}
