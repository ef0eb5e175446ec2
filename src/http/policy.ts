// Access to a route of the control plane: by access token, or by the session of a browser; for
// oneself, or in the scope of an organisation.
import { assertPermitted } from "../admin/authority.ts";
import type { Config } from "../config/config.ts";
import { GatewayError } from "../core/errors.ts";
import type { Sessions } from "../identity/access/sessions.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { Operator } from "../identity/caller.ts";
import type { Organisations } from "../identity/organisations/organisations.ts";
import { refusedCredential } from "../identity/refused-credential.ts";
import { areAmong } from "../identity/roles/rights.ts";
import type { SecondFactors } from "../identity/factors/second-factors.ts";
import { readCredential, refusalOfSeveral } from "./credentials.ts";
import type { ControlRoute, Incoming } from "./route.ts";
import { scopeParam } from "./scope-param.ts";
import { readSessionCookie } from "./session/cookie.ts";
import type { OriginRules } from "./session/origin.ts";
import { assertOwnPage } from "./session/own-page.ts";

export interface ControlAccess extends OriginRules {
  authenticator: Authenticator;
  sessions: Sessions;
  secondFactors: Pick<SecondFactors, "isEnrolled">;
  signInRules: Pick<Config["signIn"], "adminSecondFactor">;
  organisations: Organisations;
}

type Needed = Pick<
  ControlRoute,
  "method" | "path" | "permission" | "carriers" | "seats" | "isForEnrolment" | "showsSecret"
>;

/** For what the gateway says of itself to programs that watch it. */
export const anyWatcher: Needed = {
  method: "GET",
  path: "",
  // Sums of money are among it.
  permission: "money.read",
  carriers: ["session", "token"],
};

export async function authoriseControl(
  access: ControlAccess,
  incoming: Pick<Incoming, "headers" | "params" | "query">,
  needed: Needed,
): Promise<Operator> {
  const person = await identify(access, incoming.headers, needed);
  const carrier = person.sessionId === undefined ? "token" : "session";
  if (!needed.carriers.includes(carrier)) {
    const message = "Only someone who is signed in may do that, not an access token.";
    throw new GatewayError("permission_denied", { message });
  }
  if (person.isReadOnly && (needed.method !== "GET" || needed.showsSecret)) {
    const message = "This access token only reads: it changes nothing and is shown no secrets.";
    throw new GatewayError("permission_denied", { message });
  }
  const operator = await withinScope(access, person, incoming, needed);
  if (operator.seat === undefined && needed.permission !== undefined) {
    assertPermitted(operator, needed.permission);
  }
  if (!needed.isForEnrolment) await assertEnrolled(access, person);
  return operator;
}

/** The row's parameter that names the organisation that the call is about. */
const organisationParam = "organisation";

/**
 * The person itself, or the organisation that its address, its query or its token names, by the
 * seat that the person has there. A role on the platform is no seat, and a seat no role.
 */
async function withinScope(
  { organisations }: ControlAccess,
  person: Operator,
  { params, query }: Pick<Incoming, "params" | "query">,
  { path, seats }: Needed,
): Promise<Operator> {
  const isAbout = path.includes(`{${organisationParam}}`);
  const named = isAbout ? params[organisationParam] : seats && query.get(scopeParam);
  const organisation = named ?? person.boundTo;
  if (organisation === undefined) return person;
  if (!seats) {
    const message = "This access token acts in its organisation alone, and this is no part of it.";
    throw new GatewayError("permission_denied", { message });
  }
  return await organisations.enter(person, organisation, seats);
}

/** Signing in is what needs the second factor: a token was made by someone who was in. */
export async function assertEnrolled(
  { signInRules, secondFactors }: Pick<ControlAccess, "signInRules" | "secondFactors">,
  { accountId, role, sessionId }: Operator,
): Promise<void> {
  if (signInRules.adminSecondFactor !== "required" || role === "user" || sessionId === undefined)
    return;
  if (await secondFactors.isEnrolled(accountId)) return;
  throw new GatewayError("second_factor_required");
}

async function identify(
  access: ControlAccess,
  headers: Headers,
  { method }: Needed,
): Promise<Operator> {
  const token = readCredential(headers, "", ["bearer"]);
  const session = readSessionCookie(headers, access);
  if (token !== null && session !== null) {
    const message = "An access token and a session were sent: only one may be.";
    const conflict = new GatewayError("conflicting_credentials", { message });
    throw await refusalOfSeveral(conflict, [
      () => access.authenticator.operator(token),
      () => access.sessions.operator(session),
    ]);
  }
  if (token !== null) return await access.authenticator.operator(token);
  if (session === null) throw refusedCredential("missing");
  // A session that has ended is said first: to sign in again is what helps then.
  const operator = await access.sessions.operator(session);
  if (method !== "GET") assertOwnPage(headers, access);
  return operator;
}

/** Whether what opened a stream would open it again. Asking keeps no session alive. */
export async function isStillAllowed(
  access: Pick<ControlAccess, "authenticator" | "sessions" | "organisations">,
  headers: Headers,
  operator: Operator,
): Promise<boolean> {
  const { authenticator, sessions, organisations } = access;
  const { sessionId, role, may, seat } = operator;
  if (seat && !(await organisations.isStill(operator.accountId, seat))) return false;
  // A session ends with a change of its account's role or status.
  if (sessionId !== undefined) return await sessions.isStill({ ...operator, sessionId });
  const token = readCredential(headers, "", ["bearer"]);
  if (token === null) return false;
  const now = await authenticator.operator(token);
  return now.role === (seat?.platformRole ?? role) && areAmong(may, now.may);
}

/** A caller on this machine, not one behind a proxy on this machine. */
export function isLocal(ip: string, headers: Headers): boolean {
  const isLoopback = ip === "::1" || /^(?:::ffff:)?127\./.test(ip);
  return isLoopback && ![...headers.keys()].some((name) => sentByProxies.test(name));
}

/** Names that proxies, balancers and tunnels say in that a request is not their own. */
const sentByProxies = new RegExp(
  "^(?:forwarded|via|cdn-loop|cf-ray|x-real-ip|" +
    "(?:true-|cf-|fly-|fastly-|x-|x-cluster-)?(?:client|connecting)-ip|" +
    "x-(?:forwarded|original|envoy|azure|arr|amzn)(?:-.+)?)$",
);
