// Plants a fault in a copy of the repository and runs the tests that must find it there.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import type { PlantedFault } from "./faults.ts";

export const repository = join(import.meta.dir, "..", "..");
const left = new Set([".git", "node_modules", "data", "dist"]);
const testMsMax = "60000";
const runMsMax = 600_000;

/** Outcome of one run of tests: `broken` is no verdict, as of a fault that does not even load. */
export type Verdict = "passed" | "failed" | "broken";

/** A copy to be spoilt, with the packages of the one it was made from. */
export class Copy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "sluice-planted-"));

  constructor(from: string) {
    const isTaken = (path: string) => relative(from, path) === "" || !left.has(basename(path));
    // With its times, by which an install of its packages is known to be whole.
    cpSync(from, this.#folder, { recursive: true, preserveTimestamps: true, filter: isTaken });
    this.#linkPackages(join(from, "node_modules"));
  }

  /** One by one: what is built of a spoilt copy is not kept beside what is built of the other. */
  #linkPackages(from: string): void {
    const to = join(this.#folder, "node_modules");
    mkdirSync(to);
    for (const name of readdirSync(from)) {
      if (name !== ".cache") symlinkSync(join(from, name), join(to, name));
    }
  }

  /** Runs them with the fault, and takes it out again. */
  async verdictOn({ file, from, to }: PlantedFault, tests: readonly string[]): Promise<Verdict> {
    const path = join(this.#folder, file);
    const text = readFileSync(path, "utf8");
    if (text.split(from).length !== 2) return "broken";
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    try {
      return await this.run(tests);
    } finally {
      writeFileSync(path, text);
    }
  }

  async run(tests: readonly string[]): Promise<Verdict> {
    const words = ["test", "--timeout", testMsMax, "--bail", ...tests.map((test) => `./${test}`)];
    const child = Bun.spawn([process.execPath, ...words], {
      cwd: this.#folder,
      env: { ...process.env, NODE_ENV: "test" },
      stdout: "ignore",
      stderr: "pipe",
      timeout: runMsMax,
    });
    const [code, said] = await Promise.all([child.exited, child.stderr.text()]);
    if (code === 0) return "passed";
    return said.includes("(fail)") ? "failed" : "broken";
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
