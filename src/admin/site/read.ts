// Facts that a page shows before anybody is signed in: nothing here is anybody's own.
import type { Config } from "../../config/config.ts";
import type { Registration } from "../../config/schema.ts";
import type { OAuth } from "../../identity/oauth/index.ts";
import { listProviderViews } from "../oauth/list.ts";
import type { SiteView } from "./contract.ts";

export interface SiteNeeds {
  site: Config["site"];
  oauth: OAuth;
  registration: Registration;
  version: string;
}

export function readSite(
  { site, oauth, registration, version }: SiteNeeds,
  hasPasskeys: boolean,
): SiteView {
  return {
    name: site.name,
    version,
    registration,
    providers: listProviderViews({ oauth }),
    passkey: hasPasskeys,
    shows_models: site.showsModels,
    shows_status: site.showsStatus,
    notice: site.notice ?? null,
    default_language: site.defaultLanguage,
  };
}
