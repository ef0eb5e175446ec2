// The first look at a request: its path must be in its one canonical form and its host a host, so
// that what is matched, what is authorised and what is logged are the same address.
import { GatewayError } from "../core/errors.ts";

const canonicalPath = /^(?:\/[A-Za-z0-9_~:@!$&'()*+,=-][A-Za-z0-9_.~:@!$&'()*+,=-]*)+$|^\/$/;
const plainHost = /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const ownNames = new Set(["127.0.0.1", "localhost", "[::1]"]);

export interface SentTarget {
  path: string;
  /** Without the question mark. */
  query: string;
}

/**
 * Splits the raw URL, which may be absolute or not, without normalising anything away. Most often
 * it is just the path that the runtime has matched, which is canonical because a row has it.
 */
export function readTarget(url: string, sentAs: string | null): SentTarget {
  const from = pathStart(url);
  if (sentAs !== null && from + sentAs.length === url.length && url.endsWith(sentAs)) {
    return { path: sentAs, query: "" };
  }
  const target = splitTarget(url, from);
  if (!canonicalPath.test(target.path)) throw new GatewayError("invalid_path");
  return target;
}

/** The path as it was sent, in whatever form: only for finding out how a refusal is written. */
export function sentPath(url: string): string {
  return splitTarget(url, pathStart(url)).path;
}

function pathStart(url: string): number {
  const scheme = url.indexOf("://");
  return scheme === -1 ? 0 : url.indexOf("/", scheme + 3);
}

function splitTarget(url: string, from: number): SentTarget {
  const rest = from === -1 ? "/" : url.slice(from);
  const mark = rest.indexOf("?");
  const path = mark === -1 ? rest : rest.slice(0, mark);
  return { path, query: mark === -1 ? "" : rest.slice(mark + 1) };
}

export function checkHost(host: string | null, allowed: readonly string[]): void {
  if (host === null || !plainHost.test(host)) throw new GatewayError("invalid_host");
  if (allowed.length === 0) return;
  // Programs on this machine, the command line among them, call it by these.
  if (isOwnName(host)) return;
  const name = nameOf(host);
  if (!allowed.includes(name) && !allowed.includes(host.toLowerCase())) {
    throw new GatewayError("invalid_host");
  }
}

/** True for a host by which only this machine itself is called. */
export function isOwnName(host: string): boolean {
  return ownNames.has(nameOf(host));
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
