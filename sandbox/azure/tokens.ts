// The practice of Entra: tokens for a client's secret, for a cluster's token, and for the identity
// of the machine. Each lives an hour by the sandbox's clock.
import type { Clock } from "../../src/core/clock.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { jsonAnswer, secretOf } from "../wire.ts";

const lifeSeconds = 3600;
const scopes = ["https://cognitiveservices.azure.com", "https://ai.azure.com"];
const tokenPath = /^\/([\w-]+)\/oauth2\/v2\.0\/token$/;
const identityPath = "/metadata/identity/oauth2/token";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const tokenPrefix = "sandbox-entra-";

export class Tokens {
  readonly #clock: Clock;
  readonly #endsAtMs = new Map<string, number>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null where the request is for something else. */
  answer(request: VendorRequest): Answer | null {
    const { method, path, query, headers } = request;
    if (path === identityPath) {
      if (headers.get("metadata") !== "true") return refuse(400, "invalid_request", "no Metadata");
      return this.#grant(`${query.get("resource") ?? ""}/.default`);
    }
    const [, tenant] = tokenPath.exec(path) ?? [];
    if (tenant === undefined) return null;
    if (method !== "POST") return refuse(405, "invalid_request", "AADSTS900561: use POST.");
    return this.#exchange(new URLSearchParams(new TextDecoder().decode(request.body)));
  }

  /** The number of a token that holds; null for one that has ended or never was. */
  numberOf(token: string): number | null {
    const endsAtMs = this.#endsAtMs.get(token);
    if (endsAtMs === undefined || endsAtMs <= this.#clock.nowMs()) return null;
    return Number(token.slice(tokenPrefix.length));
  }

  isToken(text: string): boolean {
    return text.startsWith(tokenPrefix);
  }

  #exchange(form: URLSearchParams): Answer {
    if (form.get("grant_type") !== "client_credentials") {
      return refuse(400, "unsupported_grant_type", "AADSTS70003: unknown grant type.");
    }
    const client = form.get("client_id") ?? "";
    const isBySecret = form.get("client_secret") === secretOf(client);
    const isByToken =
      form.get("client_assertion_type") === assertionType &&
      form.get("client_assertion") === `token-of-${client}`;
    if (client === "" || (!isBySecret && !isByToken)) {
      const words = "AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1";
      return refuse(401, "invalid_client", words);
    }
    return this.#grant(form.get("scope") ?? "");
  }

  #grant(scope: string): Answer {
    if (!scopes.some((known) => scope === `${known}/.default`)) {
      return refuse(400, "invalid_scope", "AADSTS70011: the scope is not valid.");
    }
    const token = `${tokenPrefix}${String(++this.#count).padStart(8, "0")}`;
    this.#endsAtMs.set(token, this.#clock.nowMs() + lifeSeconds * 1000);
    return jsonAnswer({ token_type: "Bearer", expires_in: lifeSeconds, access_token: token });
  }
}

function refuse(status: number, error: string, description: string): Answer {
  return jsonAnswer({ error, error_description: description }, { status });
}
