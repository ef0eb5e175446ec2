// A real OpenID provider from npm on this machine. Whoever comes is signed in there at once, or
// after having gone through its pages.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration, type KoaContextWithOIDC } from "oidc-provider";
import { clientId, clientSecret } from "./code-book.ts";

export interface IssuerUser {
  subject: string;
  username: string;
  name: string;
  email: string;
  /** Claims about groups, as it tells them to whoever asks for the scope. */
  groups?: { groups?: unknown; hasgroups?: boolean };
}

interface IssuerOptions {
  redirectUri: string;
  /** People type a name, which is their subject, and are asked whether they agree. */
  hasPages: boolean;
}

type Jwk = NonNullable<NonNullable<Configuration["jwks"]>["keys"]>[number];

export class RealIssuer implements AsyncDisposable {
  readonly #server: Server;
  readonly #options: IssuerOptions;
  #provider: Provider;
  /** User signed in at the provider in the browser that comes next. */
  user: IssuerUser = {
    subject: "sub-1",
    username: "ada",
    name: "Ada L.",
    email: "ada@corp.example",
  };
  /** Paths that the gateway and browsers asked for. */
  readonly asked: string[] = [];

  private constructor(server: Server, options: IssuerOptions, key: Jwk) {
    this.#server = server;
    this.#options = options;
    this.#provider = this.#build(key);
    server.on("request", (request, response) => void this.#serve(request, response));
  }

  static async start(redirectUri: string, hasPages = false): Promise<RealIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new RealIssuer(server, { redirectUri, hasPages }, await newKey("first"));
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The provider in the configuration, with further fields. */
  config(name: string, more = ""): string {
    return (
      `{ name: ${name}, type: oidc, client_id: ${clientId}, client_secret: ${clientSecret}, ` +
      `issuer: "${this.url}", allow_private: true${more && `, ${more}`} }`
    );
  }

  /** From now on it signs with another key and does not know the old one. */
  async rotate(): Promise<void> {
    this.#provider = this.#build(await newKey(crypto.randomUUID()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #build(key: Jwk): Provider {
    const { redirectUri, hasPages } = this.#options;
    return new Provider(this.url, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          response_types: ["code"],
          grant_types: ["authorization_code"],
          token_endpoint_auth_method: "client_secret_basic",
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ["a key for the cookies of a test"] },
      claims: {
        openid: ["sub"],
        profile: ["preferred_username", "name"],
        email: ["email"],
        groups: ["groups", "hasgroups"],
      },
      features: { devInteractions: { enabled: hasPages } },
      ...(!hasPages && {
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        loadExistingGrant: (context) => grantAll(context),
      }),
      pkce: { required: () => true },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => {
          const { username, name, email, groups } = this.user;
          const names = { preferred_username: username, name };
          return { sub: id, ...names, email, email_verified: true, ...groups };
        },
      }),
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    this.asked.push(path.split("?")[0] ?? "");
    if (path.startsWith("/interaction/") && !this.#options.hasPages) {
      const login = { accountId: this.user.subject };
      await this.#provider.interactionFinished(request, response, { login });
    } else {
      await this.#provider.callback()(request, response);
    }
  }
}

async function grantAll(context: KoaContextWithOIDC) {
  const { client, session, provider } = context.oidc;
  const grant = new provider.Grant({
    ...(client && { clientId: client.clientId }),
    ...(session?.accountId !== undefined && { accountId: session.accountId }),
  });
  grant.addOIDCScope("openid profile groups");
  await grant.save();
  return grant;
}

async function newKey(kid: string): Promise<Jwk> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const {
    key_ops: _operations,
    ext: _ext,
    ...jwk
  } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { ...jwk, kid, use: "sig", alg: "RS256" } as Jwk;
}
