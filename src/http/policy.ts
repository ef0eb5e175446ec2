// Access to a route of the control plane: by access token, or by the session of a browser.
import type { AdminSecondFactor } from "../config/schema.ts";
import { GatewayError } from "../core/errors.ts";
import type { Sessions } from "../identity/access/sessions.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { Operator, Role } from "../identity/caller.ts";
import { refusedCredential } from "../identity/refused-credential.ts";
import type { SecondFactors } from "../identity/factors/second-factors.ts";
import { readCredential } from "./credentials.ts";
import type { ControlRoute } from "./route.ts";
import { readSessionCookie } from "./session/cookie.ts";
import type { OriginRules } from "./session/origin.ts";
import { assertOwnPage } from "./session/own-page.ts";

export interface ControlAccess extends OriginRules {
  authenticator: Authenticator;
  sessions: Sessions;
  secondFactors: Pick<SecondFactors, "isEnrolled">;
  adminSecondFactor: AdminSecondFactor;
}

type Needed = Pick<ControlRoute, "method" | "role" | "carriers" | "isForEnrolment" | "showsSecret">;

/** For reading what is not an account's own. */
export const anyAdmin: Needed = { method: "GET", role: "admin", carriers: ["session", "token"] };

const ranks: Readonly<Record<Role, number>> = { user: 0, admin: 1, root: 2 };

export async function authoriseControl(
  access: ControlAccess,
  headers: Headers,
  needed: Needed,
): Promise<Operator> {
  const operator = await identify(access, headers, needed);
  const carrier = operator.sessionId === undefined ? "token" : "session";
  if (!needed.carriers.includes(carrier)) {
    const message = "Only someone who is signed in may do that, not an access token.";
    throw new GatewayError("permission_denied", { message });
  }
  if (operator.isReadOnly && (needed.method !== "GET" || needed.showsSecret)) {
    const message = "This access token only reads: it changes nothing and is shown no secrets.";
    throw new GatewayError("permission_denied", { message });
  }
  if (ranks[operator.role] < ranks[needed.role]) {
    const message = `This needs the role ${needed.role}, and this account has ${operator.role}.`;
    throw new GatewayError("permission_denied", { message });
  }
  if (!needed.isForEnrolment) await assertEnrolled(access, operator);
  return operator;
}

/** Signing in is what needs the second factor: a token was made by someone who was in. */
export async function assertEnrolled(
  { adminSecondFactor, secondFactors }: Pick<ControlAccess, "adminSecondFactor" | "secondFactors">,
  { accountId, role, sessionId }: Operator,
): Promise<void> {
  if (adminSecondFactor !== "required" || role === "user" || sessionId === undefined) return;
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
    throw new GatewayError("conflicting_credentials", { message });
  }
  if (token !== null) return await access.authenticator.operator(token);
  if (session === null) throw refusedCredential("missing");
  if (method !== "GET") assertOwnPage(headers, access);
  return await access.sessions.operator(session);
}

/** Whether what opened a stream would open it again. Asking keeps no session alive. */
export async function isStillAllowed(
  { authenticator, sessions }: Pick<ControlAccess, "authenticator" | "sessions">,
  headers: Headers,
  { sessionId, role }: Operator,
): Promise<boolean> {
  // A session ends with a change of its account's role or status.
  if (sessionId !== undefined) return await sessions.isOpen(sessionId);
  const token = readCredential(headers, "", ["bearer"]);
  return token !== null && (await authenticator.operator(token)).role === role;
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
