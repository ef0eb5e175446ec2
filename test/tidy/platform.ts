// Only the http layer, and what builds or plays a server, sees the platform's own Request and
// Response. A type of the same name that a file declares or imports is another thing.
import { type Finding, findInCode, isIn, isShipped, type SourceFile } from "./source.ts";

const places = ["src/http/", "sandbox/", "src/core/", "src/app.ts", "src/app/", "src/main.ts"];
const names = ["Request", "Response", "BunRequest"] as const;
const what = "sees the platform's Request or Response: only http does";

export function platformFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path) && !isIn(path, places))
    .flatMap((file) =>
      names
        .filter((name) => !isOwn(file, name))
        .flatMap((name) => {
          const use = new RegExp(`(?:(?<![.\\w$])|\\bglobalThis\\.)${name}\\b`);
          return findInCode(file, use, what);
        }),
    );
}

function isOwn({ code, text }: SourceFile, name: string): boolean {
  const declared = new RegExp(`\\b(?:interface|type|class)\\s+${name}\\b`);
  const parameter = new RegExp(
    `\\b(?:function|class|interface|type)\\s+\\w+\\s*<[^(){=]*\\b${name}\\b`,
  );
  const imported = new RegExp(`\\bimport\\b[^;"']*\\b${name}\\b[^;"']*\\bfrom\\s*["']\\.`);
  return [declared, parameter].some((pattern) => pattern.test(code)) || imported.test(text);
}
