// The files the laws are about: what git tracks and what it would track, as they are on disk.
import { join } from "node:path";
import { type SourceFile, sourceFile, type TextFile } from "./source.ts";

export const root = join(import.meta.dir, "..", "..");
const codeFolders = /^(?:src|sandbox|test|bench|bin|web)\//;
const codeFiles = /\.(?:ts|tsx|mjs|js)$/;

export interface Repository {
  paths: string[];
  bytes: Map<string, number>;
  /** Everything that is text, whatever its kind. */
  texts: TextFile[];
  /** The code among them, taken apart. */
  sources: SourceFile[];
}

export async function readRepository(): Promise<Repository> {
  const bytes = new Map<string, number>();
  const texts: TextFile[] = [];
  for (const path of listPaths()) {
    const file = Bun.file(join(root, path));
    if (!(await file.exists())) continue;
    const content = await file.bytes();
    bytes.set(path, content.length);
    if (!content.includes(0)) texts.push({ path, text: new TextDecoder().decode(content) });
  }
  const sources = texts
    .filter(({ path }) => codeFolders.test(path) && codeFiles.test(path))
    .map(({ path, text }) => sourceFile(path, text));
  return { paths: [...bytes.keys()], bytes, texts, sources };
}

function listPaths(): string[] {
  const command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout, success } = Bun.spawnSync(command, { cwd: root });
  if (!success) throw new Error("the laws need git to list the repository's files");
  const paths = new Set(stdout.toString().split("\0"));
  return [...paths].filter((path) => path !== "" && !path.includes("node_modules/")).sort();
}
