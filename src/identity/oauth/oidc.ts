// Any OpenID Connect issuer. The library checks the id token (signature, issuer, audience, times,
// nonce); here are the calls it makes, what it is told to check, and the rest.
import type * as openIdClient from "openid-client";
import type { Configuration, CustomFetch, IDToken, TokenEndpointResponse } from "openid-client";
import type { OAuthSettings } from "../../config/oauth.ts";
import { toPlatform } from "../../core/outbound.ts";
import { groupsIn, isOverfull } from "./groups-claim.ts";
import {
  ProviderFault,
  toPerson,
  type AuthorizeAsk,
  type CallProvider,
  type CreateProvider,
  type Person,
  type Provider,
  type Returned,
} from "./provider.ts";

type Library = typeof openIdClient;

const scopesDefault = ["openid", "profile"];
const nameClaims = ["preferred_username", "nickname", "name"] as const;

export const createOidc: CreateProvider = (settings, call) => new OpenIdConnect(settings, call);

class OpenIdConnect implements Provider {
  readonly #settings: OAuthSettings;
  readonly #call: CallProvider;

  constructor(settings: OAuthSettings, call: CallProvider) {
    this.#settings = settings;
    this.#call = call;
  }

  get name(): string {
    return this.#settings.name;
  }

  get type(): string {
    return this.#settings.type;
  }

  async authorizeUrl(ask: AuthorizeAsk): Promise<string> {
    const library = await load();
    const url = library.buildAuthorizationUrl(await this.#discover(library), {
      redirect_uri: ask.redirectUri,
      scope: (this.#settings.scopes ?? scopesDefault).join(" "),
      state: ask.state,
      nonce: ask.nonce,
      code_challenge: ask.codeChallenge,
      code_challenge_method: "S256",
    });
    const isHttp = this.#settings.allowPrivate && url.protocol === "http:";
    if (url.protocol === "https:" || isHttp) return url.href;
    throw new ProviderFault("the issuer's authorize address is not https");
  }

  async identify(returned: Returned): Promise<Person> {
    const library = await load();
    const configuration = await this.#discover(library);
    const address = new URL(returned.redirectUri);
    address.search = returned.query.toString();
    const tokens = await library.authorizationCodeGrant(configuration, address, {
      expectedState: returned.state,
      ...(returned.nonce !== null && { expectedNonce: returned.nonce }),
      ...(returned.codeVerifier !== null && { pkceCodeVerifier: returned.codeVerifier }),
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderFault("there is no id token");
    this.#assertParty(claims);
    const names = await this.#names(library, configuration, { claims, tokens });
    const [username] = nameClaims.map((name) => names[name]).filter(Boolean);
    const facts = { subject: claims.sub, username, displayName: names["name"] };
    const person = toPerson(claims.iss, facts);
    const { groups: rules } = this.#settings;
    if (rules === null) return person;
    const answer = { claims, tokens, names };
    return { ...person, groups: await this.#groups(library, configuration, answer) };
  }

  /** The id token's, or where that has none, those that the issuer tells when asked. */
  async #groups(
    library: Library,
    configuration: Configuration,
    { claims, tokens, names }: TokenAnswer & { names: Record<string, unknown> },
  ): Promise<string[] | null> {
    const path = this.#settings.groups?.claim ?? "";
    const inToken = groupsIn(claims, path);
    if (inToken !== null || isOverfull(claims, path)) return inToken;
    const info =
      names === claims ? await this.#userInfo(library, configuration, { claims, tokens }) : names;
    return groupsIn(info, path);
  }

  /** Anew each time: endpoints move and keys are replaced, and people do not sign in often. */
  async #discover(library: Library): Promise<Configuration> {
    const { issuer, clientId, clientSecret, clientIn, allowPrivate } = this.#settings;
    const server = new URL(issuer ?? "");
    const isPlain = allowPrivate && server.protocol === "http:";
    const configuration = await library.discovery(server, clientId, undefined, authenticate, {
      [library.customFetch]: this.#fetch,
      // Without the first a signature is not looked at where the token came straight from https.
      execute: [
        library.enableNonRepudiationChecks,
        ...(isPlain ? [library.allowInsecureRequests] : []),
      ],
    });
    return configuration;

    /** Authenticate the issuer's way; one that does not say takes a header (Discovery, 3). */
    function authenticate(
      ...parameters: Parameters<ReturnType<Library["ClientSecretPost"]>>
    ): void {
      const [{ token_endpoint_auth_methods_supported: methods }] = parameters;
      const takesBody = methods?.includes("client_secret_post") === true;
      const takesHeader = methods === undefined || methods.includes("client_secret_basic");
      const place = clientIn ?? (takesBody && !takesHeader ? "body" : "header");
      const way = place === "body" ? library.ClientSecretPost : library.ClientSecretBasic;
      way(clientSecret)(...parameters);
    }
  }

  readonly #fetch: CustomFetch = async (url, { method, headers, body }) => {
    if (method !== "GET" && method !== "POST") throw new ProviderFault(`a call by ${method}`);
    const text = body === undefined || body === null ? {} : { body: String(body) };
    return toPlatform(await this.#call({ url, method, headers, ...text }));
  };

  /** The library asks for the party only where there are several audiences. */
  #assertParty({ azp }: IDToken): void {
    if (azp === undefined || azp === this.#settings.clientId) return;
    throw new ProviderFault("the id token was made for another party");
  }

  /** Many issuers tell names only where they are asked for them. */
  async #names(
    library: Library,
    configuration: Configuration,
    answer: TokenAnswer,
  ): Promise<Record<string, unknown>> {
    const hasName = nameClaims.some((name) => answer.claims[name] !== undefined);
    return hasName ? answer.claims : await this.#userInfo(library, configuration, answer);
  }

  /** The id token's own claims where the issuer has no such address. */
  async #userInfo(
    library: Library,
    configuration: Configuration,
    { claims, tokens }: TokenAnswer,
  ): Promise<Record<string, unknown>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  }
}

/** The issuer's word on a person, and the way to more of it. */
interface TokenAnswer {
  claims: IDToken;
  tokens: TokenEndpointResponse;
}

async function load(): Promise<Library> {
  return await import("openid-client");
}
