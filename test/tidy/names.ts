// Names of files and folders: one style, and no word under which anything could be filed.
import type { Finding } from "./source.ts";

const named = /^(?:src|sandbox|test|bench|bin|web|docs)\//;
const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
/** The two kinds whose names the world has fixed: README.md and its like, and dot files. */
const fixedNames = /^(?:[A-Z]+\.md|Dockerfile|\..+)$/;
const emptyWords = new Set(
  "util utils common helper helpers manager managers service services misc stuff".split(" "),
);

export function kebabFindings(paths: readonly string[]): Finding[] {
  return segments(paths, (segment) =>
    kebab.test(segment) || fixedNames.test(segment) ? null : `${segment} is not in kebab-case`,
  );
}

export function emptyWordFindings(paths: readonly string[]): Finding[] {
  return segments(paths, (segment) => {
    const word = segment.split(/[-.]/).find((part) => emptyWords.has(part));
    return word === undefined ? null : `"${word}" says nothing about what is inside`;
  });
}

function segments(paths: readonly string[], judge: (segment: string) => string | null): Finding[] {
  return paths
    .filter((path) => named.test(path))
    .flatMap((path) =>
      path.split("/").flatMap((segment) => {
        const what = judge(segment);
        return what === null ? [] : [{ path, line: 1, what }];
      }),
    );
}
