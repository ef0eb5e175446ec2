// The files of the console, as they are sent: compressed ahead, from memory. They come in one file
// beside the code; where that is not there, as when the sources themselves run, it is made anew.
import { brotliDecompressSync } from "node:zlib";
import type { Encoding } from "../client/encoding.ts";

export interface ConsoleFile {
  contentType: string;
  /** Changes with what is in it. */
  etag: string;
  /** The file's bytes for clients that take this encoding, or none. */
  bytes(encoding: Encoding | null): Uint8Array;
}

export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** Bytes of one file that go over the wire, in base64. */
type Packed = Record<Encoding, string>;
type Build = () => Promise<Record<string, Packed>>;

const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Media types of the files that the page loads. */
export const assetTypes = Object.entries(contentTypes)
  .filter(([ending]) => ending !== "html")
  .map(([, type]) => type.replace(/;.*/, ""));

export async function readConsoleFiles(): Promise<ConsoleFiles> {
  const file = Bun.file(new URL("./console.json", import.meta.url));
  // Made by our own build in both cases, so its shape is known.
  const packed: Record<string, Packed> = (await file.exists())
    ? ((await file.json()) as Record<string, Packed>)
    : await (building ??= build());
  return new Map(Object.entries(packed).map(([name, one]) => [name, unpack(name, one)]));
}

let building: ReturnType<Build> | null = null;

/** From the sources: what builds them is beside them, and in no bundle. */
async function build(): Promise<Record<string, Packed>> {
  const address = new URL("../../../bin/bundle.mjs", import.meta.url).href;
  const { consoleOfSources } = (await import(address)) as { consoleOfSources: Build };
  return await consoleOfSources();
}

function unpack(name: string, packed: Packed): ConsoleFile {
  const br = Buffer.from(packed.br, "base64");
  const gzip = Buffer.from(packed.gzip, "base64");
  const digest = new Bun.CryptoHasher("sha256").update(br).digest("base64url").slice(0, 16);
  return {
    contentType: contentTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    etag: `"${digest}"`,
    bytes(encoding) {
      if (encoding === "br") return br;
      return encoding === "gzip" ? gzip : brotliDecompressSync(br);
    },
  };
}
