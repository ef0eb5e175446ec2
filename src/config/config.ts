// The one configuration object that the rest of the program reads. Its type is that of its reading:
// what `sections.ts` states is here without another word. It never changes once loaded.
import { join } from "node:path";
import type { ProxyRules } from "../core/proxy-rules.ts";
import { mailSection, readSmtp } from "./mail/section.ts";
import { mediaSection } from "./media.ts";
import { noticesSection } from "./notices.ts";
import type { OAuthSettings } from "./oauth.ts";
import type { ConfigFile } from "./schema.ts";
import * as sections from "./sections.ts";
import { sessionsSection, signInSection } from "./sign-in.ts";
import { contentLogSection, tracingSection } from "./watching.ts";
import type { OwnVariables } from "./variables.ts";

/** Declared lists stay as they are, in the words of the wire. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Item[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

export type Config = Frozen<ReturnType<typeof toConfig>>;

interface ConfigNeeds {
  file: ConfigFile;
  /** Those of the environment. */
  proxies: ProxyRules;
  /** The machine's own identity as a cloud tells it, by the names of its variables. */
  cloud: Readonly<Record<string, string>>;
  variables: OwnVariables;
  providers: readonly OAuthSettings[];
  /** The folder of the program, where it is known. */
  home: string | null;
  memoryBytesDefault: number;
}

export function toConfig(needs: ConfigNeeds) {
  const { file, proxies, cloud, variables, providers, home, memoryBytesDefault } = needs;
  const server = sections.serverSection.read(file.server);
  const media = mediaSection.read(file.media);
  const node = nodeOf(variables);
  return {
    server,
    /** Several nodes on one port of one machine: which of them this is. */
    node,
    proxies,
    cloud,
    // A command finds the folder that belongs to the program, wherever it is called from.
    dataFolder: dataFolderOf(file, home),
    databaseUrl: file.database_url || null,
    redisUrl: file.redis_url || null,
    secret: variables.SLUICE_SECRET ?? null,
    secretAlso: variables.SLUICE_SECRET_ALSO ?? null,
    /** The secret that sealed the data is gone for good. */
    secretLost: variables.SLUICE_SECRET_LOST === "yes",
    root: {
      password: variables.SLUICE_ROOT_PASSWORD ?? null,
      key: variables.SLUICE_ROOT_KEY ?? null,
      token: variables.SLUICE_ROOT_TOKEN ?? null,
    },
    /** The gateway that the command line speaks to; null for the one of the data folder. */
    remote: {
      url: variables.SLUICE_URL ?? null,
      token: variables.SLUICE_TOKEN ?? null,
      /** For agents; commands have no use for it. */
      key: variables.SLUICE_KEY ?? null,
    },
    sandbox: file.sandbox,
    console: sections.consoleSection.read(file.console),
    log: sections.logSection.read(file.log),
    timeouts: sections.timeoutsSection.read(file.timeouts),
    text: sections.textSection.read(file.text),
    distribution: sections.distributionSection.read(file.distribution),
    limits: {
      // Those of one machine share what it has.
      memoryBytesMax: Math.floor(memoryBytesDefault / (node?.count ?? 1)),
      ...sections.limitsSection.read(file.limits),
    },
    journal: sections.journalSection.read(file.journal),
    site: sections.siteSection.read(file.site),
    accounts: sections.accountsSection.read(file.accounts),
    signIn: signInSection.read(file.sign_in),
    sessions: sessionsSection.read(file.sessions),
    oauth: { landing: file.oauth.landing, providers },
    tasks: sections.tasksSection.read(file.tasks),
    images: sections.imagesSection.read(file.images),
    media: { ...media, publicUrl: media.publicUrl ?? server.publicUrl },
    unpriced: file.unpriced,
    retention: sections.retentionSection.read(file.retention),
    tracing: tracingSection.read(file.tracing),
    contentLog: contentLogSection.read(file.content_log),
    mail: mailSection.read(file.mail),
    /** The server that e-mail goes through; null for none. */
    smtp: readSmtp(file.mail.smtp, file.notices.smtp),
    notices: noticesSection.read(file.notices),
    declared: {
      groups: file.groups,
      channels: file.channels,
      prices: file.prices,
      models: file.models,
      keys: file.keys,
      budgets: file.budgets,
    },
    configPath: variables.SLUICE_CONFIG ?? null,
  };
}

function nodeOf({ SLUICE_NODE: place, SLUICE_NODE_PORT: ownPort = 0 }: OwnVariables) {
  if (place === undefined) return null;
  const [number = 1, count = 1] = place.split("/").map(Number);
  return { number, count, ownPort };
}

/** Freezes a tree of plain objects and arrays in place. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}

/** That of the repository, wherever a command is called from, unless another one is named. */
export function dataFolderOf({ data }: ConfigFile, home: string | null): string {
  return data ?? (home === null ? "./data" : join(home, "data"));
}
