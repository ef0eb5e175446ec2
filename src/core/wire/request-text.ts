// A request as it goes over the wire. Nothing that a caller says can end a line or the head.
import { assertHeader, type OutboundRequest } from "../outbound.ts";
import type { Destination } from "./destination.ts";

/** Said here, whatever a caller says: they decide where one request ends and the next begins. */
const ownNames = new Set(["content-length", "transfer-encoding", "connection"]);

/** `bodyBytes` is null where there is no body. */
export function renderHead(
  { method, headers }: Pick<OutboundRequest, "method" | "headers">,
  destination: Destination,
  { bodyBytes, isKept }: { bodyBytes: number | null; isKept: boolean },
): string {
  let { host } = destination;
  let hasAccept = false;
  let lines = "";
  for (const name of Object.keys(headers)) {
    const lowered = name.toLowerCase();
    const text = headers[name] ?? "";
    assertHeader(name, text);
    if (lowered === "host") host = text;
    else if (!ownNames.has(lowered)) lines += `${name}: ${text}\r\n`;
    hasAccept ||= lowered === "accept";
  }
  if (!hasAccept) lines += "accept: */*\r\n";
  if (bodyBytes !== null) lines += `content-length: ${bodyBytes}\r\n`;
  else if (method !== "GET") lines += "content-length: 0\r\n";
  if (!isKept) lines += "connection: close\r\n";
  return `${method} ${destination.path} HTTP/1.1\r\nhost: ${host}\r\n${lines}\r\n`;
}
