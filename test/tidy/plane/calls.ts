// The control plane is stated as calls: queries are parsed by their schemas in one place, and
// contracts load nothing of the gateway, since the console and the command line read them.
import { readImports } from "../imports.ts";
import { type Finding, findInCode, isIn, isTest, type SourceFile } from "../source.ts";

/** The parser of queries; and providers answer in queries of their own. */
const queryHomes = ["src/admin/parse-query.ts", "src/admin/oauth/"];
const barrel = "src/admin/contract.ts";

const contract = /^src\/admin\/[\w-]+\/(?:[\w-]+-)?contract\.ts$/;
/** Words that contracts are made of. */
const words = [
  "src/core/",
  "src/config/",
  "src/identity/role.ts",
  "src/identity/roles/permissions.ts",
  "src/distribution/channel-states.ts",
  "src/admin/contract/",
  "src/admin/call.ts",
  "src/admin/patch.ts",
  "src/admin/search.ts",
  "src/admin/span.ts",
  "src/admin/password-length.ts",
];

export function callFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith("src/admin/") && !isTest(path))
    .flatMap((file) => [
      ...(isIn(file.path, queryHomes)
        ? []
        : findInCode(file, /\bURLSearchParams\b/, "reads a query that its call does not state")),
      ...importFindings(file),
    ]);
}

function importFindings(file: SourceFile): Finding[] {
  const { path } = file;
  return readImports(file).flatMap(({ target, line }) => {
    if (target === null || path === barrel) return [];
    if (target === barrel) return [{ path, line, what: "imports the contracts of all entities" }];
    if (!contract.test(path) || isWord(target)) return [];
    return [{ path, line, what: `loads ${target} for a contract` }];
  });
}

function isWord(target: string): boolean {
  return contract.test(target) || target.endsWith("/fields.ts") || isIn(target, words);
}
