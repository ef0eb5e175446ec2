// The page that shows the document to people. All of it is there before its script runs, it loads
// nothing from elsewhere, and what it may do at all is what stands in it.
import { isObject, type JsonObject } from "../../core/json.ts";
import { markup, type Markup } from "./page/markup.ts";
import { opening } from "./page/opening.ts";
import { operationPart, textAt, objectAt, type Operation } from "./page/operation.ts";

export interface DocsPage {
  html: string;
  headers: Record<string, string>;
}

export async function writeDocsPage(document: JsonObject): Promise<DocsPage> {
  const frame = await Bun.file(new URL("./docs.html", import.meta.url)).text();
  const groups = groupsOf(document);
  const html = frame
    .replace("<!-- contents -->", () => groups.map(contentsPart).join(""))
    .replace("<!-- main -->", () => opening(document).html + groups.map(groupPart).join(""));
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(frame, "script")}'`,
    `style-src '${digestOf(frame, "style")}'`,
    // A page of the gateway may ask the gateway, as whoever signs in from here does.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html, headers: { "content-security-policy": policy } };
}

interface Group {
  name: string;
  operations: Operation[];
}

/** The operations by their tags, in the document's order. */
function groupsOf(document: JsonObject): Group[] {
  const operations = Object.entries(objectAt(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, described]) => ({
      path,
      method: method.toUpperCase(),
      said: isObject(described) ? described : {},
    })),
  );
  const tags = Array.isArray(document["tags"]) ? document["tags"].filter(isObject) : [];
  return tags.map((tag) => {
    const name = textAt(tag, "name");
    const isOf = ({ said: described }: Operation) =>
      Array.isArray(described["tags"]) && described["tags"][0] === name;
    return { name, operations: operations.filter(isOf) };
  });
}

function groupPart({ name, operations }: Group): string {
  return markup`<h2>${name}</h2>${operations.map(operationPart)}`.html;
}

function contentsPart({ name, operations }: Group): string {
  return markup`<div><h2>${name}</h2>${operations.map(link)}</div>`.html;
}

function link({ path, method, said: described }: Operation): Markup {
  const summary = textAt(described, "summary");
  const words = `${summary} ${method} ${path}`.toLowerCase();
  const id = textAt(described, "operationId");
  return markup`<a href="#${id}" data-words="${words}">${summary}</a>`;
}

/** The digest by which a browser knows the one script and the one style that the page may have. */
function digestOf(html: string, element: "script" | "style"): string {
  const [, inside = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `sha256-${new Bun.CryptoHasher("sha256").update(inside).digest("base64")}`;
}
