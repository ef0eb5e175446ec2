// Facts that a page shows before anybody is signed in: nothing here is anybody's own.
import type { Config } from "../../config/config.ts";
import type { OAuth } from "../../identity/oauth/index.ts";
import type { PeopleMail } from "../email/people-mail.ts";
import { listProviderViews } from "../oauth/list.ts";
import type { SiteView } from "./contract.ts";

export interface SiteNeeds {
  site: Config["site"];
  oauth: OAuth;
  accountRules: Pick<Config["accounts"], "registration">;
  version: string;
  mail: PeopleMail | null;
}

export function readSite(
  { site, oauth, accountRules, version, mail }: SiteNeeds,
  hasPasskeys: boolean,
): SiteView {
  return {
    name: site.name,
    version,
    registration: accountRules.registration,
    providers: listProviderViews({ oauth }),
    passkey: hasPasskeys,
    email: !mail ? "off" : mail.rules.isRequired ? "required" : "optional",
    mail_link: mail?.rules.signsInByLink ?? false,
    shows_models: site.showsModels,
    shows_status: site.showsStatus,
    notice: site.notice,
    default_language: site.defaultLanguage,
  };
}
