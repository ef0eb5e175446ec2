// The routes of letters that people ask for, and of the addresses that they prove.
import { askLink, askReset } from "../../admin/email/ask.ts";
import { mailAskCalls } from "../../admin/email/contract.ts";
import { verifyEmail } from "../../admin/email/verify.ts";
import { ownEmailVerbs } from "../../admin/email/verbs.ts";
import type { SignInNeeds } from "../../admin/session/needs.ts";
import { openRow, routesFor, succeed } from "../control-route.ts";
import type { ControlRoute, Incoming, VisitorRoute } from "../route.ts";
import { writeCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { assertCookiePossible, mailMarkName, visitorOf } from "./routes.ts";

/** Lifetime of the letter. */
const markMs = 30 * 60_000;

export function mailRoutes(
  needs: SignInNeeds,
  rules: OriginRules,
): (VisitorRoute | ControlRoute)[] {
  return [
    openRow("visitor", mailAskCalls.verify, async (input, incoming) =>
      succeed(await verifyEmail(needs, visitorOf(incoming, rules), input)),
    ),
    openRow("visitor", mailAskCalls.askReset, async (input, incoming) =>
      succeed(await askReset(needs, visitorOf(incoming, rules), input)),
    ),
    openRow("visitor", mailAskCalls.askLink, async (input, incoming) => {
      assertCookiePossible(mailCookie(incoming, rules, ""));
      const { mark } = await askLink(needs, visitorOf(incoming, rules), input);
      return succeed(null, mailCookie(incoming, rules, mark));
    }),
    ...routesFor(
      (incoming) => ({ people: needs, visitor: visitorOf(incoming, rules) }),
      ownEmailVerbs,
    ),
  ];
}

/** The cookie by which the browser that asked is known again. */
function mailCookie(
  { headers }: Incoming,
  rules: OriginRules,
  secret: string,
): Record<string, string> {
  const text = writeCookie(headers, rules, mailMarkName, { secret, maxAgeMs: markMs });
  return text === null ? {} : { "set-cookie": text };
}
