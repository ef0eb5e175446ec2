// A column of the usage log is stated once, and what is made of it follows: a new one is a line in
// each of few files. Columns whose names nothing else in these rooms has stand for all of them.
import { type Finding, isTest, type SourceFile } from "./source.ts";

const rooms = [
  "src/admin/log/",
  "src/app/",
  "src/gateway/task/",
  "src/http/",
  "src/observe/",
  "src/store/",
  "bench/",
  "test/harness/accounts/",
  "test/harness/books.ts",
];

const columns = [/\b(?:reasoning_tokens|reasoningTokens)\b/, /\btrace_id\b/];

/** The column, its version, its recorder and its contract; and the words of the reference. */
const filesMax = 5;

export function usageColumnFindings(files: readonly SourceFile[]): Finding[] {
  const roomy = files.filter(
    ({ path }) => rooms.some((room) => path.startsWith(room)) && !isTest(path),
  );
  return columns.flatMap((column) => {
    const naming = roomy.filter(({ text }) => column.test(text));
    const what = `is one of ${naming.length} files that name ${column.source}: ${filesMax} at most`;
    return naming.slice(filesMax).map(({ path }) => ({ path, line: 1, what }));
  });
}
