// Rows of the route table and how a request finds its row.
import type { ReferenceEntry } from "../core/reference-entry.ts";
import type { Answer } from "../gateway/answer.ts";
import type { OpenCall } from "../gateway/open-call.ts";
import type { Scope } from "../gateway/scope.ts";
import type { Operator } from "../identity/caller.ts";
import type { Seats } from "../identity/role.ts";
import type { Permission } from "../identity/roles/permissions.ts";
import type { BodyTypes, JsonBody } from "./body.ts";
import type { Carrier } from "./credentials.ts";
import type { EnvelopeName } from "./envelopes/index.ts";
import type { EnvelopeOf } from "./peek.ts";

export interface Incoming {
  scope: Scope;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Headers;
  ip: string;
  /** The address at which the client called us; null where that cannot be told. */
  readonly address: string | null;
  /** Reads the body once, as a JSON object. */
  json(bytesMax: number, types?: BodyTypes): Promise<JsonBody>;
  /** Reads the body once, as JSON or as a form. */
  jsonOrForm(bytesMax: number): Promise<JsonBody>;
  /** The body as it comes, for what is larger than memory should hold. */
  pieces(bytesMax: number): AsyncIterable<Uint8Array>;
}

interface RouteAddress {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path; a segment that begins with braces is a parameter. */
  path: string;
  /** The path of the row that this is another address of. */
  aliasOf?: string;
  envelope: EnvelopeName;
  /** The route's entry in the reference. */
  entry: ReferenceEntry;
}

/** For anyone. */
export interface PublicRoute extends RouteAddress {
  policy: "public";
  serve(incoming: Incoming): Promise<Answer>;
}

/** For API keys. */
export interface KeyRoute extends RouteAddress {
  policy: "key";
  carriers: readonly Carrier[];
  /** Starts paid work, which is shed first when memory is short. */
  isPaid: boolean;
  /** Chooses the envelope of a refusal, where the body has a say in it. */
  envelopeOf?: EnvelopeOf;
  /** Finishes the call where it is paid: only the flow knows when its answer has ended. */
  serve(incoming: Incoming, call: OpenCall): Promise<Answer>;
}

/** For people who are not signed in yet. */
export interface VisitorRoute extends RouteAddress {
  policy: "visitor";
  serve(incoming: Incoming): Promise<Answer>;
}

/** For people and scripts that run the gateway or their own account. */
export interface ControlRoute extends RouteAddress {
  policy: "control";
  /** Permission that it takes; absent: it is for every account. */
  permission?: Permission;
  /** Permission that it takes where it is about another account, as the reference says. */
  others?: Permission;
  /** Credentials that may carry them. */
  carriers: readonly ("session" | "token")[];
  /** Seats that may use it in their organisation, whatever their role; absent: it has no scope. */
  seats?: Seats;
  /** Also for one who still has to set up the second factor that its role demands. */
  isForEnrolment?: true;
  /** Set where its answer would let the reader do more than read. */
  showsSecret?: true;
  serve(incoming: Incoming, operator: Operator): Promise<Answer>;
}

/** For the machine itself, or an admin. */
export interface LocalRoute extends RouteAddress {
  policy: "local";
  serve(incoming: Incoming): Promise<Answer>;
}

export type Route = PublicRoute | KeyRoute | VisitorRoute | ControlRoute | LocalRoute;

export interface Match {
  route: Route;
  params: Readonly<Record<string, string>>;
}

const noParams = Object.freeze({});

interface Row {
  route: Route;
  segments: readonly string[];
}

export class RouteTable {
  /** Paths without parameters, each with its rows by method. */
  readonly #exact = new Map<string, Map<string, Match>>();
  readonly #patterns: readonly Row[];
  readonly #rows: readonly Row[];
  readonly routes: readonly Route[];

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    this.#rows = routes.map((route) => ({ route, segments: route.path.split("/") }));
    this.#patterns = this.#rows
      .filter(({ route }) => route.path.includes("{"))
      .toSorted((one, other) => Number(breadth(one)) - Number(breadth(other)));
    for (const route of routes) {
      if (!route.path.includes("{")) {
        this.#methods(route.path).set(route.method, { route, params: noParams });
      }
    }
  }

  #methods(path: string): Map<string, Match> {
    let methods = this.#exact.get(path);
    if (!methods) this.#exact.set(path, (methods = new Map()));
    return methods;
  }

  /** The row next to an address that has none: most leading segments shared, then the shortest. */
  nearest(path: string): Route {
    const segments = path.split("/");
    const rows = this.#rows.map((row) => ({
      ...row,
      shared: sharedLength(row.segments, segments),
    }));
    const nearest = rows.reduce((best, row) => {
      const isNearer = row.shared - best.shared || best.segments.length - row.segments.length;
      return isNearer > 0 ? row : best;
    });
    return nearest.route;
  }

  /** The methods that a path takes, be it an address or a pattern of the table. */
  methodsAt(path: string): string[] {
    const segments = path.split("/");
    const methods = this.#rows
      .filter(
        ({ route, segments: pattern }) => route.path === path || matchSegments(pattern, segments),
      )
      .map(({ route }) => route.method);
    return [...new Set(methods.flatMap((one) => (one === "GET" ? [one, "HEAD"] : [one])))];
  }

  /** "path" when the path is known but not with this method, null when it is not known at all. */
  match(method: string, path: string): Match | "path" | null {
    const methods = this.#exact.get(path);
    const exact = methods?.get(method);
    if (exact) return exact;
    const segments = path.split("/");
    let isKnown = methods !== undefined;
    for (const pattern of this.#patterns) {
      const params = matchSegments(pattern.segments, segments);
      if (!params) continue;
      if (pattern.route.method === method) {
        const { route } = pattern;
        const isEscaped = route.policy === "key" && path.includes("%");
        return { route, params: isEscaped ? unescaped(params) : params };
      }
      isKnown = true;
    }
    return isKnown ? "path" : null;
  }
}

/** Order of the runtime's matching: a spelt-out segment goes before one that may be anything. */
function breadth({ segments }: Row): string {
  return segments
    .map((segment) => (segment.startsWith("{") ? (segment.endsWith("}") ? 2 : 1) : 0))
    .join("");
}

function sharedLength(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((segment, at) => segment !== right[at]);
  return end === -1 ? left.length : end;
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const actual = segments[at] ?? "";
    if (!expected.startsWith("{")) {
      if (expected !== actual) return null;
      continue;
    }
    const brace = expected.indexOf("}");
    const suffix = expected.slice(brace + 1);
    if (!actual.endsWith(suffix) || actual.length === suffix.length) return null;
    params[expected.slice(1, brace)] = actual.slice(0, actual.length - suffix.length);
  }
  return params;
}

/** Each decoded once. What is no text, or has control characters, names nothing and stays. */
function unescaped(params: Match["params"]): Match["params"] {
  const entries = Object.entries(params).map(([name, value]) => [name, decoded(value)] as const);
  return Object.fromEntries(entries);
}

function decoded(value: string): string {
  try {
    const text = decodeURIComponent(value);
    return hasControl.test(text) ? value : text;
  } catch {
    return value;
  }
}

const hasControl = /[^\P{Cc}]/u;
