// Modules that every gateway loads at its start: each megabyte of program takes several of memory.
import { entry } from "./graph.ts";
import { readImports } from "./imports.ts";
import type { Finding, SourceFile } from "./source.ts";

const loadedPackages = new Set(["commander", "ipaddr.js", "kysely", "typebox"]);
/** Needed by some gateways, or for some requests. */
const laterFiles = new Set([
  "sandbox/server.ts",
  "src/app/nodes/cluster.ts",
  "src/app/nodes/redis.ts",
  "src/cli/program.ts",
  "src/http/reference/document.ts",
  "src/store/postgres/open.ts",
]);

export function loadingFindings(files: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set([entry]);
  const findings: Finding[] = [];
  for (const path of reached) {
    const file = byPath.get(path);
    for (const { specifier, target, isType, isLater, line } of file ? readImports(file) : []) {
      if (isType || isLater) continue;
      const what = `loads ${target ?? specifier} at every start`;
      if (target === null ? isHeavy(specifier) : laterFiles.has(target)) {
        findings.push({ path, line, what });
      } else if (target !== null) reached.add(target);
    }
  }
  return findings;
}

/** The platform's own modules are there in any case. */
function isHeavy(specifier: string): boolean {
  const [scope = "", name = ""] = specifier.split("/");
  const owner = scope.startsWith("@") ? `${scope}/${name}` : scope;
  return !/^(?:node:|bun(?::|$))/.test(owner) && !loadedPackages.has(owner);
}
