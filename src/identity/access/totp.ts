// Codes of an authenticator app: RFC 6238 with SHA-1, 30 seconds and six digits, which is what
// every app takes.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random } from "../../core/random.ts";

const secretBytes = 20;
const stepMs = 30_000;
const digits = 6;
/** A phone's clock may be off by so many steps. */
const drift = 1;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function createTotpSecret(random: Random): Uint8Array {
  return random.bytes(secretBytes);
}

export function codeAt(secret: Uint8Array, step: number, length: number = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(at) & 0x7fff_ffff;
  return String(number % 10 ** length).padStart(length, "0");
}

/** The step that the code is of, or null. No step counts twice, nor one before it. */
export function stepOf(
  secret: Uint8Array,
  code: string,
  { nowMs, lastStep }: { nowMs: number; lastStep: number },
): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const now = Math.floor(nowMs / stepMs);
  const codeBytes = Buffer.from(code);
  let match: number | null = null;
  for (let step = now - drift; step <= now + drift; step++) {
    const isSame = timingSafeEqual(codeBytes, Buffer.from(codeAt(secret, Math.max(0, step))));
    if (isSame && step > lastStep) match ??= step;
  }
  return match;
}

/** The address that apps read from a picture. */
export function totpUri(secret: Uint8Array, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: "SHA1",
    digits: String(digits),
    period: String(stepMs / 1000),
  });
  return `otpauth://totp/${label}?${query}`;
}

/** RFC 4648 without padding, as people type it. */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}

/** Null where the text has other letters. */
export function fromBase32(text: string): Uint8Array | null {
  const bytes: number[] = [];
  let [rest, bits] = [0, 0];
  for (const letter of text) {
    const value = alphabet.indexOf(letter);
    if (value === -1) return null;
    rest = ((rest << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((rest >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}
