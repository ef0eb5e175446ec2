// The index of requirements is complete, and nothing stands in it that no test shows to hold.
import { type Finding, isTest, type SourceFile, type TextFile } from "./source.ts";
import { readTitles, requirementsIn } from "./titles.ts";

const home = "test/requirements.md";
const entry = /^- ((?:(?:hazard|fault|invariant) )?(?:[A-Z]-)?[A-Z]?\d+): \S.*\.$/;

type Place = Omit<Finding, "what">;

export function requirementFindings(
  texts: readonly TextFile[],
  files: readonly SourceFile[],
): Finding[] {
  const lines = texts.find(({ path }) => path === home)?.text.split("\n") ?? [];
  const named = namedIn(files);
  const listed = new Set<string>();
  const findings: Finding[] = [];
  for (const [at, text] of lines.entries()) {
    if (!text.startsWith("- ")) continue;
    const [, requirement] = entry.exec(text) ?? [];
    const what = faultOf(requirement, listed, named);
    if (what !== null) findings.push({ path: home, line: at + 1, what });
    if (requirement !== undefined) listed.add(requirement);
  }
  const missing = [...named].filter(([requirement]) => !listed.has(requirement));
  return [
    ...findings,
    ...missing.map(([requirement, place]) => ({
      ...place,
      what: `names ${requirement}, which is not in ${home}`,
    })),
  ];
}

function faultOf(
  requirement: string | undefined,
  listed: ReadonlySet<string>,
  named: ReadonlyMap<string, Place>,
): string | null {
  if (requirement === undefined) return "is not of the form: - id: a sentence.";
  if (listed.has(requirement)) return `has ${requirement} a second time`;
  return named.has(requirement) ? null : `has ${requirement}, which no title names`;
}

/** First place that names each requirement. */
function namedIn(files: readonly SourceFile[]): Map<string, Place> {
  const named = new Map<string, Place>();
  for (const file of files.filter(({ path }) => isTest(path))) {
    for (const { text, line } of readTitles(file)) {
      for (const requirement of requirementsIn(text)) {
        if (!named.has(requirement)) named.set(requirement, { path: file.path, line });
      }
    }
  }
  return named;
}
