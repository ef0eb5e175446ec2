// Remembers, on the disk, that credentials are made which nobody has seen. A start that fails on
// the way, or dies, leaves them unknown: the one that succeeds then makes them anew and shows them.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class Unshown {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, "unshown");
  }

  get isThere(): boolean {
    return existsSync(this.#path);
  }

  /** Before the first of them is made. */
  begin(): void {
    writeFileSync(this.#path, "", { mode: 0o600 });
  }

  end(): void {
    rmSync(this.#path, { force: true });
  }
}
