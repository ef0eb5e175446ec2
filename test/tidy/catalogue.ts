// A code in the error catalogue that nobody throws is a promise that nobody keeps.
import { type Finding, isShipped, type SourceFile } from "./source.ts";

const home = "src/core/errors.ts";

export function catalogueFindings(
  codes: readonly string[],
  files: readonly SourceFile[],
): Finding[] {
  const used = new Set(
    files
      .filter(({ path }) => isShipped(path) && path !== home)
      .flatMap(({ literals }) => literals.map(({ text }) => text)),
  );
  return codes
    .filter((code) => !used.has(code))
    .map((code) => ({ path: home, line: 1, what: `nothing uses the code "${code}"` }));
}
