// The practice of Google's tokens: for a service account's signature, for a token of another
// identity and then of the account that it may act for, and for the identity of the machine. Each
// lives an hour by the sandbox's clock.
import { verify } from "node:crypto";
import type { Clock } from "../../src/core/clock.ts";
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { noFaults } from "../directives.ts";
import { originOf, type Answer, type VendorRequest } from "../vendor.ts";
import { bearerOf, jsonAnswer } from "../wire.ts";
import { accountEmail, accountKey, accountKeyId } from "./account.ts";

const lifeSeconds = 3600;
const skewSeconds = 300;
const scope = "https://www.googleapis.com/auth/cloud-platform";
const tokenPath = "/token";
const federationPath = "/sts/v1/token";
const metadataPath = "/computeMetadata/v1/instance/service-accounts/default/token";
const accountPath = `/iam/v1/projects/-/serviceAccounts/${accountEmail}:generateAccessToken`;
const grant = "urn:ietf:params:oauth:grant-type";
/** The source of another identity's token, and the one that the pool of identities takes. */
const subjectPath = "/subject";
const subjectToken = "sandbox-subject-token";
const tokenPrefix = "ya29.sandbox-";
const federatedPrefix = "ya29.federated-";

export class Tokens {
  readonly #clock: Clock;
  readonly #endsAtMs = new Map<string, number>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null where the request is for something else. */
  answer(request: VendorRequest): Answer | null {
    const { path } = request;
    if (path === tokenPath) return this.#byAssertion(request);
    if (path === federationPath) return this.#bySubject(request);
    if (path === subjectPath) return plainAnswer(subjectToken);
    if (path === accountPath) return this.#byFederated(request);
    if (path !== metadataPath) return null;
    const isAsked = request.headers.get("metadata-flavor") === "Google";
    return isAsked ? this.#granted(tokenPrefix) : refuse(403, "forbidden", "no Metadata-Flavor");
  }

  /** The number of a token that holds; null for one that has ended or never was. */
  numberOf(token: string): number | null {
    const endsAtMs = this.#endsAtMs.get(token) ?? 0;
    const isHeld = token.startsWith(tokenPrefix) && endsAtMs > this.#clock.nowMs();
    return isHeld ? Number(token.slice(tokenPrefix.length)) : null;
  }

  #byAssertion(request: VendorRequest): Answer {
    const form = formOf(request);
    if (form.get("grant_type") !== `${grant}:jwt-bearer`) {
      return refuse(400, "unsupported_grant_type", "Invalid grant_type.");
    }
    const fault = this.#faultOf(form.get("assertion") ?? "", `${originOf(request)}/vertex/token`);
    return fault === null ? this.#granted(tokenPrefix) : refuse(400, "invalid_grant", fault);
  }

  /** Null where the assertion is the account's own, for here and for now. */
  #faultOf(assertion: string, audience: string): string | null {
    const [header = "", claims = "", signature = ""] = assertion.split(".");
    const bytes = Buffer.from(`${header}.${claims}`);
    const isSigned = verify("RSA-SHA256", bytes, accountKey, Buffer.from(signature, "base64url"));
    if (!isSigned) return "Invalid JWT Signature.";
    const { alg, kid } = partsOf(header);
    if (alg !== "RS256" || kid !== accountKeyId) return "Invalid JWT: unknown key.";
    const { iss, aud, scope: asked, iat, exp } = partsOf(claims);
    const nowSeconds = this.#clock.nowMs() / 1000;
    if (iss !== accountEmail) return "Invalid grant: account not found";
    if (aud !== audience || asked !== scope) return "Invalid JWT: wrong audience or scope.";
    if (typeof iat !== "number" || typeof exp !== "number" || exp - iat > lifeSeconds) {
      return "Invalid JWT: it must be short-lived and in a reasonable timeframe.";
    }
    const isNow = Math.abs(nowSeconds - iat) <= skewSeconds && exp > nowSeconds;
    return isNow ? null : "Invalid JWT: it is not of this hour.";
  }

  #bySubject(request: VendorRequest): Answer {
    const form = formOf(request);
    if (form.get("grant_type") !== `${grant}:token-exchange`) {
      return refuse(400, "unsupported_grant_type", "Invalid grant_type.");
    }
    const isKnown = form.get("subject_token") === subjectToken && form.get("audience") !== "";
    return isKnown
      ? this.#granted(federatedPrefix)
      : refuse(400, "invalid_grant", "The subject token is not valid.");
  }

  #byFederated(request: VendorRequest): Answer {
    const endsAtMs = this.#endsAtMs.get(bearerOf(request) ?? "") ?? 0;
    if (endsAtMs <= this.#clock.nowMs()) {
      const error = { code: 401, message: "Unknown token.", status: "UNAUTHENTICATED" };
      return jsonAnswer({ error }, { status: 401 });
    }
    const { token, expiresAtMs } = this.#make(tokenPrefix);
    return jsonAnswer({ accessToken: token, expireTime: new Date(expiresAtMs).toISOString() });
  }

  #granted(prefix: string): Answer {
    const { token } = this.#make(prefix);
    return jsonAnswer({ access_token: token, expires_in: lifeSeconds, token_type: "Bearer" });
  }

  #make(prefix: string): { token: string; expiresAtMs: number } {
    const token = `${prefix}${String(++this.#count).padStart(8, "0")}`;
    const expiresAtMs = this.#clock.nowMs() + lifeSeconds * 1000;
    this.#endsAtMs.set(token, expiresAtMs);
    return { token, expiresAtMs };
  }
}

function formOf({ body }: VendorRequest): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}

function partsOf(encoded: string): JsonObject {
  const value: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString());
  return isObject(value) ? value : {};
}

function plainAnswer(text: string): Answer {
  const content = { kind: "whole", bytes: new TextEncoder().encode(text) } as const;
  return { status: 200, headers: { "content-type": "text/plain" }, faults: noFaults, content };
}

function refuse(status: number, error: string, description: string): Answer {
  return jsonAnswer({ error, error_description: description }, { status });
}
