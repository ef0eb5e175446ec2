// Rules of imports. A module sees only what lies below it; between modules of one rank only types
// cross. Tests are free.
import { type Import, readImports } from "./imports.ts";
import { type Finding, isTest, type SourceFile } from "./source.ts";

/** The files at the top of formats, which say what a text request and its usage are. */
const shapes = "shapes of formats";

/** Lowest first; the last rank is the composition root and what starts it. */
const ranks: readonly (readonly string[])[] = [
  ["core"],
  ["config", "catalogue", shapes],
  ["store"],
  ["identity", "limits", "quota", "distribution", "assets", "media", "observe"],
  ["tasks"],
  ["mail"],
  ["notices"],
  ["formats", "families", "upstreams"],
  ["gateway"],
  ["admin"],
  ["http"],
  ["sandbox"],
  ["app.ts", "app", "main.ts", "cli"],
];

/** Plain data and plain shapes: they see core and nothing else, and everyone above sees them. */
const leaves = ["catalogue", shapes];
/** Translators: they see core and neutral shapes, and never each other. */
const adapters = ["formats", "families", "upstreams"];
/** The rooms that speak to text models, and the folder that says what each takes. */
const speakers = ["formats", "upstreams"];
const rulesFolder = "rules";
/** The folder in which siblings keep what they share. */
const sharedFolder = "kit";
const consoleContract = "src/admin/contract.ts";

/** Paths of core that are not for everyone above it, each with its only readers. */
const reserved: readonly { path: string; seenBy: readonly string[] }[] = [
  // Everyone else is given a `Send`, and does not know which of the two it is.
  { path: "src/core/wire/", seenBy: ["src/core/wire/", "src/app/", "src/cli/"] },
  { path: "src/core/fetch/", seenBy: ["src/core/fetch/", "src/app/"] },
  // Pieces without promises are for streams; elsewhere the platform's own will do.
  { path: "src/core/later.ts", seenBy: ["src/core/", "src/gateway/"] },
  { path: "src/core/abort.ts", seenBy: ["src/core/", "src/gateway/"] },
];

/**
 * The script that builds the console for browsers, and the room that may run it where nobody did.
 */
const builder = { path: "bin/bundle.mjs", seenBy: "src/http/console/" };

interface Place {
  module: string;
  /** The module's place among the ranks. */
  layer: string;
  /** The folder inside the module, or null for a file at its top. */
  folder: string | null;
  rank: number;
}

export function layerFindings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(?:src|sandbox|web)\//.test(path) && !isTest(path))
    .flatMap((file) =>
      readImports(file).flatMap((found) => {
        const what = fault(file.path, found);
        return what === null ? [] : [{ path: file.path, line: found.line, what }];
      }),
    );
}

function fault(path: string, { target, isType }: Import): string | null {
  if (target === null) return null;
  if (path.startsWith("web/")) return faultOfConsole(target, isType);
  if (target === builder.path && path.startsWith(builder.seenBy)) return null;
  if (!/^(?:src|sandbox)\//.test(target)) return `imports ${target}, which is outside src`;
  const from = placeOf(path);
  const to = placeOf(target);
  if (from.rank === -1) return `src/${from.module} has no place in the layers`;
  if (to.rank === -1) return `imports ${target}, which has no place in the layers`;
  const room = reserved.find((entry) => target.startsWith(entry.path));
  if (room && !room.seenBy.some((place) => path.startsWith(place))) {
    return `imports ${target}, which is seen by ${room.seenBy.join(", ")} alone`;
  }
  if (mayImport(from, to, isType)) return null;
  const hint = !isType && mayImport(from, to, true) ? " other than by import type" : "";
  return `${from.module} may not import ${target}${hint}`;
}

function faultOfConsole(target: string, isType: boolean): string | null {
  if (!target.startsWith("src/") || (target === consoleContract && isType)) return null;
  return `the console may import only types, and only from ${consoleContract}: ${target}`;
}

function mayImport(from: Place, to: Place, isType: boolean): boolean {
  if (from.rank === ranks.length - 1 || to.module === "core") return true;
  if (from.module === to.module) return to.rank <= from.rank && !areSiblings(from, to);
  // The vendors know nothing of the gateway; the channels that lead to them are in its words.
  if (from.module === "sandbox") {
    return from.folder === null && (isType || to.module === "catalogue");
  }
  if (leaves.includes(from.layer)) return false;
  if (adapters.includes(from.module)) {
    if (to.module === "catalogue" && to.folder === rulesFolder) {
      return speakers.includes(from.module);
    }
    const isShape = adapters.includes(to.module) && to.folder === null;
    return from.module === "upstreams" && isShape && isType;
  }
  return to.rank < from.rank || (to.rank === from.rank && isType);
}

function areSiblings(from: Place, to: Place): boolean {
  if (!adapters.includes(from.module) || from.folder === null || to.folder === null) return false;
  return from.folder !== to.folder && to.folder !== sharedFolder;
}

function placeOf(path: string): Place {
  const [, module = "", ...rest] = path.replace(/^sandbox/, "src/sandbox").split("/");
  const folder = rest.length > 1 ? (rest[0] ?? null) : null;
  // An index is the module's face: it leads to the folders and is no shape.
  const isShape = module === "formats" && folder === null && rest[0] !== "index.ts";
  const layer = isShape ? shapes : module;
  return { module, layer, folder, rank: ranks.findIndex((layers) => layers.includes(layer)) };
}
