// Loads under which tests run that might pass by luck alone.
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

export const loads = {
  /** Every core has something else to do. */
  cores: { words: [], beside: Array.from({ length: availableParallelism() }, () => "spin") },
  /** Each sync of a file waits for those of another program. */
  disk: { words: [], beside: ["write"] },
  /** Everything takes turns on one core; only Linux can be asked for that. */
  one: { words: ["taskset", "-c", "0"], beside: [] },
} as const satisfies Record<string, { words: readonly string[]; beside: readonly Burden[] }>;

export type Load = keyof typeof loads;
type Burden = "spin" | "write";

export function isLoad(name: string): name is Load {
  return name in loads;
}

/** Lasts until it is disposed of. */
export class Pressed implements Disposable {
  readonly #children: readonly Bun.Subprocess[];

  constructor(load: Load) {
    this.#children = loads[load].beside.map((burden) =>
      Bun.spawn([process.execPath, "--no-orphans", import.meta.path, burden], { stdin: "ignore" }),
    );
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill();
  }
}

const blockBytes = 8 * 1024 * 1024;

function write(): never {
  const path = join(tmpdir(), `sluice-flakes-${process.pid}`);
  const block = Buffer.alloc(blockBytes, 1);
  const file = openSync(path, "w");
  process.on("exit", () => {
    closeSync(file);
    rmSync(path, { force: true });
  });
  // One that is ended has no word in it any more, so its name goes now.
  rmSync(path);
  for (;;) {
    writeSync(file, block, 0, blockBytes, 0);
    fsyncSync(file);
  }
}

function spin(): never {
  for (;;);
}

if (import.meta.main) ({ spin, write })[process.argv[2] === "write" ? "write" : "spin"]();
