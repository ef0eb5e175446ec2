// The second half of signing in through a provider: what the browser brings back becomes a person,
// and the person an account.
import { GatewayError } from "../../core/errors.ts";
import { describe } from "../../core/log.ts";
import type { Person, Provider } from "../../identity/oauth/provider.ts";
import type { Flow } from "../../identity/oauth/states.ts";
import type { AskedFactor } from "../second-factor/ask.ts";
import type { SignedIn } from "../session/open.ts";
import { findProvider, toRefusal, type Comer } from "./begin.ts";
import { enter } from "./enter.ts";
import { link } from "./link.ts";
import type { OAuthNeeds } from "./needs.ts";

const textCharactersMax = 4096;

export async function finishSignIn(
  needs: OAuthNeeds,
  comer: Comer,
  { provider: name, query }: { provider: string; query: URLSearchParams },
): Promise<SignedIn | AskedFactor> {
  const provider = findProvider(needs, name);
  const flow = await takeFlow(needs, comer, { provider, query });
  const person = await identify(needs, flow, { provider, query });
  const arrival = { provider: name, person, invitation: flow.invitation };
  const arrive = flow.accountId === null ? enter : link;
  const arrived = await arrive(needs, comer, arrival);
  await needs.oauth.states.forget(comer.browser ?? "");
  return arrived;
}

interface Return {
  provider: Provider;
  query: URLSearchParams;
}

/** A flow that is missing, wrong, used, over or another's is told alike. */
async function takeFlow(
  { oauth }: OAuthNeeds,
  { browser, operator }: Comer,
  { provider, query }: Return,
): Promise<Flow> {
  const state = readOne(query, "state");
  const isPossible = state !== null && browser !== null;
  const flow = isPossible ? await oauth.states.take(state, browser, provider.name) : null;
  if (flow === null) throw new GatewayError("invalid_state");
  // Linking is for the account that began it: whoever is there now may be another.
  if (flow.accountId === null || flow.accountId === operator?.accountId) return flow;
  throw new GatewayError("invalid_state");
}

async function identify(
  { oauth, log }: OAuthNeeds,
  flow: Flow,
  { provider, query }: Return,
): Promise<Person> {
  if (readOne(query, "code") === null || query.has("error")) {
    throw new GatewayError("provider_refused");
  }
  // For a bare state the page made the address itself, without a challenge and a nonce.
  const isBound = flow.provider !== null;
  try {
    return await provider.identify({
      query,
      state: query.get("state") ?? "",
      redirectUri: oauth.callbackUrl(provider.name),
      codeVerifier: isBound ? flow.codeVerifier : null,
      nonce: isBound ? flow.nonce : null,
    });
  } catch (error) {
    log.warn("a provider did not vouch", { provider: provider.name, error: describe(error) });
    throw toRefusal(error);
  }
}

/** Null without one, and also with two of them. */
function readOne(query: URLSearchParams, name: string): string | null {
  const [text = "", ...others] = query.getAll(name);
  return text === "" || text.length > textCharactersMax || others.length > 0 ? null : text;
}
