// Canonical forms that signatures of requests are made over, as AWS and those after it have them.
import { createHash, createHmac } from "node:crypto";

/** Such as 20261007T120000Z. */
export function signingDate(nowSeconds: number): string {
  const iso = new Date(Math.floor(nowSeconds) * 1000).toISOString();
  return `${iso.slice(0, 19).replace(/[-:]/g, "")}Z`;
}

export function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${strictly(name)}=${strictly(value)}`);
  return pairs.toSorted().join("&");
}

/** Encodes the five signs too that the platform's own leaves as they are. */
export function strictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
