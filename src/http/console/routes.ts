// The console over HTTP: one page for every address of it, and the files that it loads.
import { GatewayError } from "../../core/errors.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import type { Answer } from "../../gateway/answer.ts";
import { encodingOf } from "../client/encoding.ts";
import type { Incoming, PublicRoute } from "../route.ts";
import { assetTypes, readConsoleFiles, type ConsoleFile, type ConsoleFiles } from "./files.ts";
import { assetHeaders, pageHeaders } from "./headers.ts";

const tag = "System";
const page: ReferenceEntry = {
  tag,
  summary: "Open the console",
  description: "A page for people. It calls nothing but what this document describes.",
  takesAnyQuery: true,
  answer: { type: "text/html", description: "The same page at every address of the console." },
};
const [scriptType = "", ...otherTypes] = assetTypes;
const asset: ReferenceEntry = {
  tag,
  summary: "Load a file of the console",
  answer: { type: scriptType, otherTypes, description: "A script, a style or a picture." },
};

/** Empty where the console is not wanted. */
export function consoleRoutes({ enabled }: { enabled: boolean }): PublicRoute[] {
  if (!enabled) return [];
  let reading: Promise<ConsoleFiles> | null = null;
  const files = () => (reading ??= readConsoleFiles());
  const anyone = { method: "GET", policy: "public", envelope: "a" } as const;
  const open = async (incoming: Incoming) =>
    answer(incoming, (await files()).get("index.html"), pageHeaders);
  const load = async (incoming: Incoming) =>
    answer(incoming, nameable(await files(), incoming.params["file"] ?? ""), assetHeaders);
  return [
    { ...anyone, path: "/", entry: page, serve: open },
    { ...anyone, path: "/console/{page}", entry: page, serve: open },
    { ...anyone, path: "/console/{page}/{id}", entry: page, serve: open },
    { ...anyone, path: "/console-assets/{file}", entry: asset, serve: load },
  ];
}

/** The page itself is not among them: it has addresses and headers of its own. */
function nameable(files: ConsoleFiles, name: string): ConsoleFile | undefined {
  return name === "index.html" ? undefined : files.get(name);
}

function answer(
  { headers }: Incoming,
  file: ConsoleFile | undefined,
  shown: Readonly<Record<string, string>>,
): Answer {
  if (!file) throw new GatewayError("not_found");
  const { contentType, etag } = file;
  const tagged = { ...shown, etag };
  if (headers.get("if-none-match") === etag) {
    return { status: 304, contentType, headers: tagged, body: "" };
  }
  const encoding = encodingOf(headers.get("accept-encoding"));
  const encoded = encoding === null ? tagged : { ...tagged, "content-encoding": encoding };
  return { status: 200, contentType, headers: encoded, body: file.bytes(encoding) };
}
