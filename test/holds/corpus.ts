// The kept cases: each was once held for less than its worst bill. A find of the generator is added
// here, shrunk, with a name that says what is wrong with it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { HoldCase } from "./generate/cases.ts";

const folder = join(import.meta.dir, "corpus");

export const corpus: readonly HoldCase[] = (
  await Promise.all(
    readdirSync(folder)
      .toSorted()
      .map((name): Promise<HoldCase[]> => Bun.file(join(folder, name)).json()),
  )
).flat();
