// Keys, tokens and codes: random text that is shown once, and the digest that is stored for it.
import type { Random } from "../core/random.ts";

const secretBytes = 32;
const invitationBytes = 16;
const secretCharactersMax = 256;
const visible = /^[\x21-\x7e]+$/;
/** Crockford's alphabet. */
const spelling = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const redemptionGroups = [5, 5] as const;
const recoveryGroups = [4, 4] as const;
const linkLetters = 26;

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

/** For people to type: without letters that look like digits, in groups, 125 random bits. */
export function createRedemptionCode(random: Random): string {
  return spell(random, redemptionGroups);
}

/** One of those that replace a lost second factor: 80 random bits. */
export function createRecoveryCode(random: Random): string {
  return spell(random, recoveryGroups);
}

/** Ends a sign-in link: 130 random bits that no terminal and no mail program breaks off. */
export function createLinkText(random: Random): string {
  return spell(random, [1, linkLetters]).toLowerCase();
}

/** Ends a link in a letter: 260 random bits. */
export function createMailToken(random: Random): string {
  return spell(random, [2, linkLetters]).toLowerCase().replace("-", "");
}

/** Six digits: of 2^48 numbers some come up once more often than others, which nobody can use. */
export function createDigits(random: Random): string {
  const number = Buffer.from(random.bytes(6)).readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, "0");
}

/** A typed code as it was spelt, whatever its case and dashes; null when it cannot be one. */
export function readSpelt(text: string): string | null {
  if (text.length > secretCharactersMax) return null;
  const plain = text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]+$/.test(plain) ? plain : null;
}

function spell(random: Random, [groups, length]: readonly [number, number]): string {
  const bytes = random.bytes(groups * length);
  const letters = Array.from(bytes, (byte) => spelling[byte & 31]).join("");
  return Array.from({ length: groups }, (_, at) =>
    letters.slice(at * length, (at + 1) * length),
  ).join("-");
}

/** A text that cannot be a key or token of ours is not worth a lookup. */
export function isPlausible(secret: string): boolean {
  return secret.length <= secretCharactersMax && visible.test(secret);
}

/** 256 random bits need no slow hash; one digest makes the lookup. */
export function digest(secret: string): string {
  return Bun.SHA256.hash(secret, "hex");
}

/** Enough of a key to recognise it by. */
export function shorten(secret: string): string {
  return secret.length <= 12
    ? `${secret.slice(0, 3)}…`
    : `${secret.slice(0, 7)}…${secret.slice(-4)}`;
}
