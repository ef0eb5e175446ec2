// Follows what the console shows to be copied, as its reader would: in a shell, in Node, in Python.
// Packages of Python are stood in for; programs that are not here say what they were called with.
import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../folder.ts";

export type Tongue = "shell" | "node" | "python";

export interface Followed {
  code: number;
  out: string;
  error: string;
}

const runMsMax = 30_000;
const root = join(import.meta.dir, "../../..");
const programs = ["codex", "claude", "gemini"];
/** Words and variables, each ended by a zero byte. */
const teller = `#!/bin/sh
printf '%s\\0' "$0" "$@" "$ANTHROPIC_BASE_URL" "$ANTHROPIC_AUTH_TOKEN" "$GOOGLE_GEMINI_BASE_URL" \\
  "$GEMINI_API_KEY" "$SLUICE_KEY"
`;

export class Reader implements Disposable {
  readonly #folder = new Folder();
  readonly #desk: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(environment: Readonly<Record<string, string>>) {
    const { path } = this.#folder;
    this.#desk = join(path, "desk");
    for (const part of ["desk", "bin", "python/google"]) {
      mkdirSync(join(path, part), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
    for (const name of programs) this.#write(`bin/${name}`, teller, true);
    const client = join(import.meta.dir, "stand-ins", "client.py");
    for (const name of ["openai.py", "anthropic.py", "google/genai.py"]) {
      cpSync(client, join(path, "python", name));
    }
    const PATH = `${join(path, "bin")}:${process.env["PATH"] ?? ""}`;
    this.#environment = { PATH, HOME: path, PYTHONPATH: join(path, "python"), ...environment };
  }

  #write(name: string, text: string, isProgram = false): string {
    const place = join(this.#folder.path, name);
    writeFileSync(place, text);
    if (isProgram) chmodSync(place, 0o700);
    return place;
  }

  /** Paths in the desk that the code has made. */
  get made(): string[] {
    return readdirSync(this.#desk);
  }

  async follow(tongue: Tongue, text: string): Promise<Followed> {
    const words = {
      shell: ["bash", "-e", this.#write("code.sh", `curl() { command curl -sS "$@"; }\n${text}\n`)],
      node: ["node", this.#write("code.mjs", text)],
      python: ["python3", this.#write("code.py", text)],
    }[tongue];
    const child = Bun.spawn(words, {
      cwd: this.#desk,
      env: this.#environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const stuck = setTimeout(() => child.kill("SIGKILL"), runMsMax);
    const [code, out, error] = await Promise.all([
      child.exited,
      child.stdout.text(),
      child.stderr.text(),
    ]);
    clearTimeout(stuck);
    return { code, out, error };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
