// The routes by which people set up and give up second factors, and the question for a passkey that
// signs in. Only someone who is signed in may change them: a token is not a person.
import type { PasskeyAsk } from "../../admin/contract.ts";
import type { ControlParts } from "../../admin/parts.ts";
import type { OwnChange } from "../../admin/second-factor/enrol.ts";
import {
  askOwnPasskey,
  readOwnFactors,
  renewRecoveryCodes,
} from "../../admin/second-factor/own.ts";
import {
  addOwnPasskey,
  beginOwnPasskey,
  removeOwnPasskey,
} from "../../admin/second-factor/passkey.ts";
import { askPasskey } from "../../admin/second-factor/sign-in.ts";
import { beginOwnTotp, confirmOwnTotp, removeOwnTotp } from "../../admin/second-factor/totp.ts";
import type { Answer } from "../../gateway/answer.ts";
import type { Operator } from "../../identity/caller.ts";
import { body, forEnrolment, nothing, route, servedBy, succeed } from "../control-route.ts";
import type { ControlRoute, Incoming, VisitorRoute } from "../route.ts";
import type { OriginRules } from "./origin.ts";
import { assertCookiePossible, markCookie, visitorOf } from "./routes.ts";

type Verb = (
  parts: ControlParts,
  operator: Operator,
  change: OwnChange & { id: string },
) => Promise<unknown>;

const own = "/api/user/self/second-factor";

export function secondFactorRoutes(
  parts: ControlParts,
  rules: OriginRules,
): (VisitorRoute | ControlRoute)[] {
  const on = servedBy(parts);

  function change(path: string, verb: Verb): ControlRoute {
    const read = async (incoming: Incoming) => ({
      id: incoming.params["id"] ?? "",
      visitor: visitorOf(incoming, rules),
      body: await body(incoming),
    });
    const row = route("POST", `${own}${path}`, "user", on(read, verb));
    return { ...forEnrolment(row), carriers: ["session"] };
  }

  async function ask(incoming: Incoming): Promise<Answer> {
    assertCookiePossible(markCookie(incoming, rules, ""));
    const visitor = visitorOf(incoming, rules);
    const { mark, ...asked } = await askPasskey(parts, visitor, await body(incoming));
    return succeed<PasskeyAsk>(asked, mark === null ? {} : markCookie(incoming, rules, mark));
  }

  const passkey = { method: "POST", path: "/api/user/login/passkey", serve: ask } as const;
  return [
    { ...passkey, policy: "visitor", envelope: "session" },
    forEnrolment(route("GET", own, "user", on(nothing, readOwnFactors))),
    change("/totp", beginOwnTotp),
    change("/totp/confirm", confirmOwnTotp),
    change("/totp/remove", removeOwnTotp),
    change("/passkey/options", beginOwnPasskey),
    change("/passkey", addOwnPasskey),
    change("/passkey/{id}/remove", removeOwnPasskey),
    change("/challenge", askOwnPasskey),
    change("/recovery", renewRecoveryCodes),
  ];
}
