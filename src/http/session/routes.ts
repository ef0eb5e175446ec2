// The routes by which a browser gets a session, changes it and gives it back.
import type { SecondFactorAsk, SelfView } from "../../admin/contract.ts";
import type { AskedFactor } from "../../admin/second-factor/ask.ts";
import { signInSecond } from "../../admin/second-factor/sign-in.ts";
import { endSession, signOut } from "../../admin/session/end.ts";
import type { LinkNeeds } from "../../admin/session/link.ts";
import type { SignInNeeds } from "../../admin/session/needs.ts";
import { signIn, type SignedIn, type Visitor } from "../../admin/session/open.ts";
import { tryLink } from "../../admin/session/try-link.ts";
import { linkVerbs, sessionEntries, sessionVerbs } from "../../admin/session/verbs.ts";
import { changePassword } from "../../admin/user/password.ts";
import { register } from "../../admin/user/register.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import type { Answer } from "../../gateway/answer.ts";
import { ticketTtlMs } from "../../identity/factors/tickets.ts";
import { forEnrolment, paramId, readBody, route, rowsWith, succeed } from "../control-route.ts";
import type { ControlRoute, Incoming, VisitorRoute } from "../route.ts";
import { readCookie, readSessionCookie, writeCookie, writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { relyingPartyOf } from "./relying-party.ts";

const markName = "sluice-visitor";

type Enter = (
  needs: SignInNeeds,
  visitor: Visitor,
  body: JsonObject,
) => Promise<SignedIn | AskedFactor>;

export function sessionRoutes(
  needs: SignInNeeds,
  rules: OriginRules,
): (VisitorRoute | ControlRoute)[] {
  function cookie({ headers }: Incoming, secret: string): Record<string, string> {
    const { absoluteMs: maxAgeMs } = needs.sessions.limits;
    const text = writeSessionCookie(headers, rules, { secret, maxAgeMs });
    return text === null ? {} : { "set-cookie": text };
  }

  function enter(path: string, entry: ReferenceEntry, verb: Enter): VisitorRoute {
    async function serve(incoming: Incoming): Promise<Answer> {
      assertCookiePossible(cookie(incoming, ""));
      const visitor = visitorOf(incoming, rules);
      const entered = await verb(needs, visitor, await readBody(incoming));
      if ("self" in entered)
        return succeed<SelfView>(entered.self, cookie(incoming, entered.secret));
      const { mark, ...ask } = entered;
      return succeed<SecondFactorAsk>(ask, markCookie(incoming, rules, mark));
    }
    return { method: "POST", path, policy: "visitor", envelope: "session", entry, serve };
  }

  const leave = route(
    { method: "POST", path: "/api/user/logout", role: "user", entry: sessionEntries.signOut },
    async (incoming, operator) => succeed(await signOut(needs, operator), cookie(incoming, "")),
  );
  return [
    enter("/api/user/register", sessionEntries.register, register),
    enter("/api/user/login", sessionEntries.signIn, signIn),
    enter("/api/user/login/link", sessionEntries.signInByLink, tryLink),
    enter("/api/user/login/second", sessionEntries.signInSecond, signInSecond),
    { ...forEnrolment(leave), carriers: ["session"] },
    route(
      {
        method: "POST",
        path: "/api/user/password",
        role: "user",
        entry: sessionEntries.changePassword,
      },
      async (incoming, operator) => {
        const visitor = visitorOf(incoming, rules);
        const input = { visitor, body: await readBody(incoming) };
        const signedIn = await changePassword(needs, operator, input);
        return succeed(null, signedIn ? cookie(incoming, signedIn.secret) : {});
      },
    ),
    rowsWith(needs)("GET", "/api/session", "user", sessionVerbs.list),
    route(
      { method: "DELETE", path: "/api/session/{id}", role: "user", entry: sessionEntries.end },
      async (incoming, operator) => {
        const ended = await endSession(needs, operator, { id: paramId(incoming) });
        return succeed(ended, ended.id === operator.sessionId ? cookie(incoming, "") : {});
      },
    ),
  ];
}

/** Who makes one gets in as whoever it is for. */
export function linkRoutes({ people, baseUrl }: LinkNeeds, rules: OriginRules): ControlRoute[] {
  const { create } = linkVerbs;
  const row = route(
    { method: "POST", path: "/api/user/{id}/link", role: "root", entry: create },
    async (incoming, operator) => {
      // Where the gateway was told no address, the one that it was called by is known to work.
      const called = rules.publicUrl === null ? incoming.address : null;
      const needs = { people, baseUrl: () => called ?? baseUrl() };
      return succeed(await create.run(needs, operator, { id: paramId(incoming) }));
    },
  );
  return [{ ...row, showsSecret: true }];
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
