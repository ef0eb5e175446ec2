// Exports of a file are imported by somebody else: a name that only its own file uses is private,
// and one that nobody uses is dead.
import { namesIn, readImports } from "./imports.ts";
import { type Finding, lineAt, type SourceFile } from "./source.ts";

const declared =
  /\bexport\s+(?:async\s+|abstract\s+)*(?:function\*?|class|const|let|interface|type)\s+([\w$]+)/g;
const listed = /\bexport\s+(?:type\s+)?\{[^}]*\}/g;

/** The face of the control plane, for whoever writes a client of it. */
const consoleContract = "src/admin/contract.ts";

export function exportFindings(files: readonly SourceFile[]): Finding[] {
  const taken = takenFrom(files);
  return files
    .filter(({ path }) => /^(?:sandbox|bench|src)\//.test(path) && path !== consoleContract)
    .flatMap((file) =>
      exportsOf(file)
        .filter(({ name }) => !isTaken(taken.get(file.path), name))
        .map(({ name, line }) => ({
          path: file.path,
          line,
          what: `exports ${name}, which no other file imports`,
        })),
    );
}

type Taken = Set<string | null>;

/** Null stands for everything that a file exports. */
function takenFrom(files: readonly SourceFile[]): Map<string, Taken> {
  const taken = new Map<string, Taken>();
  for (const file of files) {
    for (const { target, names } of readImports(file)) {
      if (target === null) continue;
      const already = taken.get(target) ?? new Set();
      taken.set(target, new Set([...already, ...(names ?? [null])]));
    }
  }
  return taken;
}

function isTaken(names: Taken | undefined, name: string): boolean {
  return names !== undefined && (names.has(null) || names.has(name));
}

function exportsOf({ code, text }: SourceFile): { name: string; line: number }[] {
  const single = Array.from(code.matchAll(declared), ({ 1: name = "", index }) => ({
    name,
    line: lineAt(text, index),
  }));
  const lists = Array.from(code.matchAll(listed), ({ 0: statement, index }) =>
    (namesIn(statement.replace(/[\w$]+\s+as\s+/g, "")) ?? []).map((name) => ({
      name,
      line: lineAt(text, index),
    })),
  );
  return [...single, ...lists.flat()];
}
