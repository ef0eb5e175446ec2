// The first half of signing in through a provider: a state for this browser, and where to go with
// it.
import { digestOf } from "../../core/digest.ts";
import { GatewayError } from "../../core/errors.ts";
import { describe } from "../../core/log.ts";
import type { Operator } from "../../identity/caller.ts";
import { ProviderUnreachable, type Provider } from "../../identity/oauth/provider.ts";
import type { Flow, Opened } from "../../identity/oauth/states.ts";
import type { OAuthNeeds } from "./needs.ts";
import type { Visitor } from "../session/visitor.ts";

export interface Comer extends Visitor {
  /** The cookie's value that states are bound to. */
  browser: string | null;
  /** The account that is signed in there already. */
  operator: Operator | null;
}

interface Started extends Opened {
  /** Null as long as the provider has not been said. */
  authorizeUrl: string | null;
}

/** A session older than this may be someone else's by now. */
const freshMs = 15 * 60_000;

/** To sign in, or, for one who is signed in, to link the identity to that account. */
export async function beginSignIn(
  needs: OAuthNeeds,
  comer: Comer,
  { provider: name, invitation }: { provider: string | null; invitation: string | null },
): Promise<Started> {
  const { providers, states } = needs.oauth;
  const named = name === null ? null : findProvider(needs, name);
  const { operator, browser, ip } = comer;
  if (operator) await assertMayLink(needs, operator);
  const accountId = operator?.accountId ?? null;
  const opened = await states.begin({ provider: name, accountId, invitation }, browser, ip);
  if (named) return { ...opened, authorizeUrl: await boundUrlOf(needs, named, opened) };
  const [onlyProvider, ...otherProviders] = providers.values();
  if (!onlyProvider || otherProviders.length > 0) return { ...opened, authorizeUrl: null };
  // The address has a state of its own, so that the bare one serves a page that makes its address
  // itself, without a challenge and a nonce.
  const begun = { provider: onlyProvider.name, accountId, invitation };
  const bound = await states.begin(begun, opened.browser, ip);
  return { ...opened, authorizeUrl: await boundUrlOf(needs, onlyProvider, bound) };
}

async function boundUrlOf(
  needs: OAuthNeeds,
  provider: Provider,
  { state, browser }: Opened,
): Promise<string> {
  const flow = await needs.oauth.states.bind(state, browser, provider.name);
  return await urlOf(needs, provider, { flow, state });
}

/** With a state that was asked for before; for this provider alone from now on. */
export async function continueSignIn(
  needs: OAuthNeeds,
  { browser }: Comer,
  { provider: name, state }: { provider: string; state: string },
): Promise<string> {
  const provider = findProvider(needs, name);
  const flow = browser === null ? null : await needs.oauth.states.bind(state, browser, name);
  return await urlOf(needs, provider, { flow, state });
}

export function findProvider({ oauth }: OAuthNeeds, name: string): Provider {
  const provider = oauth.providers.get(name);
  if (provider) return provider;
  throw new GatewayError("not_found", {
    param: "provider",
    message: "There is no provider of that name.",
  });
}

async function urlOf(
  { oauth, log }: OAuthNeeds,
  provider: Provider,
  { flow, state }: { flow: Flow | null; state: string },
): Promise<string> {
  if (!flow) throw new GatewayError("invalid_state");
  try {
    return await provider.authorizeUrl({
      state,
      nonce: flow.nonce,
      codeChallenge: digestOf(flow.codeVerifier),
      redirectUri: oauth.callbackUrl(provider.name),
    });
  } catch (error) {
    log.warn("a provider cannot be used", { provider: provider.name, error: describe(error) });
    throw toRefusal(error);
  }
}

/** Any fault at a provider, in words that tell nothing of it. */
export function toRefusal(error: unknown): GatewayError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ProviderUnreachable)) continue;
    const message = "The provider could not be reached.";
    return new GatewayError("do_request_failed", { message, cause: error });
  }
  return new GatewayError("provider_refused", { cause: error });
}

async function assertMayLink(
  { sessions, clock, secondFactors, signInRules }: OAuthNeeds,
  { accountId, sessionId, role }: Operator,
): Promise<void> {
  const isBare = signInRules.adminSecondFactor === "required" && role !== "user";
  if (isBare && !(await secondFactors.isEnrolled(accountId))) {
    throw new GatewayError("second_factor_required");
  }
  const own = (await sessions.list(accountId)).find(({ id }) => id === sessionId);
  if (own && clock.nowMs() - own.created_at_ms <= freshMs) return;
  const message = "Sign in again first: linking needs a session that was opened just now.";
  throw new GatewayError("permission_denied", { message });
}
