// Keys, tokens and codes: random text that is shown once, and the digest that is stored for it.
import type { Random } from "../core/random.ts";

const secretBytes = 32;
const invitationBytes = 16;
const secretCharactersMax = 256;

export function createApiKey(random: Random): string {
  return `sk-${Buffer.from(random.bytes(secretBytes)).toString("base64url")}`;
}

export function createAccessToken(random: Random): string {
  return `sat-${Buffer.from(random.bytes(secretBytes)).toString("base64url")}`;
}

export function createSessionSecret(random: Random): string {
  return `sst-${Buffer.from(random.bytes(secretBytes)).toString("base64url")}`;
}

/** Shorter than a key, for people hand it on. */
export function createInvitationCode(random: Random): string {
  return Buffer.from(random.bytes(invitationBytes)).toString("base64url");
}

/** What cannot be a key or token of ours is not worth a lookup. */
export function isPlausible(secret: string): boolean {
  return secret.length <= secretCharactersMax && /^[\x21-\x7e]+$/.test(secret);
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
