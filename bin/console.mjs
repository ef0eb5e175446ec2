// The console as one file: everything a browser loads, under names that change with what is in it,
// compressed as it goes over the wire. Run by Bun, whose bundler makes it.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../web/", import.meta.url));
const address = "/console-assets/";

/** Every file by its name, with its type and, in base64, what is sent of it. */
export async function buildConsole() {
  const { outputs } = await Bun.build({
    entrypoints: [join(folder, "main.tsx")],
    target: "browser",
    minify: true,
    splitting: true,
    sourcemap: "none",
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = {};
  for (const output of outputs)
    files[basename(output.path)] = pack(Buffer.from(await output.arrayBuffer()));
  files["mark.svg"] = pack(readFileSync(join(folder, "mark.svg")));
  const names = Object.keys(files);
  const script = names.find((name) => /^main-.*\.js$/.test(name));
  // The bundler writes the styles once more for each page that is loaded later; none needs them.
  const style = names.find((name) => /^main-.*\.css$/.test(name));
  const html = readFileSync(join(folder, "index.html"), "utf8")
    .replace("<!-- styles -->", `<link rel="stylesheet" href="${address}${style}" />`)
    .replace("<!-- script -->", `<script type="module" src="${address}${script}"></script>`);
  files["index.html"] = pack(Buffer.from(html));
  return files;
}

/** Highest compression: it is done once, and read many times. */
function pack(bytes) {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    br: brotliCompressSync(bytes, { params }).toString("base64"),
    gzip: gzipSync(bytes, { level: 9 }).toString("base64"),
  };
}

const [, script, out] = process.argv;
if (script === fileURLToPath(import.meta.url) && out !== undefined) {
  writeFileSync(out, JSON.stringify(await buildConsole()));
}
