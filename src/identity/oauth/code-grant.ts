// The plain OAuth 2.0 code grant, as providers without OpenID Connect have it: a code becomes a
// token, and an address of theirs says whose token it is.
import type { OAuthSettings } from "../../config/oauth.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import {
  ProviderFault,
  toPerson,
  type AuthorizeAsk,
  type CallProvider,
  type Person,
  type Provider,
  type ProviderReply,
  type Returned,
  type ToldFacts,
} from "./provider.ts";

export interface Wire {
  endpoints: Readonly<Record<"authorize" | "token" | "user", string>>;
  scopes: readonly string[];
  /** Place of the client's id and secret when a code is exchanged. */
  clientIn: "body" | "header";
  userHeaders?: Readonly<Record<string, string>>;
  readUser(user: JsonObject): ToldFacts;
}

export class CodeGrant implements Provider {
  readonly #settings: OAuthSettings;
  readonly #call: CallProvider;
  readonly #wire: Wire;

  constructor(settings: OAuthSettings, call: CallProvider, wire: Wire) {
    this.#settings = settings;
    this.#call = call;
    this.#wire = { ...wire, endpoints: { ...wire.endpoints, ...settings.endpoints } };
  }

  get name(): string {
    return this.#settings.name;
  }

  get type(): string {
    return this.#settings.type;
  }

  async authorizeUrl(ask: AuthorizeAsk): Promise<string> {
    const { clientId, scopes } = this.#settings;
    const wanted = (scopes ?? this.#wire.scopes).join(" ");
    const url = new URL(this.#wire.endpoints.authorize);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: ask.redirectUri,
      state: ask.state,
      ...(wanted !== "" && { scope: wanted }),
      code_challenge: ask.codeChallenge,
      code_challenge_method: "S256",
    }).toString();
    return url.href;
  }

  async identify(returned: Returned): Promise<Person> {
    const { user: url } = this.#wire.endpoints;
    this.#assertIssuer(returned.query);
    const token = await this.#exchange(returned);
    const headers = { accept: "application/json", ...this.#wire.userHeaders };
    const reply = await this.#call({
      url,
      method: "GET",
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    if (reply.status !== 200) throw new ProviderFault(`the user: status ${reply.status}`);
    return toPerson(new URL(url).origin, this.#wire.readUser(readObject(reply)));
  }

  /** A code that names another issuer (RFC 9207) must not reach this one's token address. */
  #assertIssuer(query: URLSearchParams): void {
    const ownOrigins = Object.values(this.#wire.endpoints).map((url) => new URL(url).origin);
    const isForeign = query
      .getAll("iss")
      .some((issuer) => !URL.canParse(issuer) || !ownOrigins.includes(new URL(issuer).origin));
    if (isForeign) throw new ProviderFault("the code is of another issuer");
  }

  async #exchange({ query, redirectUri, codeVerifier }: Returned): Promise<string> {
    const { clientId, clientSecret, clientIn } = this.#settings;
    const { endpoints } = this.#wire;
    const place = clientIn ?? this.#wire.clientIn;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: query.get("code") ?? "",
      redirect_uri: redirectUri,
      ...(codeVerifier !== null && { code_verifier: codeVerifier }),
      ...(place === "body" && { client_id: clientId, client_secret: clientSecret }),
    });
    const reply = await this.#call({
      url: endpoints.token,
      method: "POST",
      headers: {
        // Without it some answer in another form.
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...(place === "header" && { authorization: basic(clientId, clientSecret) }),
      },
      body: body.toString(),
    });
    return readToken(reply);
  }
}

/** A refusal may come with status 200, so what is said counts. */
function readToken(reply: ProviderReply): string {
  const { access_token: token, token_type: type, error } = readObject(reply);
  if (reply.status !== 200 || error !== undefined) {
    const code = typeof error === "string" && /^[a-z_]{1,64}$/.test(error) ? error : "no word";
    throw new ProviderFault(`the token: status ${reply.status}, ${code}`);
  }
  if (type !== undefined && String(type).toLowerCase() !== "bearer") {
    throw new ProviderFault("the token is of an unknown kind");
  }
  // It goes into a header as it is.
  if (typeof token === "string" && /^[\x21-\x7e]{1,8192}$/.test(token)) return token;
  throw new ProviderFault("there is no token");
}

function readObject({ status, body }: ProviderReply): JsonObject {
  try {
    const value = parseJson(body);
    if (isObject(value)) return value;
  } catch (error) {
    throw new ProviderFault(`no JSON came with status ${status}`, { cause: error });
  }
  throw new ProviderFault(`no object came with status ${status}`);
}

/** Both are encoded as in a form before they are joined (RFC 6749, 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const [user, password] = [clientId, clientSecret].map((text) =>
    new URLSearchParams({ "": text }).toString().slice(1),
  );
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
