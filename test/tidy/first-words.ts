// Words that no comment begins with: its subject stands first, as a noun or an imperative.
import { type Finding, lineAt, type SourceFile } from "./source.ts";

const questions = "(?:What|Who|Which|When)(?:ever)?|Where|Wherever|Whom|Whose|Why|How";
const opening = new RegExp(`^(?://|/\\*)[\\s*]*(${questions}|Whether|Of|By|As)\\b`);

export function firstWordFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    openings(file).flatMap(({ start, text }) => {
      const [, word] = opening.exec(text) ?? [];
      // One word says of a boolean that it is one; a file is none.
      if (word === undefined || (word === "Whether" && start > 0)) return [];
      const what = `a comment begins with "${word}": begin with a noun or an imperative`;
      return [{ path: file.path, line: lineAt(file.text, start), what }];
    }),
  );
}

/** Comments without the further lines of those that are several lines of slashes. */
function openings({ text, comments }: SourceFile): SourceFile["comments"] {
  return comments.filter(({ start }, at) => {
    const before = comments[at - 1];
    if (!before?.text.startsWith("//") || !isAlone(text, before.start)) return true;
    return !/^\n[ \t]*$/.test(text.slice(before.start + before.text.length, start));
  });
}

function isAlone(text: string, start: number): boolean {
  return text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() === "";
}
