// A service account's word for itself: a JWT that its private key signs.
import { sign } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import { unusableKey } from "./exchange.ts";

interface Asked {
  scope: string;
  audience: string;
  nowSeconds: number;
}

const lifeSeconds = 3600;

export function assertionOf(parts: JsonObject, { scope, audience, nowSeconds }: Asked): string {
  const { client_email: issuer, private_key: pem, private_key_id: keyId } = parts;
  if (typeof issuer !== "string" || typeof pem !== "string") {
    throw unusableKey("the service account has no client_email or no private_key");
  }
  const header = { alg: "RS256", typ: "JWT", ...(typeof keyId === "string" && { kid: keyId }) };
  const claims = {
    iss: issuer,
    scope,
    aud: audience,
    iat: nowSeconds,
    exp: nowSeconds + lifeSeconds,
  };
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${signature(text, pem)}`;
}

function signature(text: string, pem: string): string {
  try {
    return sign("RSA-SHA256", Buffer.from(text), pem).toString("base64url");
  } catch {
    // The platform's words may have a part of the key.
    throw unusableKey("the private_key of the service account cannot be read");
  }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
