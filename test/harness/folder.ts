// A folder that goes away with the scope that made it.
import { rmSync } from "node:fs";
import { temporaryFolder } from "./gateway.ts";

export class Folder implements Disposable {
  readonly path = temporaryFolder();

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
