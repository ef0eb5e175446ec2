// Kinds of providers, and those that are configured.
import type { GroupRules, OAuthSettings } from "../../config/oauth.ts";
import { createDiscord } from "./discord.ts";
import { createDiscourse } from "./discourse.ts";
import { createGithub } from "./github.ts";
import { createOidc } from "./oidc.ts";
import type { CallProvider, CreateProvider, Provider } from "./provider.ts";
import { States, type StatesNeeds } from "./states.ts";

const kinds: Readonly<Record<OAuthSettings["type"], CreateProvider>> = {
  github: createGithub,
  discord: createDiscord,
  oidc: createOidc,
  discourse: createDiscourse,
};

export interface OAuth {
  /** Providers by name, in the order of the configuration. */
  providers: ReadonlyMap<string, Provider>;
  /** Rules for the groups of those that tell them, by name. */
  groups: ReadonlyMap<string, GroupRules>;
  states: States;
  /** Address to which a provider sends browsers back. */
  callbackUrl(provider: string): string;
  /** The path of the page that browsers end up at. */
  landing: string;
}

interface OAuthNeeds {
  settings: readonly OAuthSettings[];
  landing: string;
  states: StatesNeeds;
  /** The way to one provider, in the bounds that its settings say. */
  callerOf(settings: OAuthSettings): CallProvider;
  /** The address that browsers reach the gateway under: never what a request says. */
  baseUrl(): string;
}

export function openOAuth(needs: OAuthNeeds): OAuth {
  const { settings, landing, callerOf, baseUrl } = needs;
  const providers = settings.map((one) => kinds[one.type](one, callerOf(one)));
  return {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    groups: new Map(
      settings.flatMap(({ name, groups }) => (groups === null ? [] : [[name, groups] as const])),
    ),
    states: new States(needs.states),
    callbackUrl: (provider) => new URL(`${baseUrl()}/api/oauth/${provider}`).href,
    landing,
  };
}
