// A newcomer's shell: it runs the blocks of a page in their order, remembers what they export, and
// puts what was shown before in the place of what a page leaves out, as a reader would.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ShellFacts {
  /** Folder of the clone. */
  cwd: string;
  folder: string;
  environment: Record<string, string>;
  /** Texts of the pages, and their values on this machine. */
  replacements: readonly [RegExp, string][];
}

/** Fails where a request is refused. Without curl, requests are left to `test/docs.test.ts`. */
const askWith = Bun.which("curl") === null ? "curl() { :; }" : 'curl() { command curl -sSf "$@"; }';

const blockMsMax = 110_000;

/** Parts that a page leaves out, and where each was shown. */
const leftOut: readonly [string, RegExp][] = [
  ["sk-...", /API key: (sk-\S+)/g],
  ["task_...", /"id":\s*"(task_\w+)"/g],
  ["sat-...", /(sat-[\w-]{20,})/g],
];

export class Shell {
  readonly #facts: ShellFacts;
  #shown: string;

  constructor(facts: ShellFacts, shown: string) {
    this.#facts = facts;
    this.#shown = shown;
  }

  /** Runs a block up to its end; throws what was shown where a command fails. */
  async run(block: string): Promise<void> {
    // Values to be filled in may have been shown by the lines above them.
    for (const part of block.split(/^(?=export \w+=\S*\.\.\.$)/m)) await this.#runPart(part);
  }

  async #runPart(part: string): Promise<void> {
    const { cwd, folder, environment } = this.#facts;
    const state = join(folder, "exported.sh");
    const lines = [
      "shopt -s expand_aliases",
      existsSync(state) ? readFileSync(state, "utf8") : "",
      askWith,
      "set -e -o pipefail",
      this.#fill(part),
      `{ export -p; alias -p; } > '${state}'`,
    ];
    const script = join(folder, "block.sh");
    writeFileSync(script, lines.join("\n"));
    const child = Bun.spawn(["bash", script], {
      cwd,
      env: environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const stuck = setTimeout(() => child.kill("SIGKILL"), blockMsMax);
    const [code, out, error] = await Promise.all([
      child.exited,
      child.stdout.text(),
      child.stderr.text(),
    ]);
    clearTimeout(stuck);
    this.#shown += out + error;
    if (code !== 0 || out.includes('"success":false')) {
      throw new Error(`${part}\nended with ${code}:\n${out}\n${error}`);
    }
  }

  #fill(part: string): string {
    let filled = part;
    for (const [hole, shown] of leftOut) {
      const last = [...this.#shown.matchAll(shown)].at(-1)?.[1];
      if (last !== undefined) filled = filled.replaceAll(hole, last);
    }
    for (const [from, to] of this.#facts.replacements) filled = filled.replace(from, to);
    return filled;
  }
}
