// The routes by which a browser signs in through a provider: away with a state, back with a code.
import { beginSignIn, continueSignIn, findProvider, type Comer } from "../../admin/oauth/begin.ts";
import type { InputOf } from "../../admin/call.ts";
import { oauthCalls, type OAuthCalls, type StateReply } from "../../admin/oauth/contract.ts";
import { finishSignIn } from "../../admin/oauth/finish.ts";
import { listProviderViews } from "../../admin/oauth/list.ts";
import type { OAuthNeeds } from "../../admin/oauth/needs.ts";
import { identityVerbs } from "../../admin/oauth/verbs.ts";
import type { AskedFactor } from "../../admin/second-factor/ask.ts";
import type { SecondFactorAsk } from "../../admin/second-factor/contract.ts";
import type { SelfView } from "../../admin/user/contract.ts";
import { GatewayError } from "../../core/errors.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import type { Operator } from "../../identity/caller.ts";
import { stateTtlMs } from "../../identity/oauth/states.ts";
import { openRow, routesOf, succeed } from "../control-route.ts";
import { assertEnrolled } from "../policy.ts";
import type { ControlRoute, Incoming, PublicRoute } from "../route.ts";
import { readCookie, writeCookie, writeSessionCookie } from "./cookie.ts";
import type { OriginRules } from "./origin.ts";
import { assertOwnLink } from "./own-page.ts";
import { assertCookiePossible, knownCookie, markCookie, visitorOf } from "./routes.ts";

const cookieName = "sluice-oauth";
/** The address of this very answer holds a code. */
const unreferred = { "referrer-policy": "no-referrer" };

export function oauthRoutes(needs: OAuthNeeds, rules: OriginRules): (PublicRoute | ControlRoute)[] {
  // The visitor is not known yet, and a browser that is sent here says nothing but its cookies.
  return [
    openRow("public", oauthCalls.list, async () => succeed(listProviderViews(needs))),
    openRow("public", oauthCalls.state, async ({ query }, incoming) =>
      giveState(needs, rules, { incoming, query }),
    ),
    openRow("public", oauthCalls.authorize, async (input, incoming) =>
      orLanding(needs, incoming, () => sendAway(needs, rules, { incoming, ...input })),
    ),
    openRow("public", oauthCalls.callback, async (_input, incoming) =>
      orLanding(needs, incoming, () => receive(needs, rules, incoming)),
    ),
    ...routesOf(needs, identityVerbs),
  ];
}

type Coming<Name extends keyof OAuthCalls> = InputOf<OAuthCalls[Name]> & { incoming: Incoming };

async function giveState(
  needs: OAuthNeeds,
  rules: OriginRules,
  { incoming, query }: Coming<"state">,
): Promise<Answer> {
  const comer = await comerToBegin(needs, rules, incoming);
  const { state, browser, authorizeUrl } = await beginSignIn(needs, comer, {
    provider: query.provider || null,
    invitation: query.invitation || null,
  });
  const reply: StateReply = {
    success: true,
    message: "",
    data: state,
    authorize_url: authorizeUrl,
  };
  return { ...jsonAnswer(reply), headers: cookieOf(rules, incoming, browser) };
}

async function sendAway(
  needs: OAuthNeeds,
  rules: OriginRules,
  { incoming, provider: named, query }: Coming<"authorize">,
): Promise<Answer> {
  const comer = await comerToBegin(needs, rules, incoming);
  const { name: provider } = findProvider(needs, named);
  const { state } = query;
  if (state !== undefined) return redirect(await continueSignIn(needs, comer, { provider, state }));
  const invitation = query.invitation || null;
  const { browser, authorizeUrl } = await beginSignIn(needs, comer, { provider, invitation });
  return redirect(authorizeUrl ?? needs.oauth.landing, cookieOf(rules, incoming, browser));
}

async function receive(needs: OAuthNeeds, rules: OriginRules, incoming: Incoming): Promise<Answer> {
  const { headers, query: returned, params } = incoming;
  const comer = await comerOf(needs, rules, incoming);
  const provider = params["provider"] ?? "";
  const arrived = await finishSignIn(needs, comer, { provider, query: returned });
  if ("ticket" in arrived) return askMore(needs, rules, incoming, arrived);
  const { self, secret, known } = arrived;
  const cookie = knownCookie(incoming, rules, known);
  const { absoluteMs: maxAgeMs } = needs.sessions.limits;
  const text = writeSessionCookie(headers, rules, { secret, maxAgeMs }) ?? "";
  const shown = { ...unreferred, "set-cookie": text };
  if (!isNavigation(headers)) return { ...succeed<SelfView>(self, shown), ...cookie };
  return { ...redirect(needs.oauth.landing, shown), ...cookie };
}

/** The page gets the ticket in the URL fragment, which no browser sends to a server. */
function askMore(
  { oauth }: OAuthNeeds,
  rules: OriginRules,
  incoming: Incoming,
  { mark, ...ask }: AskedFactor,
): Answer {
  const shown = { ...unreferred, ...markCookie(incoming, rules, mark) };
  if (!isNavigation(incoming.headers)) return succeed<SecondFactorAsk>(ask, shown);
  const kinds = ask.second_factor.join(",");
  const fragment = new URLSearchParams({ second_factor: kinds, ticket: ask.ticket });
  return redirect(`${oauth.landing}#${fragment}`, shown);
}

/** A person sees a page rather than JSON, and always the same one: no request names another. */
async function orLanding(
  { oauth }: OAuthNeeds,
  { headers }: Incoming,
  serve: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await serve();
  } catch (error) {
    if (!(error instanceof GatewayError) || !isNavigation(headers)) throw error;
    const code = error.shownCode ?? error.code;
    return redirect(`${oauth.landing}?${new URLSearchParams({ oauth_error: code })}`);
  }
}

async function comerToBegin(
  needs: OAuthNeeds,
  rules: OriginRules,
  incoming: Incoming,
): Promise<Comer> {
  assertCookiePossible(cookieOf(rules, incoming, ""));
  assertComesBack(needs, rules, incoming);
  const comer = await comerOf(needs, rules, incoming);
  assertOwnLink(incoming.headers, rules, comer.operator !== null);
  // For one who is signed in it is the beginning of a link.
  if (comer.operator) await assertEnrolled(needs, comer.operator);
  return comer;
}

async function comerOf(needs: OAuthNeeds, rules: OriginRules, incoming: Incoming): Promise<Comer> {
  const visitor = visitorOf(incoming, rules);
  const browser = readCookie(incoming.headers, rules, cookieName);
  return { ...visitor, browser, operator: await operatorOf(needs, visitor) };
}

/** A session that has ended is none. */
async function operatorOf(
  { sessions }: OAuthNeeds,
  { session, ip }: ReturnType<typeof visitorOf>,
): Promise<Operator | null> {
  if (session === null) return null;
  try {
    return { ...(await sessions.operator(session)), ip };
  } catch (error) {
    if (error instanceof GatewayError && error.code === "invalid_api_key") return null;
    throw error;
  }
}

function cookieOf(rules: OriginRules, { headers }: Incoming, secret: string) {
  const text = writeCookie(headers, rules, cookieName, { secret, maxAgeMs: stateTtlMs });
  return text === null ? {} : { "set-cookie": text };
}

/** Providers send browsers to one address, and a cookie is sent only to where it was set. */
function assertComesBack(
  { oauth }: OAuthNeeds,
  { publicUrl }: OriginRules,
  { headers }: Incoming,
): void {
  const { host, origin } = new URL(oauth.callbackUrl("x"));
  if (publicUrl !== null || headers.get("host") === host) return;
  throw new GatewayError("invalid_host", {
    message: `Providers send browsers to ${origin}. Open that, or set server.public_url.`,
  });
}

function isNavigation(headers: Headers): boolean {
  return (headers.get("accept") ?? "").includes("text/html");
}

function redirect(location: string, headers: Answer["headers"] = {}): Answer {
  const shown = { ...unreferred, ...headers, location };
  return { status: 303, contentType: "text/plain", headers: shown, body: "" };
}
