// The API as a document for programs and as a page for people. Both are made lazily: a gateway
// that nobody asks pays only for the schemas that its rows carry.
import { brotliCompressSync, constants } from "node:zlib";
import { anyObject } from "../../core/schema-words.ts";
import type { Answer } from "../../gateway/answer.ts";
import { encodingOf, type Encoding } from "../client/encoding.ts";
import type { Incoming, PublicRoute, Route } from "../route.ts";

const tag = "System";

export function referenceRoutes(routes: () => readonly Route[]): PublicRoute[] {
  const anyone = { method: "GET", policy: "public", envelope: "a" } as const;
  return [
    {
      ...anyone,
      path: "/openapi.json",
      entry: { tag, summary: "This document", answer: anyObject },
      serve: once(() => writeDocument(routes())),
    },
    {
      ...anyone,
      path: "/docs",
      entry: {
        tag,
        summary: "This document as a page",
        answer: { type: "text/html", description: "A page that works without a network." },
      },
      serve: once(() => writePage(routes())),
    },
  ];
}

interface Made {
  contentType: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Both forms are long and stay the same, so each is packed once. */
function once(make: () => Promise<Made>): (incoming: Incoming) => Promise<Answer> {
  let making: Promise<Made> | null = null;
  const bytesByEncoding = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  return async (incoming) => {
    const { contentType, headers, body } = await (making ??= make());
    const encoding = encodingOf(incoming.headers.get("accept-encoding"));
    if (encoding === null) return { status: 200, contentType, headers, body };
    let bytes = bytesByEncoding.get(encoding);
    if (!bytes) bytesByEncoding.set(encoding, (bytes = pack[encoding](body)));
    const shown = { ...headers, "content-encoding": encoding };
    return { status: 200, contentType, headers: shown, body: bytes };
  };
}

const pack: Readonly<Record<Encoding, (text: string) => Uint8Array<ArrayBuffer>>> = {
  br: (text) =>
    new Uint8Array(brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })),
  gzip: (text) => Bun.gzipSync(text),
};

const shared = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  vary: "accept-encoding",
};

async function writeDocument(routes: readonly Route[]): Promise<Made> {
  const { openApiDocument } = await import("./document.ts");
  const body = JSON.stringify(openApiDocument(routes));
  return { contentType: "application/json", headers: shared, body };
}

async function writePage(routes: readonly Route[]): Promise<Made> {
  const { openApiDocument } = await import("./document.ts");
  const { writeDocsPage } = await import("./page.ts");
  const { html, headers } = await writeDocsPage(openApiDocument(routes));
  const contentType = "text/html; charset=utf-8";
  return { contentType, headers: { ...shared, ...headers }, body: html };
}
