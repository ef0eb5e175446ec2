// Finds the test files that a change reaches: by imports, and for files that are read without an
// import by the groups that name them.
import { dirname, join } from "node:path/posix";
import { isOfGroup, root } from "./files.ts";
import type { TestGroup } from "./plan.ts";

const codeFiles = "{src,sandbox,web,test,bench,bin}/**/*.{ts,tsx,mjs,js}";
const importPattern =
  /(?:\bfrom|\bimport|\bimport\s*\(|new\s+(?:URL|Worker)\s*\()\s*["'`](\.[^"'`]+)["'`]/g;

/** Files that differ from the commit, those that git does not track yet among them. */
export function listChangedFiles(commit: string): string[] {
  const changed = git("diff", "--name-only", "--relative", commit);
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return [...new Set([...changed, ...untracked])].sort();
}

/** The commit at which this branch left its upstream branch; HEAD where it has none. */
export function findBaseCommit(reference: string | undefined): string {
  if (reference !== undefined) {
    const [commit] = git("rev-parse", "--verify", "--quiet", `${reference}^{commit}`);
    if (commit === undefined) throw new Error(`${reference} is no commit of this repository.`);
    return commit;
  }
  const [base] = git("merge-base", "HEAD", "@{upstream}");
  return base ?? "HEAD";
}

function git(...words: string[]): string[] {
  const { stdout } = Bun.spawnSync(["git", ...words], { cwd: root, stderr: "ignore" });
  return stdout.toString().split("\n").filter(Boolean);
}

/** Paths of the files that import each file, itself or through others. */
export class ImportGraph {
  readonly #importers = new Map<string, Set<string>>();

  static async read(): Promise<ImportGraph> {
    const graph = new ImportGraph();
    const paths = [...new Bun.Glob(codeFiles).scanSync({ cwd: root })].filter(
      (path) => !path.includes("node_modules/"),
    );
    await Promise.all(
      paths.map(async (path) => graph.addFile(path, await Bun.file(join(root, path)).text())),
    );
    return graph;
  }

  addFile(path: string, text: string): void {
    for (const [, specifier = ""] of text.matchAll(importPattern)) {
      const target = join(dirname(path), specifier);
      const importers = this.#importers.get(target) ?? new Set();
      this.#importers.set(target, importers.add(path));
    }
  }

  /** The files themselves and all that reach one of them. */
  reach(paths: readonly string[]): Set<string> {
    const reached = new Set(paths);
    for (const path of reached) {
      for (const importer of this.#importers.get(path) ?? []) reached.add(importer);
    }
    return reached;
  }
}

interface Repository {
  testFiles: readonly string[];
  groups: readonly TestGroup[];
  graph: ImportGraph;
}

export function findReachedTests(
  changed: readonly string[],
  { testFiles, groups, graph }: Repository,
): string[] {
  const reached = graph.reach(changed);
  const readers = groups.filter(({ reads = [] }) =>
    reads.some((pattern) => {
      const glob = new Bun.Glob(pattern);
      return changed.some((path) => glob.match(path));
    }),
  );
  return testFiles.filter(
    (file) => reached.has(file) || readers.some((group) => isOfGroup(file, group)),
  );
}
