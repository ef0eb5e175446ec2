// The routes by which people set up and give up second factors, and the question for a passkey that
// signs in. Only someone who is signed in may change them: a token is not a person.
import type { PasskeyAsk } from "../../admin/contract.ts";
import { askPasskey } from "../../admin/second-factor/sign-in.ts";
import { askPasskeyEntry, secondFactorVerbs } from "../../admin/second-factor/verbs.ts";
import type { SignInNeeds } from "../../admin/session/needs.ts";
import type { Verb } from "../../admin/verb.ts";
import type { Answer } from "../../gateway/answer.ts";
import { forEnrolment, paramId, readBody, route, rowsWith, succeed } from "../control-route.ts";
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
      const input = { id: paramId(incoming), visitor, body: await readBody(incoming) };
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
    forEnrolment(rowsWith(needs)("GET", own, "user", secondFactorVerbs.read)),
    change("/totp", secondFactorVerbs.beginTotp),
    change("/totp/confirm", secondFactorVerbs.confirmTotp),
    change("/totp/remove", secondFactorVerbs.removeTotp),
    change("/passkey/options", secondFactorVerbs.beginPasskey),
    change("/passkey", secondFactorVerbs.addPasskey),
    change("/passkey/{id}/remove", secondFactorVerbs.removePasskey),
    change("/challenge", secondFactorVerbs.askPasskey),
    change("/recovery", secondFactorVerbs.renewRecoveryCodes),
  ];
}
