// Names of families, vendors and models stand in their own folders, so that a new one changes no
// flow. What is asked in a text or a pattern counts; words for people (comments, the reference, the
// command line) may give examples.
import { readImports } from "./imports.ts";
import { type Finding, isIn, isShipped, lineAt, type SourceFile } from "./source.ts";

/** Names as the wire spells them, and as folders do. */
const onWire = /(?<![\w-])(?:(?:video|image)[A-Z]\d?(?![A-Za-z])|imgF|omni|manxue)/;
const asFolder = /(?<![\w-])(?:(?:video|image)-[a-z]\d?|img-f)(?![\w-])/;
const ownModel = /(?<![\w-])(?:chat|embed|vendor)[A-H](?![A-Za-z])/;
const vendorModel =
  /gpt-(?:image|\d)|dall-e|sora-|claude-|gemini|veo-|seedance|seedream|doubao|hailuo/;
/** Not the type `gateway`, which is also what this program is called. */
const vendor = /^(?:openai|anthropic|google|ark|minimax|kling|midjourney)$/;

const homes = ["src/families/", "src/catalogue/", "src/upstreams/", "src/formats/"];
const forPeople = ["src/cli/", "src/main.ts", "src/http/reference/"];
/** Rows of tasks are on disk, in the words they were written in. */
const rows = ["src/tasks/"];
/** The channel types; and clients speak some vendors' wires to http. */
const vendorPlaces = ["src/config/entities.ts", "src/http/"];

export function modelNameFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isShipped(path) && !isIn(path, [...homes, ...forPeople, ...rows]))
    .filter(({ path }) => !/^sandbox\/[^/]+\/|\/[\w-]*(?:entries|contract)\.ts$/.test(path))
    .flatMap((file) => findingsIn(file));
}

function findingsIn(file: SourceFile): Finding[] {
  const specifiers = new Set(readImports(file).map(({ specifier }) => specifier));
  return [...file.literals, ...file.patterns]
    .filter(({ text }) => !specifiers.has(text) && isForeign(file.path, text))
    .map(({ text, start }) => ({
      path: file.path,
      line: lineAt(file.text, start),
      what: `names what has a folder of its own: ${text}`,
    }));
}

function isForeign(path: string, text: string): boolean {
  if (ownModel.test(text) || vendorModel.test(text)) return true;
  if (vendor.test(text)) return !isIn(path, vendorPlaces);
  const [name] = onWire.exec(text) ?? asFolder.exec(text) ?? [];
  return name !== undefined && !isRoom(path, name);
}

/** A folder or file called after the family, or the index that lists such files. */
function isRoom(path: string, name: string): boolean {
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return path.split(/[/.]/).includes(kebab) || path.endsWith("/index.ts");
}
