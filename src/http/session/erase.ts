// The route by which someone deletes their own account for good: signed in, and with a proof.
import type { EraseNeeds } from "../../admin/erase/erase.ts";
import { eraseVerbs } from "../../admin/erase/verbs.ts";
import { paramId, readBody, route, succeed } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";
import { writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { visitorOf } from "./routes.ts";

export function eraseRoutes(needs: EraseNeeds, rules: OriginRules): ControlRoute[] {
  const { eraseSelf: entry } = eraseVerbs;
  const row = route(
    { method: "POST", path: "/api/user/self/erase", role: "user", entry },
    async (incoming, operator) => {
      const visitor = visitorOf(incoming, rules);
      const input = { id: paramId(incoming), visitor, body: await readBody(incoming) };
      const erased = await entry.run(needs, operator, input);
      const ended = { secret: "", maxAgeMs: 0 };
      const cookie = writeSessionCookie(incoming.headers, rules, ended);
      return succeed(erased, cookie === null ? {} : { "set-cookie": cookie });
    },
  );
  return [{ ...row, carriers: ["session"] }];
}
