// A home of an agent's own that is thrown away, and a command that is run in it with nothing else.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../harness/gateway.ts";

export interface Home extends Disposable {
  workspace: string;
  put(name: string, text: string): void;
  /** Texts of all its files, by name. */
  texts(): Map<string, string>;
  run(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ran>;
}

export interface Ran {
  /** Null when it had to be ended. */
  exitCode: number | null;
  answer: string;
  /** The end of what it said beside its answer. */
  remarks: string;
  ms: number;
}

export const runMsMax = 120_000;
const remarksCharactersMax = 1500;

export function openHome(): Home {
  const path = temporaryFolder();
  const workspace = join(path, "workspace");
  mkdirSync(workspace);
  return {
    workspace,
    put(name, text) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    texts() {
      const names = readdirSync(path, { recursive: true, encoding: "utf8" });
      const files = names.filter((name) => isFile(join(path, name)));
      return new Map(files.map((name) => [name, readFileSync(join(path, name), "latin1")]));
    },
    run(command, environment) {
      const whole = { PATH: process.env["PATH"] ?? "", HOME: path, ...environment };
      const assigned = Object.entries(whole).map(([name, value]) => `${name}=${value}`);
      return spawn(["env", "-i", ...assigned, ...command], workspace);
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Links of an agent may lead nowhere. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

async function spawn(command: string[], folder: string): Promise<Ran> {
  const startedMs = performance.now();
  const child = Bun.spawn(command, {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that what the agent has started ends with it.
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid, "SIGKILL");
  }, runMsMax);
  const [answer, remarks, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  clearTimeout(timer);
  return {
    exitCode: isLate ? null : exitCode,
    answer,
    remarks: remarks.slice(-remarksCharactersMax),
    ms: performance.now() - startedMs,
  };
}
