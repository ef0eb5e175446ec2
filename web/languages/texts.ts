// Shape of a language: the English texts by the part that they are loaded with and their section.
import type { t as refusals } from "../core/refusals.ts";
import type { Texts as AnyTexts } from "../core/words.ts";
import type { t as kitBudget } from "../kit/budget/words.ts";
import type { t as kitLowBalance } from "../kit/low-balance/words.ts";
import type { t as kitProve } from "../kit/prove/words.ts";
import type { first } from "../kit/first-words.ts";
import type { causes, shared } from "../kit/page-words.ts";
import type { t as rest } from "../kit/rest/words.ts";
import type { t as kit } from "../kit/words.ts";
import type { t as account } from "../pages/account/words.ts";
import type { t as announcements } from "../pages/announcements/words.ts";
import type { t as assets } from "../pages/assets/words.ts";
import type { t as audit } from "../pages/audit/words.ts";
import type { t as budgets } from "../pages/budgets/words.ts";
import type { t as channelsForm } from "../pages/channels/form-words.ts";
import type { t as channelsTool } from "../pages/channels/tool-words.ts";
import type { t as channels } from "../pages/channels/words.ts";
import type { t as codes } from "../pages/codes/words.ts";
import type { t as groups } from "../pages/groups/words.ts";
import type { t as keys } from "../pages/keys/words.ts";
import type { t as ledger } from "../pages/ledger/words.ts";
import type { t as live } from "../pages/live/words.ts";
import type { t as media } from "../pages/media/words.ts";
import type { t as models } from "../pages/models/words.ts";
import type { t as nodes } from "../pages/nodes/words.ts";
import type { t as operations } from "../pages/operations/words.ts";
import type { t as organisation } from "../pages/organisation/words.ts";
import type { t as overview } from "../pages/overview/words.ts";
import type { t as peopleOrganisation } from "../pages/people/organisation-words.ts";
import type { t as people } from "../pages/people/words.ts";
import type { t as playground } from "../pages/playground/words.ts";
import type { t as prices } from "../pages/prices/words.ts";
import type { t as requestsContent } from "../pages/requests/content-words.ts";
import type { t as requests } from "../pages/requests/words.ts";
import type { t as roles } from "../pages/roles/words.ts";
import type { t as notices } from "../pages/settings/notices/words.ts";
import type { t as settingsLabels } from "../pages/settings/labels/words.ts";
import type { t as settings } from "../pages/settings/words.ts";
import type { t as signIn } from "../pages/sign-in/words.ts";
import type { t as start } from "../pages/start/words.ts";
import type { t as status } from "../pages/status/words.ts";
import type { pageTitles as titles } from "../pages/titles.ts";
import type { t as usage } from "../pages/usage/words.ts";
import type { t as virtual } from "../pages/virtual/words.ts";
import type { t as webhooks } from "../pages/webhooks/words.ts";
import type { t as join } from "../shell/join/words.ts";
import type { t as later } from "../shell/later-words.ts";
import type { t as palette } from "../shell/palette/words.ts";
import type { t as shell } from "../shell/words.ts";

type Said<Words extends { en: AnyTexts }> = Words["en"];

export interface Texts {
  frame: {
    refusals: Said<typeof refusals>;
    causes: Said<typeof causes>;
    common: Said<typeof first>;
    pages: Said<typeof shared>;
    kit: Said<typeof kit>;
    rest: Said<typeof rest>;
    titles: Said<typeof titles>;
    shell: Said<typeof shell>;
    later: Said<typeof later>;
  };
  account: { page: Said<typeof account> };
  announcements: { page: Said<typeof announcements> };
  assets: { page: Said<typeof assets> };
  audit: { page: Said<typeof audit> };
  budgets: { page: Said<typeof budgets> };
  channels: {
    form: Said<typeof channelsForm>;
    tool: Said<typeof channelsTool>;
    page: Said<typeof channels>;
  };
  codes: { page: Said<typeof codes> };
  groups: { page: Said<typeof groups> };
  keys: { page: Said<typeof keys> };
  kitBudget: { page: Said<typeof kitBudget> };
  kitLowBalance: { page: Said<typeof kitLowBalance> };
  kitProve: { page: Said<typeof kitProve> };
  ledger: { page: Said<typeof ledger> };
  live: { page: Said<typeof live> };
  media: { page: Said<typeof media> };
  models: { page: Said<typeof models> };
  nodes: { page: Said<typeof nodes> };
  notices: { list: Said<typeof notices> };
  operations: { page: Said<typeof operations> };
  organisation: { join: Said<typeof join>; page: Said<typeof organisation> };
  overview: { page: Said<typeof overview> };
  palette: { commands: Said<typeof palette> };
  people: { organisation: Said<typeof peopleOrganisation>; page: Said<typeof people> };
  playground: { page: Said<typeof playground> };
  prices: { page: Said<typeof prices> };
  requests: { content: Said<typeof requestsContent>; page: Said<typeof requests> };
  roles: { page: Said<typeof roles> };
  settings: { labels: Said<typeof settingsLabels>; page: Said<typeof settings> };
  signIn: { page: Said<typeof signIn> };
  start: { page: Said<typeof start> };
  status: { page: Said<typeof status> };
  usage: { page: Said<typeof usage> };
  virtual: { page: Said<typeof virtual> };
  webhooks: { page: Said<typeof webhooks> };
}

/** The same texts, each with the same values. */
type Same<Own> = {
  readonly [Name in keyof Own]: Own[Name] extends string
    ? string
    : Own[Name] extends (...values: never[]) => string
      ? Own[Name]
      : Same<Own[Name]>;
};
type Lacking<Own> = {
  readonly [Name in keyof Own]?: Own[Name] extends string | ((...values: never[]) => string)
    ? Own[Name]
    : Lacking<Own[Name]>;
};

/** For the languages that are complete by law. */
export type Whole<Part extends keyof Texts> = Same<Texts[Part]>;
/** For all others: English stands in for what they lack. */
export type Some<Part extends keyof Texts> = Lacking<Same<Texts[Part]>>;

/** Facts of a language itself. */
export interface About {
  /** In the language. */
  name: string;
  /** For dates and numbers. */
  locale: string;
  /** For a script that runs from right to left. */
  dir?: "rtl";
}
