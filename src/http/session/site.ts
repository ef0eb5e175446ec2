// Questions a page may ask before anybody is signed in.
import type { ModelNeeds } from "../../admin/model/list.ts";
import { siteCalls } from "../../admin/site/contract.ts";
import { SiteModels } from "../../admin/site/models.ts";
import { readSite, type SiteNeeds } from "../../admin/site/read.ts";
import { openRow, succeed } from "../control-route.ts";
import type { PublicRoute } from "../route.ts";
import type { OriginRules } from "./origin.ts";
import { relyingPartyOf } from "./relying-party.ts";

interface SiteRouteNeeds {
  site: SiteNeeds;
  models: ModelNeeds;
}

export function siteRoutes({ site, models }: SiteRouteNeeds, rules: OriginRules): PublicRoute[] {
  const shown = new SiteModels(site, models);
  return [
    openRow("public", siteCalls.read, async (_input, { headers }) =>
      succeed(readSite(site, relyingPartyOf(headers, rules) !== null)),
    ),
    openRow("public", siteCalls.listModels, async ({ query }) => succeed(shown.list(query))),
  ];
}
