// The routes by which people set up and give up second factors, and the question for a passkey that
// signs in. Only someone who is signed in may change them: a token is not a person.
import type { PasskeyAsk } from "../../admin/contract.ts";
import { askPasskey } from "../../admin/second-factor/sign-in.ts";
import { askPasskeyEntry, secondFactors } from "../../admin/second-factor/verbs.ts";
import type { SignInNeeds } from "../../admin/session/needs.ts";
import type { Verb } from "../../admin/verb.ts";
import type { Answer } from "../../gateway/answer.ts";
import { forEnrolment, idOf, readBody, route, rowsWith, succeed } from "../control-route.ts";
import type { ControlRoute, Incoming, VisitorRoute } from "../route.ts";
import type { OriginRules } from "./origin.ts";
import { assertCookiePossible, markCookie, visitorOf } from "./routes.ts";

const own = "/api/user/self/second-factor";

export function secondFactorRoutes(
  needs: SignInNeeds,
  rules: OriginRules,
): (VisitorRoute | ControlRoute)[] {
  function change(path: string, verb: Verb<SignInNeeds, "ownChange">): ControlRoute {
    const address = { method: "POST", path: `${own}${path}`, role: "user", entry: verb } as const;
    const row = route(address, async (incoming, operator) => {
      const visitor = visitorOf(incoming, rules);
      const input = { id: idOf(incoming), visitor, body: await readBody(incoming) };
      return succeed(await verb.run(needs, operator, input));
    });
    return { ...forEnrolment(row), carriers: ["session"] };
  }

  async function ask(incoming: Incoming): Promise<Answer> {
    assertCookiePossible(markCookie(incoming, rules, ""));
    const visitor = visitorOf(incoming, rules);
    const { mark, ...question } = await askPasskey(needs, visitor, await readBody(incoming));
    return succeed<PasskeyAsk>(question, mark === null ? {} : markCookie(incoming, rules, mark));
  }

  return [
    {
      method: "POST",
      path: "/api/user/login/passkey",
      policy: "visitor",
      envelope: "session",
      entry: askPasskeyEntry,
      serve: ask,
    },
    forEnrolment(rowsWith(needs)("GET", own, "user", secondFactors.read)),
    change("/totp", secondFactors.beginTotp),
    change("/totp/confirm", secondFactors.confirmTotp),
    change("/totp/remove", secondFactors.removeTotp),
    change("/passkey/options", secondFactors.beginPasskey),
    change("/passkey", secondFactors.addPasskey),
    change("/passkey/{id}/remove", secondFactors.removePasskey),
    change("/challenge", secondFactors.askPasskey),
    change("/recovery", secondFactors.renewRecoveryCodes),
  ];
}
