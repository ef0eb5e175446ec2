// Keys and tokens: random text that is shown once, and the digest that is stored instead of it.
import type { Random } from "../core/random.ts";

const secretBytes = 32;

export function createApiKey(random: Random): string {
  return `sk-${Buffer.from(random.bytes(secretBytes)).toString("base64url")}`;
}

export function createAccessToken(random: Random): string {
  return `sat-${Buffer.from(random.bytes(secretBytes)).toString("base64url")}`;
}

/** 256 random bits need no slow hash; one digest makes the lookup. */
export function digest(secret: string): string {
  return new Bun.CryptoHasher("sha256").update(secret).digest("hex");
}

/** Enough of a key to recognise it by. */
export function shorten(secret: string): string {
  return secret.length <= 12
    ? `${secret.slice(0, 3)}…`
    : `${secret.slice(0, 7)}…${secret.slice(-4)}`;
}
