// Locals and parameters: a word that only says that something was done names nothing.
import { findInCode, isShipped, type Finding, type SourceFile } from "./source.ts";

/**
 * The name as a value by itself: what a field or a method is called is read behind its owner's
 * name.
 */
const emptyLocal = /(?<![.#\w$])(?:found|said|given|asked|made|told)\b(?!\s*\??\s*[:(])/;

export function localFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith("src/") && isShipped(path))
    .flatMap((file) => findInCode(file, emptyLocal, "a local that does not say what it is"));
}
