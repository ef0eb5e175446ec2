// Loads under which tests run that might pass by luck alone.
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

const cores = availableParallelism();

/** Files run side by side: the load that they are for each other is work that is needed anyway. */
export const loads = {
  /** Every core has something else to do. */
  cores: { atOnce: 3 * cores, isPinned: false, burden: "spin" },
  /** Each sync of a file waits for those of another program. */
  disk: { atOnce: 2 * cores, isPinned: false, burden: "write" },
  /** All processes of a file take turns on one core; only Linux can be asked for that. */
  one: { atOnce: 2 * cores, isPinned: true, burden: null },
} as const satisfies Record<string, LoadPlan>;

interface LoadPlan {
  /** Number of files. */
  atOnce: number;
  isPinned: boolean;
  burden: Burden | null;
}

export type Load = keyof typeof loads;
type Burden = "spin" | "write";

export function isLoad(name: string): name is Load {
  return name in loads;
}

/** Words before the command that runs the file at this place. */
export function wordsOf(load: Load, place: number): readonly string[] {
  return loads[load].isPinned ? ["taskset", "-c", String(place % cores)] : [];
}

/** Lasts until it is disposed of. */
export class Pressed implements Disposable {
  readonly #children: readonly Bun.Subprocess[];

  constructor(load: Load, files: number) {
    const { burden, atOnce } = loads[load];
    // Idle loops stand in where there are too few files to keep every core busy.
    const spinning = files < atOnce ? cores : 0;
    const count = { spin: spinning, write: 1, none: 0 }[burden ?? "none"];
    const words = [process.execPath, "--no-orphans", import.meta.path, burden ?? ""];
    this.#children = Array.from({ length: count }, () => Bun.spawn(words, { stdin: "ignore" }));
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
