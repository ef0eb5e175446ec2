// The first look at a request: its path must be in its one canonical form and its host a host, so
// that what is matched, what is authorised and what is logged are the same address.
import { GatewayError } from "../core/errors.ts";
import { scrub } from "../core/log.ts";
import type { Match, RouteTable } from "./route.ts";

const canonicalPath = /^(?:\/[A-Za-z0-9_~:@!$&'()*+,=-][A-Za-z0-9_.~:@!$&'()*+,=-]*)+$|^\/$/;
/** Its id is anything that has a name: the page is the same, and its own script reads the rest. */
const consolePath = /^\/console\/[a-z-]+\/(?:[A-Za-z0-9_.~:@!$&'()*+,=-]|%[0-9A-Fa-f]{2})+$/;
/** An id or a model's name may be escaped; `isEscapable` says where, and `route.ts` resolves it. */
const escapedPath = new RegExp(
  "^(?:/(?:[A-Za-z0-9_~:@!$&'()*+,=-]|%[0-9A-Fa-f]{2})" +
    "(?:[A-Za-z0-9_.~:@!$&'()*+,=-]|%[0-9A-Fa-f]{2})*)+$",
);
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
  if (!isTaken(target.path)) throw misspeltPath(target.path);
  return target;
}

function isTaken(path: string): boolean {
  return canonicalPath.test(path) || escapedPath.test(path);
}

/** Whether an escape may stand in a path that matched so: in what an API key opens. */
export function isEscapable(path: string, match: Match | "path" | null): boolean {
  if (consolePath.test(path)) return true;
  return match === "path" || match?.route.policy === "key";
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

/** Says which form is taken, where there is one. */
export function misspeltPath(path: string): GatewayError {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const canonical = `/${segments.join("/")}`;
  if (canonicalPath.test(path)) {
    const message = `The path was not sent as ${shown(path)}: no dot or backslash is taken.`;
    return new GatewayError("invalid_path", { message });
  }
  const problem = `The path ${shown(path)} is not in its canonical form`;
  const expected =
    canonical !== path && canonicalPath.test(canonical)
      ? `send ${shown(canonical)}`
      : "no empty segment, dot segment, percent sign or slash at the end is taken";
  return new GatewayError("invalid_path", { message: `${problem}: ${expected}.` });
}

const pathCharactersMax = 200;

/** The path, fit for a message: a credential that was put into it is left out. */
function shown(path: string): string {
  return scrub(path.slice(0, pathCharactersMax));
}

/** An address without a row, and the one that was probably meant. */
export function nothingAt(
  { method, path }: { method: string; path: string },
  table: Pick<RouteTable, "match" | "nearest">,
): GatewayError {
  const guesses = [
    path.replace(/^(?:\/v1)+(?=\/)/, ""),
    path.replace(/^\/(?:api|openai)(?=\/)/, ""),
  ];
  const meant = guesses.flatMap((guess) => [guess, `/v1${guess}`, `/v1beta${guess}`]);
  const known = meant.find((one) => one !== path && isMatched(table.match(method, one)));
  const near = table.nearest(path);
  const isNear = near.path.split("/")[2] !== undefined && path.startsWith(twoSegments(near.path));
  const guess = known ?? (isNear ? near.path : null);
  const advice = guess === null ? "" : ` Did you mean ${guess}?`;
  const problem = `There is nothing at ${method} ${shown(path)}.`;
  const message = `${problem}${advice} GET /docs lists all there is.`;
  return new GatewayError("not_found", { message });
}

function isMatched(match: ReturnType<RouteTable["match"]>): boolean {
  return match !== null && match !== "path";
}

function twoSegments(path: string): string {
  return path.split("/").slice(0, 3).join("/");
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
