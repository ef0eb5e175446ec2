// An OpenID issuer that tells the truth unless a test makes it lie: about itself, about its keys,
// or in the tokens it makes.
import { createHmac } from "node:crypto";
import { back, challengeOf, clientId, clientSecret } from "./code-book.ts";

type Fields = Record<string, unknown>;

/** A nonce or challenge that the browser did not bring is null. */
interface Grant {
  nonce: string | null;
  challenge: string | null;
  redirectUri: string;
}

/** Lies of the issuer, each a deviation from the protocol. */
export interface Lies {
  discovery?: Fields;
  /** Claims of the id token; undefined takes one out. */
  claims?: Fields;
  header?: Fields;
  /** Signs with a key that it does not publish. */
  isForeignKey?: boolean;
  /** In place of a signature. */
  signature?: string;
  /** Signs by HMAC with this in place of a key. */
  macSecret?: string;
  /** Values that the browser brings back besides. */
  brought?: Record<string, string>;
  userinfo?: Fields;
  /** In place of any answer to the gateway. */
  instead?(path: string): Response | null;
}

interface Pair {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const kid = "one";

export class LyingIssuer implements Disposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #pair: Pair;
  readonly #foreign: Pair;
  readonly #grants = new Map<string, Grant>();
  lies: Lies = {};
  /** Requests of the gateway. */
  readonly asked: string[] = [];

  private constructor(pair: Pair, foreign: Pair) {
    this.#pair = pair;
    this.#foreign = foreign;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => this.#serve(request),
    });
  }

  static async start(): Promise<LyingIssuer> {
    return new LyingIssuer(await newPair(), await newPair());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  config(name: string): string {
    return (
      `{ name: ${name}, type: oidc, client_id: ${clientId}, client_secret: ${clientSecret}, ` +
      `issuer: "${this.url}", allow_private: true }`
    );
  }

  /** Public key that some libraries were made to take for a secret. */
  async publicPem(): Promise<string> {
    const bytes = await crypto.subtle.exportKey("spki", this.#pair.publicKey);
    const text = Buffer.from(bytes).toString("base64");
    return `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }

  async #serve(request: Request): Promise<Response> {
    const { pathname: path, searchParams } = new URL(request.url);
    if (path === "/authorize") return this.#authorize(searchParams);
    this.asked.push(path);
    const other = this.lies.instead?.(path) ?? null;
    if (other) return other;
    switch (path) {
      case "/.well-known/openid-configuration":
        return Response.json(this.#discovery());
      case "/jwks":
        return Response.json({ keys: [await this.#publicKey()] });
      case "/token":
        return await this.#exchange(request);
      case "/userinfo":
        return Response.json({ sub: "liar-1", ...this.lies.userinfo });
      default:
        return new Response("not found", { status: 404 });
    }
  }

  #discovery(): Fields {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      userinfo_endpoint: `${this.url}/userinfo`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      ...this.lies.discovery,
    };
  }

  #authorize(query: URLSearchParams): Response {
    const code = crypto.randomUUID();
    const redirectUri = query.get("redirect_uri") ?? "";
    const nonce = query.get("nonce");
    const challenge = query.get("code_challenge");
    this.#grants.set(code, { nonce, challenge, redirectUri });
    return back(redirectUri, { code, state: query.get("state") ?? "", ...this.lies.brought });
  }

  async #exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const [, pair = ""] = (request.headers.get("authorization") ?? "").split(" ");
    const isInHeader = decodeURIComponent(atob(pair)) === `${clientId}:${clientSecret}`;
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = form.get("code_verifier");
    const isRight =
      (isInHeader || form.get("client_secret") === clientSecret) &&
      form.get("redirect_uri") === grant?.redirectUri &&
      (verifier === null ? null : challengeOf(verifier)) === grant?.challenge;
    if (!grant || !isRight) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const id_token = await this.#idToken(grant);
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      expires_in: 60,
      id_token,
    });
  }

  async #idToken({ nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const { lies } = this;
    const header = { alg: "ES256", kid, typ: "JWT", ...lies.header };
    const claims = {
      iss: this.url,
      sub: "liar-1",
      aud: clientId,
      iat: now,
      exp: now + 300,
      ...(nonce !== null && { nonce }),
      preferred_username: "liar",
      ...lies.claims,
    };
    const text = `${encode(header)}.${encode(claims)}`;
    if (lies.signature !== undefined) return `${text}.${lies.signature}`;
    if (lies.macSecret !== undefined) {
      const mac = createHmac("sha256", lies.macSecret).update(text);
      return `${text}.${mac.digest("base64url")}`;
    }
    const { privateKey } = lies.isForeignKey === true ? this.#foreign : this.#pair;
    const hash = { name: "ECDSA", hash: "SHA-256" };
    const signature = await crypto.subtle.sign(hash, privateKey, new TextEncoder().encode(text));
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  }

  async #publicKey(): Promise<Fields> {
    const jwk = await crypto.subtle.exportKey("jwk", this.#pair.publicKey);
    return { ...jwk, kid, use: "sig", alg: "ES256" };
  }
}

async function newPair(): Promise<Pair> {
  return (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
}

function encode(value: Fields): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
