// A request as it goes over the wire. Nothing that a caller says can end a line or the head.
import { OutboundFailed, type OutboundRequest } from "../outbound.ts";
import type { Destination } from "./destination.ts";

/** Said here, whatever a caller says: they decide where one request ends and the next begins. */
const ownNames = new Set(["content-length", "transfer-encoding", "connection"]);
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

type HeadFacts = Pick<OutboundRequest, "method" | "headers">;

/** The headers of a caller, written out. */
interface RenderedHeaders {
  lines: string;
  host: string | null;
}

/** Texts of headers that cannot change any more. */
const remembered = new WeakMap<HeadFacts["headers"], RenderedHeaders>();

/** `bodyBytes` is null where there is no body. */
export function renderHead(
  { method, headers }: HeadFacts,
  destination: Destination,
  { bodyBytes, isKept }: { bodyBytes: number | null; isKept: boolean },
): string {
  const rendered = remembered.get(headers) ?? render(headers);
  let lines = rendered.lines;
  if (bodyBytes !== null) lines += `content-length: ${bodyBytes}\r\n`;
  else if (method !== "GET") lines += "content-length: 0\r\n";
  if (!isKept) lines += "connection: close\r\n";
  const host = rendered.host ?? destination.host;
  return `${method} ${destination.path} HTTP/1.1\r\nhost: ${host}\r\n${lines}\r\n`;
}

function render(headers: HeadFacts["headers"]): RenderedHeaders {
  let host: string | null = null;
  let hasAccept = false;
  let lines = "";
  for (const name of Object.keys(headers)) {
    const lowered = name.toLowerCase();
    const text = headers[name] ?? "";
    if (!token.test(name) || !value.test(text)) throw new OutboundFailed("InvalidHeader", true);
    if (lowered === "host") host = text;
    else if (!ownNames.has(lowered)) lines += `${name}: ${text}\r\n`;
    hasAccept ||= lowered === "accept";
  }
  if (!hasAccept) lines += "accept: */*\r\n";
  const rendered = { lines, host };
  if (Object.isFrozen(headers)) remembered.set(headers, rendered);
  return rendered;
}
