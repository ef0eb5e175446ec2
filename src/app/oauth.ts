// Signing in through providers, with the guarded way out to each of them.
import type { Config } from "../config/config.ts";
import type { OAuthSettings } from "../config/oauth.ts";
import { openOAuth, type OAuth } from "../identity/oauth/index.ts";
import { ProviderUnreachable, type CallProvider } from "../identity/oauth/provider.ts";
import { FetchFailed, type ExchangeAsk, type GuardedFetch } from "../media/fetch.ts";
import type { Control } from "./control.ts";

const replyBytesMax = 1024 * 1024;
const callMs = 10_000;

interface OAuthWays {
  fetch: GuardedFetch;
  /** The address that browsers reach the gateway under. */
  baseUrl(): string;
}

export function createOAuth(
  { oauth }: Config,
  { store, database, seal, clock, random }: Control,
  { fetch: guarded, baseUrl }: OAuthWays,
): OAuth {
  const { landing, providers: settings } = oauth;
  const states = { store, database, seal, clock, random };
  const callerOf = (provider: OAuthSettings) => callerTo(guarded, provider);
  return openOAuth({ settings, landing, states, callerOf, baseUrl });
}

function callerTo(guarded: GuardedFetch, settings: OAuthSettings): CallProvider {
  const { allowPrivate } = settings;
  const allowedPorts = portsOf(settings);
  const [bytesMax, timeoutMs] = [replyBytesMax, callMs];
  return async ({ url, method, headers, body }) => {
    const call: ExchangeAsk = { method, headers, allowPrivate, allowedPorts, bytesMax, timeoutMs };
    if (body !== undefined) call.body = body;
    try {
      return await guarded.exchange(url, call);
    } catch (error) {
      const reason = error instanceof FetchFailed ? error.reason : "failed";
      throw new ProviderUnreachable(reason, { cause: error });
    }
  };
}

/** Those that the operator wrote down; what a provider tells has to keep to them. */
function portsOf({ issuer, endpoints }: OAuthSettings): number[] {
  const urls = [issuer ?? "", ...Object.values(endpoints)].map((text) => URL.parse(text));
  return urls.map((url) => Number(url?.port ?? 0)).filter((port) => port > 0);
}
