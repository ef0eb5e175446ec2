// A name that a room gives away means one thing in the whole house: no other room gives away
// something else under it. Siblings inside a room may share the names of their common contract.
import { type Finding, isShipped, lineAt, type SourceFile } from "./source.ts";

const declared =
  /\bexport\s+(?:async\s+|abstract\s+)*(?:function\*?|class|const|let|interface|type)\s+([\w$]+)/g;

/** The practice vendors are a house of their own, in the words of those they play. */
export function meaningFindings(files: readonly SourceFile[]): Finding[] {
  const rooms = new Map<string, string>();
  return files
    .filter(({ path }) => isShipped(path) && path.startsWith("src/"))
    .flatMap((file) =>
      Array.from(file.code.matchAll(declared)).flatMap((match) => {
        const name = match[1] ?? "";
        const room = roomOf(file.path);
        const first = rooms.get(name) ?? room;
        rooms.set(name, first);
        if (first === room) return [];
        const line = lineAt(file.text, match.index);
        return [{ path: file.path, line, what: `exports ${name}, which ${first} has too` }];
      }),
    );
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}
