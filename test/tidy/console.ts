// The laws of the console: what it calls, what it never does to a page, where its colours and its
// words are, and that nothing of it is out of reach.
import { readImports } from "./imports.ts";
import { type Finding, findInCode, isIn, isTest, lineAt } from "./source.ts";
import type { SourceFile, TextFile } from "./source.ts";

const entry = "web/main.tsx";
const network = ["web/core/", "web/pages/playground/"];
const calls = /(?<![.\w$])(?:fetch\s*\(|EventSource\b(?=\s*\()|XMLHttpRequest\b|sendBeacon\b)/;
/** Calls that take a path and a promise of its type, where an address has both. */
const byPath = /(?<![.\w$])(?:useGet|call)\s*[<(]/;
const markup = /\b(?:innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML)\b/;
const colours = /#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\(/g;
const tokens = "web/kit/tokens.css";
/** Text that stands between tags, or in an attribute that people read. */
const bareText =
  />\s*[\p{L}][^<>{}=;]*<\/|\s(?:label|title|hint|text|placeholder|aria-label|alt)="[^"]*\p{L}/gu;

export function consoleFindings(files: readonly SourceFile[]): Finding[] {
  const own = files.filter(({ path }) => path.startsWith("web/") && !isTest(path));
  return own.flatMap((file) => [
    ...(isIn(file.path, network) ? [] : findInCode(file, calls, "calls by itself: see web/core")),
    ...(isIn(file.path, ["web/core/"])
      ? []
      : findInCode(file, byPath, "asks by a path: see web/core/control.ts")),
    ...findInCode(file, markup, "makes markup of text: make elements"),
    ...pageFindings(file),
    ...(file.path.endsWith(".tsx") ? findText(file, bareText, "text outside of words.ts") : []),
  ]);
}

/** No page knows another one: what two of them need goes into the kit. */
function pageFindings(file: SourceFile): Finding[] {
  const folder = /^web\/pages\/[^/]+\//.exec(file.path)?.[0];
  return readImports(file).flatMap(({ target, line }) => {
    const other = /^web\/pages\/[^/]+\//.exec(target ?? "")?.[0];
    if (folder === undefined || other === undefined || other === folder) return [];
    return [{ path: file.path, line, what: `imports ${target}, which is of another page` }];
  });
}

export function colourFindings(files: readonly TextFile[]): Finding[] {
  return files
    .filter(({ path }) => /^web\/.*\.(?:css|tsx?)$/.test(path) && path !== tokens && !isTest(path))
    .flatMap((file) => findText(file, colours, `a colour outside of ${tokens}`));
}

const ownSheet = /^(web\/pages\/[^/]+\/)page\.css$/;
const first = ["web/pages/sign-in/", "web/pages/overview/"];
/** Styles of every page but the one that comes without them. */
const restSheet = "web/kit/rest/rest.css";
const restless = ["web/pages/overview/"];
const classNames = /\.([a-zA-Z][\w-]*)/g;

/** A page's styles come with it alone, so no other folder shows what they style. */
export function sheetFindings(files: readonly TextFile[]): Finding[] {
  const folders = new Map<string, Set<string>>();
  const everywhere = new Set<string>();
  const rest = new Set<string>();
  for (const { path, text } of files.filter((one) => /^web\/.*\.css$/.test(one.path))) {
    const folder = ownSheet.exec(path)?.[1];
    for (const [, name = ""] of text.matchAll(classNames)) {
      if (path === restSheet) rest.add(name);
      else if (folder === undefined || first.includes(folder)) everywhere.add(name);
      else folders.set(name, (folders.get(name) ?? new Set()).add(folder));
    }
  }
  const shown = files.filter(({ path }) => /^web\/.*\.tsx$/.test(path) && !isTest(path));
  return shown.flatMap((file) =>
    Array.from(file.text.matchAll(/\bclass="([^"]*)"/g)).flatMap(({ index, 1: names = "" }) => {
      const away = names.split(" ").find((name) => {
        if (everywhere.has(name)) return false;
        const own = folders.get(name);
        if (rest.has(name)) return isIn(file.path, restless);
        return own && !isIn(file.path, [...own]);
      });
      const what = `shows ${away}, whose styles come with another page alone`;
      return away === undefined ? [] : [{ path: file.path, line: lineAt(file.text, index), what }];
    }),
  );
}

export function unreachedFindings(files: readonly SourceFile[]): Finding[] {
  const own = new Map(
    files.filter(({ path }) => path.startsWith("web/")).map((file) => [file.path, file]),
  );
  // The core and the kit are there for pages to come as well; the build finds languages by itself.
  const rooms = ["web/core/", "web/kit/", "web/languages/"];
  const shared = [...own.keys()].filter((path) => isIn(path, rooms));
  const reached = new Set([entry, ...shared]);
  for (const path of reached) {
    const file = own.get(path);
    for (const { target } of file ? readImports(file) : []) {
      if (target !== null && own.has(target)) reached.add(target);
    }
  }
  return [...own.keys()]
    .filter((path) => !reached.has(path) && !isTest(path) && !path.endsWith(".d.ts"))
    .map((path) => ({ path, line: 1, what: `is not reached from ${entry}` }));
}

function findText({ path, text }: TextFile, pattern: RegExp, what: string): Finding[] {
  return Array.from(text.matchAll(pattern), ({ index }) => ({
    path,
    line: lineAt(text, index),
    what,
  }));
}
