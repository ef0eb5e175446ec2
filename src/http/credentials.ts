// The one extractor of credentials. A route says which carriers it takes; two carriers that
// disagree are refused, and so is a header that came twice.
import { GatewayError } from "../core/errors.ts";

export type Carrier = "bearer" | "x-api-key" | "google";

const bearer = /^bearer ([^\s,]+)$/i;

/** Null when nothing was sent. */
export function readCredential(
  headers: Headers,
  query: string,
  carriers: readonly Carrier[],
): string | null {
  let found: string | null = null;
  for (const carrier of carriers) {
    if (carrier === "bearer") found = agreeing(found, readBearer(headers));
    else if (carrier === "x-api-key") found = agreeing(found, headers.get("x-api-key"));
    else {
      found = agreeing(found, headers.get("x-goog-api-key"));
      found = agreeing(found, headers.get("x-vendorc-api-key"));
      if (!query.includes("key=")) continue;
      for (const key of new URLSearchParams(query).getAll("key")) found = agreeing(found, key);
    }
  }
  return found;
}

function agreeing(found: string | null, next: string | null): string | null {
  if (found !== null && next !== null && found !== next) {
    throw new GatewayError("conflicting_credentials");
  }
  return next ?? found;
}

function readBearer(headers: Headers): string | null {
  const header = headers.get("authorization");
  if (header === null) return null;
  // Two Authorization headers arrive joined by a comma; neither may be picked.
  const secret = bearer.exec(header)?.[1];
  if (secret === undefined) throw new GatewayError("invalid_api_key");
  return secret;
}
