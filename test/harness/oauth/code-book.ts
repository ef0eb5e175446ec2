// The codes that a stand-in of a provider has given out: each for one client, one address and one
// challenge, and each good for once.
import { createHash, randomBytes } from "node:crypto";

export const clientId = "gateway-at-provider";
export const clientSecret = "secret-of-the-gateway-0123456789";

export interface Grant<User> {
  redirectUri: string;
  challenge: string | null;
  user: User;
}

export class CodeBook<User> {
  readonly #codes = new Map<string, Grant<User>>();
  readonly #tokens = new Map<string, User>();

  issue(grant: Grant<User>): string {
    const code = randomBytes(10).toString("hex");
    this.#codes.set(code, grant);
    return code;
  }

  /** A token for the code, or null when it is not good or not good any more. */
  redeem(form: URLSearchParams): string | null {
    const code = form.get("code") ?? "";
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (!grant || form.get("redirect_uri") !== grant.redirectUri) return null;
    const verifier = form.get("code_verifier") ?? "";
    if (grant.challenge !== null && challengeOf(verifier) !== grant.challenge) return null;
    const token = `token.${randomBytes(16).toString("base64url")}`;
    this.#tokens.set(token, grant.user);
    return token;
  }

  userOf(request: Request): User | null {
    const [scheme, token = ""] = (request.headers.get("authorization") ?? "").split(" ");
    return scheme?.toLowerCase() === "bearer" ? (this.#tokens.get(token) ?? null) : null;
  }
}

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** Back to where the browser came from, with what it is to bring along. */
export function back(redirectUri: string, brought: Record<string, string>): Response {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(brought)) url.searchParams.set(name, value);
  return new Response(null, { status: 302, headers: { location: url.href } });
}
