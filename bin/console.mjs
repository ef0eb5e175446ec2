// The console as one file: everything a browser loads, under names that change with what is in it,
// compressed as it goes over the wire. Run by Bun, whose bundler makes it.
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../web/", import.meta.url));
const address = "/console-assets/";

/** Every file by its name, with its type and, in base64, what is sent of it. */
export async function buildConsole() {
  const tables = await Promise.all(languageFiles().map(readLanguage));
  const parts = new Set(tables.flatMap((table) => table.parts));
  const languages = await Promise.all(tables.map((table) => buildLanguage(table, parts)));
  const sheets = await Promise.all(sheetPaths().map(buildSheet));
  const { outputs } = await Bun.build({
    entrypoints: [join(folder, "main.tsx")],
    target: "browser",
    minify: true,
    splitting: true,
    sourcemap: "none",
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]" },
    define: {
      "process.env.NODE_ENV": '"production"',
      "globalThis.LANGUAGES": JSON.stringify(languages.map(({ entry }) => entry)),
      "globalThis.STYLES": JSON.stringify(
        Object.fromEntries(sheets.map(({ name, hash }) => [name, hash])),
      ),
    },
  });
  const files = Object.fromEntries([
    ...languages.flatMap(({ files: parts }) => parts),
    ...sheets.map(({ file, bytes }) => [file, pack(bytes)]),
  ]);
  for (const output of outputs)
    files[basename(output.path)] = pack(Buffer.from(await output.arrayBuffer()));
  files["mark.svg"] = pack(readFileSync(join(folder, "mark.svg")));
  // Parts that several pages share are called main, too.
  const script = basename(outputs.find(({ kind }) => kind === "entry-point").path);
  const style = Object.keys(files).find((name) => /^main-.*\.css$/.test(name));
  const html = readFileSync(join(folder, "index.html"), "utf8")
    .replace("<!-- styles -->", `<link rel="stylesheet" href="${address}${style}" />`)
    .replace("<!-- script -->", `<script type="module" src="${address}${script}"></script>`);
  files["index.html"] = pack(Buffer.from(html));
  return files;
}

/** Sheets of one page or part, which come with it; those of the first view are in one file. */
function sheetPaths() {
  const [first, rest] = ["styles.css", "kit/rest/rest.css"].map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
  const isIn = (name) => first.includes(`"./${name}"`) || rest.includes(`"../../${name}"`);
  const isAlone = (name) => !isIn(name) && name !== "styles.css";
  return names.filter((name) => name.endsWith(".css") && isAlone(name)).toSorted();
}

/** One sheet, named after its folder. */
async function buildSheet(path) {
  const { outputs } = await Bun.build({ entrypoints: [join(folder, path)], minify: true });
  const bytes = Buffer.from(await outputs[0].arrayBuffer());
  const name = basename(dirname(path));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 6);
  return { name, hash, file: `${name}-${hash}.css`, bytes };
}

/** Files in `web/languages` that are a language: whatever has a tag for its name. */
function languageFiles() {
  const names = readdirSync(join(folder, "languages"));
  return names.filter((name) => /^[a-z]{2,3}(?:-[A-Za-z]+)*\.ts$/.test(name)).toSorted();
}

async function readLanguage(name) {
  const path = join(folder, "languages", name);
  const { about, ...parts } = await import(path);
  return { path, tag: basename(name, ".ts"), about, parts: Object.keys(parts) };
}

/** A part that a language lacks: a page may ask for it, and shows English. */
const noWords = "export const words={};";

/**
 * One language: what `web/core/words.ts` knows of it beforehand, and a file for each part of any,
 * so that a page brings no words but its own.
 */
async function buildLanguage({ path, tag, about, parts }, partsOfAny) {
  const names = [...partsOfAny];
  const texts = await Promise.all(
    names.map((part) => (parts.includes(part) ? buildPart(path, part) : noWords)),
  );
  const hash = createHash("sha256").update(texts.join("")).digest("hex").slice(0, 8);
  const file = `${tag}-${hash}`;
  const files = names.map((part, at) => [`${file}-${part}.js`, pack(Buffer.from(texts[at]))]);
  const { name: own, locale, dir = "ltr" } = about;
  return { entry: { tag, name: own, locale, dir, file }, files };
}

/** Build of one part: of several at once, each file would have the parts of all. */
async function buildPart(path, part) {
  const entry = path.replace(/\.ts$/, `-${part}.js`);
  const text = `import { ${part} } from ${JSON.stringify(path)};\nexport const words = ${part};`;
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: text },
    target: "browser",
    minify: true,
    sourcemap: "none",
  });
  return await outputs[0].text();
}

function compress(bytes, mode) {
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_MODE]: mode,
  };
  return brotliCompressSync(bytes, { params });
}

/** Highest compression: it is done once, and read many times. */
function pack(bytes) {
  // The shorter of the two: a single letter changes either by up to 100 bytes.
  const [br] = [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT]
    .map((mode) => compress(bytes, mode))
    .toSorted((one, other) => one.length - other.length);
  return {
    br: br.toString("base64"),
    gzip: gzipSync(bytes, { level: 9 }).toString("base64"),
  };
}

const [, script, out] = process.argv;
if (script === fileURLToPath(import.meta.url) && out !== undefined) {
  writeFileSync(out, JSON.stringify(await buildConsole()));
}
