// A family is known by the registry alone, so that a new one is a folder and a line: nothing else
// names a family's folder, neither as an import nor as a path.
import { basename } from "node:path/posix";
import { readImports } from "./imports.ts";
import { type Finding, isShipped, lineAt, type SourceFile } from "./source.ts";

const registry = "src/families/index.ts";
const folderIn = /(?:^|\/)families\/([^/\s]+)\//;
/** The folder in which families keep what they share. */
const sharedFolder = "kit";

export function familyFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path) && path !== registry)
    .flatMap((file) => [...imported(file), ...written(file)]);
}

function imported(file: SourceFile): Finding[] {
  return readImports(file).flatMap(({ target, line }) => {
    const folder = target === null ? null : foreignFolder(file, target);
    return folder === null ? [] : [finding(file, line, folder)];
  });
}

/** Imports have their own finding; a path may also be put together elsewhere. */
function written(file: SourceFile): Finding[] {
  const known = new Set(readImports(file).map(({ specifier }) => specifier));
  return file.literals.flatMap(({ text, start }) => {
    const folder = known.has(text) ? null : foreignFolder(file, text);
    return folder === null ? [] : [finding(file, lineAt(file.text, start), folder)];
  });
}

/** The family's folder that the path leads into, unless the file is in it. */
function foreignFolder({ path }: SourceFile, target: string): string | null {
  const folder = folderIn.exec(target)?.[1];
  if (folder === undefined || path.startsWith(`src/families/${folder}/`)) return null;
  const isShared = folder === sharedFolder && path.startsWith("src/families/");
  return isShared ? null : folder;
}

function finding({ path }: SourceFile, line: number, folder: string): Finding {
  return {
    path,
    line,
    what: `names the family's folder ${folder}: only ${basename(registry)} may`,
  };
}
