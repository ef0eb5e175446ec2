// The graph of imports, types included: it has no circles, and nothing in it is out of reach.
import { readImports } from "./imports.ts";
import { type Finding, isShipped, isTest, type SourceFile } from "./source.ts";

export const entry = "src/main.ts";

export function cycleFindings(files: readonly SourceFile[]): Finding[] {
  const graph = readGraph(files, ({ path }) => isShipped(path) || isConsole(path));
  const done = new Set<string>();
  const findings: Finding[] = [];
  function visit(path: string, trail: readonly string[]): void {
    const seenAt = trail.indexOf(path);
    if (seenAt !== -1) {
      const circle = [...trail.slice(seenAt), path].join(" > ");
      findings.push({ path, line: 1, what: `imports itself in a circle: ${circle}` });
      return;
    }
    if (done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
  return findings;
}

export function unusedFindings(files: readonly SourceFile[]): Finding[] {
  const graph = readGraph(files, ({ path }) => isShipped(path));
  if (!graph.has(entry)) return [{ path: entry, line: 1, what: "is missing: nothing is in use" }];
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const target of graph.get(path) ?? []) reached.add(target);
  }
  return [...graph.keys()]
    .filter((path) => !reached.has(path))
    .map((path) => ({ path, line: 1, what: `is not reached from ${entry}` }));
}

const isConsole = (path: string) => path.startsWith("web/") && !isTest(path);

function readGraph(
  files: readonly SourceFile[],
  isMeant: (file: SourceFile) => boolean,
): Map<string, string[]> {
  const shipped = files.filter(isMeant);
  const paths = new Set(shipped.map(({ path }) => path));
  return new Map(
    shipped.map((file) => [
      file.path,
      readImports(file).flatMap(({ target }) =>
        target !== null && paths.has(target) ? [target] : [],
      ),
    ]),
  );
}
