// The routes by which people set up and give up second factors, and the question for a passkey that
// signs in.
import { askPasskeyCalls, type PasskeyAsk } from "../../admin/second-factor/contract.ts";
import { askPasskey } from "../../admin/second-factor/sign-in.ts";
import { secondFactorVerbs } from "../../admin/second-factor/verbs.ts";
import type { SignInNeeds } from "../../admin/session/needs.ts";
import { openRow, routesFor, succeed } from "../control-route.ts";
import type { ControlRoute, VisitorRoute } from "../route.ts";
import type { OriginRules } from "./origin.ts";
import { assertCookiePossible, markCookie, visitorOf } from "./routes.ts";

export function secondFactorRoutes(
  needs: SignInNeeds,
  rules: OriginRules,
): (VisitorRoute | ControlRoute)[] {
  return [
    openRow("visitor", askPasskeyCalls.ask, async (input, incoming) => {
      assertCookiePossible(markCookie(incoming, rules, ""));
      const visitor = visitorOf(incoming, rules);
      const { mark, ...question } = await askPasskey(needs, visitor, input);
      return succeed<PasskeyAsk>(question, mark === null ? {} : markCookie(incoming, rules, mark));
    }),
    ...routesFor(
      (incoming) => ({ people: needs, visitor: visitorOf(incoming, rules) }),
      secondFactorVerbs,
    ),
  ];
}
