// Routes by which someone deletes their own account for good, or their organisation: signed in, and
// with a proof.
import { eraseSelf } from "../../admin/erase/accounts.ts";
import { ownEraseCalls } from "../../admin/erase/contract.ts";
import type { EraseNeeds } from "../../admin/erase/erase.ts";
import { organisationEraseCalls } from "../../admin/organisation/contract.ts";
import { removeOrganisation } from "../../admin/organisation/remove.ts";
import { rowOf, succeed } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";
import { writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { visitorOf } from "./routes.ts";

export function eraseRoutes(needs: EraseNeeds, rules: OriginRules): ControlRoute[] {
  return [
    rowOf(ownEraseCalls.eraseSelf, async (input, operator, incoming) => {
      const visitor = visitorOf(incoming, rules);
      const erased = await eraseSelf(needs, operator, { ...input, visitor });
      const ended = { secret: "", maxAgeMs: 0 };
      const cookie = writeSessionCookie(incoming.headers, rules, ended);
      return succeed(erased, cookie === null ? {} : { "set-cookie": cookie });
    }),
    rowOf(organisationEraseCalls.erase, async (input, operator, incoming) => {
      const visitor = visitorOf(incoming, rules);
      return succeed(await removeOrganisation(needs, operator, { ...input, visitor }));
    }),
  ];
}
