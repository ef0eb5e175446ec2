// The API as a document for programs and as a page for people. Both are made lazily: a gateway
// that nobody asks pays only for the schemas that its rows carry.
import { anyObject } from "../../core/schema-words.ts";
import type { Answer } from "../../gateway/answer.ts";
import type { PublicRoute, Route } from "../route.ts";

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

function once(make: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null;
  return () => (answer ??= make());
}

const cached = { "cache-control": "public, max-age=300" };

async function writeDocument(routes: readonly Route[]): Promise<Answer> {
  const { openApiDocument } = await import("./document.ts");
  const body = JSON.stringify(openApiDocument(routes));
  return { status: 200, contentType: "application/json", headers: cached, body };
}

async function writePage(routes: readonly Route[]): Promise<Answer> {
  const { openApiDocument } = await import("./document.ts");
  const { writeDocsPage } = await import("./page.ts");
  const { html, headers } = await writeDocsPage(openApiDocument(routes));
  const contentType = "text/html; charset=utf-8";
  return { status: 200, contentType, headers: { ...cached, ...headers }, body: html };
}
