// The routes by which a browser gets a session, changes it and gives it back.
import type { SecondFactorAsk, SelfView } from "../../admin/contract.ts";
import type { ControlParts } from "../../admin/parts.ts";
import type { AskedFactor } from "../../admin/second-factor/ask.ts";
import { signInSecond } from "../../admin/second-factor/sign-in.ts";
import { endSession, signOut } from "../../admin/session/end.ts";
import { listSessionViews } from "../../admin/session/list.ts";
import { signIn, type SignedIn, type Visitor } from "../../admin/session/open.ts";
import { changePassword } from "../../admin/user/password.ts";
import { register } from "../../admin/user/register.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Answer } from "../../gateway/answer.ts";
import { ticketTtlMs } from "../../identity/factors/tickets.ts";
import { body, forEnrolment, query, route, servedBy, succeed } from "../control-route.ts";
import type { ControlRoute, Incoming, VisitorRoute } from "../route.ts";
import { readCookie, readSessionCookie, writeCookie, writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { relyingPartyOf } from "./relying-party.ts";

const markName = "sluice-visitor";

type Enter = (
  parts: ControlParts,
  visitor: Visitor,
  body: JsonObject,
) => Promise<SignedIn | AskedFactor>;

export function sessionRoutes(
  parts: ControlParts,
  rules: OriginRules,
): (VisitorRoute | ControlRoute)[] {
  function cookie({ headers }: Incoming, secret: string): Record<string, string> {
    const { absoluteMs: maxAgeMs } = parts.sessions.limits;
    const text = writeSessionCookie(headers, rules, { secret, maxAgeMs });
    return text === null ? {} : { "set-cookie": text };
  }

  function enter(path: string, verb: Enter): VisitorRoute {
    async function serve(incoming: Incoming): Promise<Answer> {
      assertCookiePossible(cookie(incoming, ""));
      const visitor = visitorOf(incoming, rules);
      const entered = await verb(parts, visitor, await body(incoming));
      if ("self" in entered)
        return succeed<SelfView>(entered.self, cookie(incoming, entered.secret));
      const { mark, ...ask } = entered;
      return succeed<SecondFactorAsk>(ask, markCookie(incoming, rules, mark));
    }
    return { method: "POST", path, policy: "visitor", envelope: "session", serve };
  }

  const leave = route("POST", "/api/user/logout", "user", async (incoming, operator) =>
    succeed(await signOut(parts, operator), cookie(incoming, "")),
  );
  return [
    enter("/api/user/register", register),
    enter("/api/user/login", signIn),
    enter("/api/user/login/second", signInSecond),
    { ...forEnrolment(leave), carriers: ["session"] },
    route("POST", "/api/user/password", "user", async (incoming, operator) => {
      const visitor = visitorOf(incoming, rules);
      const input = { visitor, body: await body(incoming) };
      const signedIn = await changePassword(parts, operator, input);
      return succeed(null, signedIn ? cookie(incoming, signedIn.secret) : {});
    }),
    route("GET", "/api/session", "user", servedBy(parts)(query, listSessionViews)),
    route("DELETE", "/api/session/{id}", "user", async (incoming, operator) => {
      const ended = await endSession(parts, operator, { id: incoming.params["id"] ?? "" });
      return succeed(ended, ended.id === operator.sessionId ? cookie(incoming, "") : {});
    }),
  ];
}

export function visitorOf({ headers, ip }: Incoming, rules: OriginRules): Visitor {
  const agent = headers.get("user-agent") ?? "";
  return {
    ip,
    agent,
    session: readSessionCookie(headers, rules),
    mark: readCookie(headers, rules, markName),
    relyingParty: relyingPartyOf(headers, rules),
  };
}

/** By it a browser is known again that is half way in. */
export function markCookie(
  { headers }: Incoming,
  rules: OriginRules,
  mark: string,
): Record<string, string> {
  const text = writeCookie(headers, rules, markName, { secret: mark, maxAgeMs: ticketTtlMs });
  return text === null ? {} : { "set-cookie": text };
}

/** A password on its way through a network in the clear is not to be encouraged. */
export function assertCookiePossible(headers: Record<string, string>): void {
  if (headers["set-cookie"] !== undefined) return;
  throw new GatewayError("permission_denied", {
    message:
      "Signing in needs https. Put a proxy with TLS in front and set server.public_url, " +
      "or open the gateway on its own machine by a loopback address.",
  });
}
