// The one extractor of credentials. A route says which carriers it takes; two carriers that
// disagree are refused, and so is a header that came twice.
import { GatewayError } from "../core/errors.ts";
import { refusedCredential } from "../identity/refused-credential.ts";

/** `google` is Google's header or the key in the query, as its clients send it. */
export type Carrier = "bearer" | "x-api-key" | "api-key" | "google";

/** Google's own header, and its neutral name. */
const googleHeaders = ["x-goog-api-key", "x-vendorc-api-key"] as const;

const bearer = /^bearer ([^\s,]+)$/i;
/** All versions of it begin like this. */
const awsSignature = /^\s*aws4-/i;

/** Null when nothing was sent. */
export function readCredential(
  headers: Headers,
  query: string,
  carriers: readonly Carrier[],
): string | null {
  let credential: string | null = null;
  for (const carrier of carriers) {
    if (carrier === "bearer") credential = agreeing(credential, readBearer(headers));
    else if (carrier !== "google") credential = agreeing(credential, headers.get(carrier));
    else {
      for (const name of googleHeaders) credential = agreeing(credential, headers.get(name));
      if (!query.includes("key=")) continue;
      const keys = new URLSearchParams(query).getAll("key");
      for (const key of keys) credential = agreeing(credential, key);
    }
  }
  return credential;
}

/** Bound on what is looked up for one request. */
const credentialsMax = 8;

/** All that differ, of a request whose carriers disagree; the first few of very many. */
export function listCredentials(
  headers: Headers,
  query: string,
  carriers: readonly Carrier[],
): string[] {
  const credentials = carriers.flatMap((carrier) => {
    if (carrier === "bearer") return readBearer(headers) ?? [];
    if (carrier !== "google") return headers.get(carrier) ?? [];
    const keys = new URLSearchParams(query).getAll("key");
    return [...googleHeaders.flatMap((name) => headers.get(name) ?? []), ...keys];
  });
  return [...new Set(credentials)].slice(0, credentialsMax);
}

/**
 * The refusal of a request that brought several credentials: a 400 where one of them is good, since
 * only the client knows which one it meant, and the 401 of a bad one where none is. Each look-up
 * throws the 401 of a bad one.
 */
export async function refusalOfSeveral(
  conflict: GatewayError,
  lookUps: readonly (() => Promise<unknown>)[],
): Promise<GatewayError> {
  let refusal = conflict;
  for (const lookUp of lookUps) {
    try {
      await lookUp();
      return conflict;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.code !== "invalid_api_key") return error;
      refusal = error;
    }
  }
  return refusal;
}

/** True for a client that reads what Google answers. */
export function isGoogleClient(headers: Headers): boolean {
  return googleHeaders.some((name) => headers.has(name));
}

function agreeing(credential: string | null, next: string | null): string | null {
  if (credential !== null && next !== null && credential !== next) {
    throw new GatewayError("conflicting_credentials");
  }
  return next ?? credential;
}

function readBearer(headers: Headers): string | null {
  const header = headers.get("authorization");
  if (header === null) return null;
  // Two Authorization headers arrive joined by a comma; neither may be picked.
  const secret = bearer.exec(header)?.[1];
  if (secret === undefined) {
    throw refusedCredential(awsSignature.test(header) ? "signature" : "malformed");
  }
  return secret;
}
