// The routes by which a browser gets a session, changes it and gives it back.
import type { ApiCall, InputOf } from "../../admin/call.ts";
import { mailEnterCalls } from "../../admin/email/contract.ts";
import { finishReset, signInByMail } from "../../admin/email/enter.ts";
import type { AskedFactor } from "../../admin/second-factor/ask.ts";
import type { SecondFactorAsk } from "../../admin/second-factor/contract.ts";
import { signInSecond } from "../../admin/second-factor/sign-in.ts";
import { cookieCalls, enterCalls } from "../../admin/session/contract.ts";
import { endSession, signOut } from "../../admin/session/end.ts";
import type { LinkNeeds } from "../../admin/session/link.ts";
import type { SignInNeeds } from "../../admin/session/needs.ts";
import { signIn, type SignedIn } from "../../admin/session/open.ts";
import type { Visitor } from "../../admin/session/visitor.ts";
import { tryLink } from "../../admin/session/try-link.ts";
import { linkVerbs, sessionVerbs } from "../../admin/session/verbs.ts";
import type { SelfView } from "../../admin/user/contract.ts";
import { changePassword } from "../../admin/user/password.ts";
import { register } from "../../admin/user/register.ts";
import { dayMs } from "../../core/day.ts";
import { GatewayError } from "../../core/errors.ts";
import { ticketTtlMs } from "../../identity/factors/tickets.ts";
import { openRow, routesFor, routesOf, rowOf, succeed } from "../control-route.ts";
import type { ControlRoute, Incoming, VisitorRoute } from "../route.ts";
import { readCookie, readSessionCookie, writeCookie, writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { relyingPartyOf } from "./relying-party.ts";

const markName = "sluice-visitor";
export const mailMarkName = "sluice-mail";
const knownName = "sluice-known";
/** The longest that browsers keep one. */
const knownMs = 400 * dayMs;

type Enter<Input> = (
  needs: SignInNeeds,
  visitor: Visitor,
  input: Input,
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

  function enter<One extends ApiCall>(call: One, verb: Enter<InputOf<One>>): VisitorRoute {
    return openRow("visitor", call, async (input, incoming) => {
      assertCookiePossible(cookie(incoming, ""));
      const entered = await verb(needs, visitorOf(incoming, rules), input);
      if ("self" in entered) {
        const answer = succeed<SelfView>(entered.self, cookie(incoming, entered.secret));
        return { ...answer, ...knownCookie(incoming, rules, entered.known) };
      }
      const { mark, ...ask } = entered;
      return succeed<SecondFactorAsk>(ask, markCookie(incoming, rules, mark));
    });
  }

  return [
    enter(enterCalls.register, register),
    enter(enterCalls.signIn, signIn),
    enter(enterCalls.signInByLink, tryLink),
    enter(enterCalls.signInSecond, signInSecond),
    enter(mailEnterCalls.reset, finishReset),
    enter(mailEnterCalls.link, signInByMail),
    rowOf(cookieCalls.signOut, async (_input, operator, incoming) =>
      succeed(await signOut(needs, operator), cookie(incoming, "")),
    ),
    rowOf(cookieCalls.changePassword, async ({ body }, operator, incoming) => {
      const visitor = visitorOf(incoming, rules);
      const signedIn = await changePassword(needs, operator, { visitor, body });
      const answer = succeed(null, signedIn ? cookie(incoming, signedIn.secret) : {});
      return { ...answer, ...knownCookie(incoming, rules, signedIn?.known ?? null) };
    }),
    ...routesOf(needs, sessionVerbs),
    rowOf(cookieCalls.end, async (input, operator, incoming) => {
      const ended = await endSession(needs, operator, input);
      return succeed(ended, ended.id === operator.sessionId ? cookie(incoming, "") : {});
    }),
  ];
}

/** Routes of links: the maker of one gets in as the person it is for. */
export function linkRoutes({ people, baseUrl }: LinkNeeds, rules: OriginRules): ControlRoute[] {
  return routesFor((incoming) => {
    // The address it was called by is known to work, where the gateway was told none.
    const called = rules.publicUrl === null ? incoming.address : null;
    return { people, baseUrl: () => called ?? baseUrl() };
  }, linkVerbs);
}

export function visitorOf({ headers, ip }: Incoming, rules: OriginRules): Visitor {
  const agent = headers.get("user-agent") ?? "";
  return {
    ip,
    agent,
    session: readSessionCookie(headers, rules),
    mark: readCookie(headers, rules, markName),
    mailMark: readCookie(headers, rules, mailMarkName),
    known: readCookie(headers, rules, knownName),
    relyingParty: relyingPartyOf(headers, rules),
  };
}

/** The cookie by which a browser that has signed in before is no news to the person. */
export function knownCookie(
  { headers }: Incoming,
  rules: OriginRules,
  known: string | null,
): { cookie?: string } {
  if (known === null) return {};
  const cookie = writeCookie(headers, rules, knownName, { secret: known, maxAgeMs: knownMs });
  return cookie === null ? {} : { cookie };
}

/** The cookie by which a browser that is half way in is known again. */
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
