// The configuration file as a whole. Each key has its description and, unless it is optional, its
// default: the loader, the editors' JSON Schema and the test of the page all read them here.
import { Type, type Static } from "../core/schema.ts";
import { BudgetInput } from "./budget.ts";
import { ChannelInput, GroupInput, KeyInput, PriceInput } from "./entities.ts";
import { mailSection } from "./mail/section.ts";
import { mediaSection } from "./media.ts";
import { noticesSection } from "./notices.ts";
import { OAuthSection } from "./oauth.ts";
import * as sections from "./sections.ts";
import * as signIn from "./sign-in.ts";
import { each, orVariable, reloaded } from "./setting.ts";
import { VirtualModelInput } from "./virtual-model.ts";
import { contentLogSection, tracingSection } from "./watching.ts";

const redisUrl = Type.Refine(
  Type.String({
    description:
      "Address of a Redis 7 or Valkey in which nodes keep limits together. Default: none.",
  }),
  (text) => text === "" || /^(?:redis|rediss|valkey|valkeys):\/\/[^\s]+$/.test(text),
  () => "must be an address that begins with redis:// or rediss://",
);

export const ConfigFile = Type.Object(
  {
    server: sections.serverSection.schema,
    data: orVariable(
      "SLUICE_DATA",
      Type.Optional(
        Type.String({
          minLength: 1,
          description:
            "Folder of the database and the generated secret. Default: data in the repository.",
        }),
      ),
    ),
    database_url: orVariable(
      "SLUICE_DATABASE_URL",
      Type.Optional(
        Type.Refine(
          Type.String({
            description:
              "PostgreSQL in place of the files of the data folder: postgres://user@host/database.",
          }),
          (text) => text === "" || /^postgres(?:ql)?:\/\/./.test(text),
          () => "must begin with postgres://",
        ),
      ),
      { isFileable: true },
    ),
    redis_url: orVariable("SLUICE_REDIS_URL", Type.Optional(redisUrl), { isFileable: true }),
    sandbox: orVariable(
      "SLUICE_SANDBOX",
      Type.Enum(["auto", "on", "off"], {
        default: "auto",
        description:
          "Built-in practice vendors; with auto they serve everyone until the first channel.",
      }),
    ),
    console: sections.consoleSection.schema,
    log: sections.logSection.schema,
    timeouts: sections.timeoutsSection.schema,
    text: sections.textSection.schema,
    distribution: sections.distributionSection.schema,
    limits: sections.limitsSection.schema,
    journal: sections.journalSection.schema,
    site: sections.siteSection.schema,
    accounts: sections.accountsSection.schema,
    sign_in: signIn.signInSection.schema,
    sessions: signIn.sessionsSection.schema,
    oauth: OAuthSection,
    tasks: sections.tasksSection.schema,
    images: sections.imagesSection.schema,
    media: mediaSection.schema,
    unpriced: Type.Enum(["refuse", "free"], {
      default: "refuse",
      description: "What becomes of a request for a model without a price.",
    }),
    retention: sections.retentionSection.schema,
    tracing: tracingSection.schema,
    content_log: contentLogSection.schema,
    mail: mailSection.schema,
    notices: noticesSection.schema,
    ...each(reloaded, {
      groups: Type.Array(GroupInput, { default: [], description: "Groups declared as code." }),
      channels: Type.Array(ChannelInput, {
        default: [],
        description: "Channels declared as code.",
      }),
      prices: Type.Array(PriceInput, { default: [], description: "Prices declared as code." }),
      models: Type.Array(VirtualModelInput, {
        default: [],
        description: "Virtual models declared as code.",
      }),
      keys: Type.Array(KeyInput, { default: [], description: "API keys declared as code." }),
      budgets: Type.Array(BudgetInput, { default: [], description: "Budgets declared as code." }),
    }),
  },
  { additionalProperties: false, description: "Configuration of the Sluice gateway." },
);
export type ConfigFile = Static<typeof ConfigFile>;
