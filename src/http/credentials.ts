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
    for (const secret of readCarrier(headers, query, carrier)) {
      if (found !== null && found !== secret) throw new GatewayError("conflicting_credentials");
      found = secret;
    }
  }
  return found;
}

function readCarrier(headers: Headers, query: string, carrier: Carrier): string[] {
  switch (carrier) {
    case "bearer": {
      const header = headers.get("authorization");
      if (header === null) return [];
      // Two Authorization headers arrive joined by a comma; neither may be picked.
      const secret = bearer.exec(header)?.[1];
      if (secret === undefined) throw new GatewayError("invalid_api_key");
      return [secret];
    }
    case "x-api-key":
      return present(headers.get("x-api-key"));
    case "google":
      return [
        ...present(headers.get("x-goog-api-key")),
        ...present(headers.get("x-vendorc-api-key")),
        ...(query.includes("key=") ? new URLSearchParams(query).getAll("key") : []),
      ];
  }
}

function present(header: string | null): string[] {
  return header === null ? [] : [header];
}
