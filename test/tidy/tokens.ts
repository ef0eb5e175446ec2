// Words that may stand nowhere, or only in the places that own them. Told by code and comments
// apart, so that a text about a banned word is not a use of it.
import { isFunctionHead } from "./functions.ts";
import { type Finding, findInCode, isIn, isShipped, isTest, lineAt } from "./source.ts";
import type { SourceFile } from "./source.ts";

interface Ban {
  pattern: RegExp;
  what: string;
}

interface OwnedWord extends Ban {
  places: readonly string[];
}

const clockPlaces = ["src/core/", "src/app.ts", "src/app/"];
const clock = { places: clockPlaces, what: "reads the clock: take a Clock" };
const timer = { places: clockPlaces, what: "sets a timer: take Timers or Deadlines" };
const network = { places: clockPlaces, what: "fetches by itself: take a port" };
const environment = { places: ["src/config/"], what: "reads the environment: take a Config" };

/** Only shipped code is bound by these; tests and benchmarks are free. */
const ownedWords: readonly OwnedWord[] = [
  { ...environment, pattern: /\b(?:process|Bun|import\.meta)\s*\.\s*env\b/ },
  { ...clock, pattern: /\bDate\.now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/ },
  { ...clock, pattern: /\bperformance\.now\b|\bBun\.nanoseconds\b|\bprocess\.hrtime\b/ },
  { ...timer, pattern: /(?<![.\w$])(?:setTimeout|setInterval|setImmediate)\b/ },
  { ...timer, pattern: /\bglobalThis\.set(?:Timeout|Interval|Immediate)\b/ },
  { ...timer, pattern: /\bBun\.sleep(?:Sync)?\b|\bAbortSignal\.timeout\b/ },
  { ...network, pattern: /\b(?:globalThis|Bun)\.fetch\b/ },
  { ...network, pattern: /(?:[=:]|\?\?)\s*fetch\s*[;,)}]/ },
  { places: clockPlaces, pattern: /\bMath\.random\b/, what: "rolls dice: take a Random" },
  { places: [], pattern: /\bconsole\s*[.[]/, what: "writes to the console: take a Log" },
  {
    places: ["src/main.ts", "src/cli/"],
    pattern: /\bprocess\.exit\b/,
    what: "ends the process: throw, or let the composition root close",
  },
];

const bannedWords: readonly Ban[] = [
  { pattern: /\bas\s+any\b|:\s*any\b(?!\s*[(.])|<any\b|\bany\[\]/, what: "any: use unknown" },
  { pattern: /\bexport\s+default\b/, what: "default export: name it" },
  { pattern: /\benum\s+[A-Za-z_$][\w$]*\s*\{/, what: "enum: use a union of literals" },
  { pattern: /\.\s*tee\s*\(/, what: ".tee() buffers without bound: observe while passing on" },
  { pattern: /\bObject\.assign\s*\(/, what: "Object.assign sets prototypes: spread instead" },
];

const bannedRemarks: readonly Ban[] = [
  { pattern: /@ts-(?:ignore|expect-error|nocheck)\b/, what: "silences the type checker" },
  { pattern: /\b(?:TODO|FIXME)\b/, what: "unfinished: finish it or open an issue" },
];

const bannedInTests: readonly (Ban & { places?: readonly string[] })[] = [
  {
    places: ["test/harness/requirements.ts"],
    pattern: /\b(?:test|it|describe)\s*\.\s*(?:skip|only|todo|if|skipIf|todoIf|failing)\b/,
    what: "a test that does not always run: take testNeeding",
  },
  {
    pattern: /\.\s*(?:evaluate\w*|waitForFunction|addInitScript)\s*\(\s*["'`]/,
    what: "a script as text, which a page's policy may refuse: hand over a function",
  },
  {
    pattern: /\bwaitForTimeout\b|\bwaitForNetworkIdle\b/,
    what: "waits for time to pass: wait for what is to happen",
  },
  {
    pattern: /\bnew\s+Database\s*\(\s*join\(/,
    what: "opens a gateway's file without patience: take openDatabase",
  },
  { pattern: /\bexpect\s*\(\s*(?:true|false)\s*\)/, what: "an expectation that says nothing" },
];

export function ownedWordFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path))
    .flatMap((file) => [
      ...ownedWords
        .filter(({ places }) => !isIn(file.path, places))
        .flatMap(({ pattern, what }) => findInCode(file, pattern, what)),
      ...(isIn(file.path, network.places) ? [] : bareFetches(file)),
    ]);
}

export function bannedWordFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => [
    ...bannedWords
      // A tool's configuration file has the form that the tool dictates.
      .filter(({ what }) => !(what.startsWith("default") && file.path.includes(".config.")))
      .flatMap(({ pattern, what }) => findInCode(file, pattern, what)),
    ...bannedRemarks.flatMap((ban) => findInComments(file, ban)),
  ]);
}

export function testFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path) || path.startsWith("test/"))
    .flatMap((file) =>
      bannedInTests
        .filter(({ places = [] }) => !isIn(file.path, places))
        .flatMap(({ pattern, what }) => findInCode(file, pattern, what)),
    );
}

/** Calls of the global; a method or a signature of that name is someone's port. */
function bareFetches(file: SourceFile): Finding[] {
  return Array.from(file.code.matchAll(/(?<![.\w$#])fetch\s*\(/g)).flatMap((match) => {
    if (isFunctionHead(file.code, match.index + match[0].length - 1)) return [];
    return [{ path: file.path, line: lineAt(file.text, match.index), what: network.what }];
  });
}

function findInComments(file: SourceFile, { pattern, what }: Ban): Finding[] {
  return file.comments.flatMap((comment) =>
    Array.from(comment.text.matchAll(new RegExp(pattern, "g")), (match) => ({
      path: file.path,
      line: lineAt(file.text, comment.start + match.index),
      what,
    })),
  );
}
