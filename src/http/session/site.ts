// What a page may ask before anybody is signed in.
import type { ModelNeeds } from "../../admin/model/list.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import { readSite, type SiteNeeds } from "../../admin/site/read.ts";
import { listSiteModels } from "../../admin/site/models.ts";
import { siteEntries } from "../../admin/site/verbs.ts";
import { succeed } from "../control-route.ts";
import type { PublicRoute } from "../route.ts";
import type { OriginRules } from "./origin.ts";
import { relyingPartyOf } from "./relying-party.ts";

interface SiteRouteNeeds {
  site: SiteNeeds;
  models: ModelNeeds;
}

export function siteRoutes({ site, models }: SiteRouteNeeds, rules: OriginRules): PublicRoute[] {
  const get = { method: "GET", policy: "public", envelope: "session" } as const;
  return [
    {
      ...get,
      path: "/api/site",
      entry: siteEntries.read,
      serve: async ({ headers }) =>
        succeed(readSite(site, relyingPartyOf(headers, rules) !== null)),
    },
    {
      ...get,
      path: "/api/site/models",
      entry: siteEntries.listModels,
      serve: async ({ query }) =>
        succeed(listSiteModels(site, models, parseQuery(siteEntries.listModels.query, query))),
    },
  ];
}
