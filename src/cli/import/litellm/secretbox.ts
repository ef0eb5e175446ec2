// Opens a NaCl secret box (XSalsa20 and Poly1305), which the runtime's own cryptography does not
// know. Only ever used on a few short texts that the operator holds the key of.
import { timingSafeEqual } from "node:crypto";

const nonceBytes = 24;
const tagBytes = 16;
const rounds = 10;
/** "expand 32-byte k". */
const sigma = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;

/** Null where the key is another, or the box is broken. */
export function openSecretBox(sealed: Uint8Array, key: Uint8Array): Uint8Array | null {
  if (sealed.length < nonceBytes + tagBytes) return null;
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const text = sealed.subarray(nonceBytes + tagBytes);
  const subkey = hashed(key, nonce.subarray(0, 16));
  const stream = streamOf(subkey, nonce.subarray(16), 32 + text.length);
  if (!timingSafeEqual(tagOf(text, stream.subarray(0, 32)), tag)) return null;
  return text.map((byte, at) => byte ^ (stream[32 + at] ?? 0));
}

function words(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(at * 4, true));
}

function toBytes(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of values.entries()) view.setUint32(at * 4, value >>> 0, true);
  return bytes;
}

/** The sixteen words that Salsa20 starts from. */
function stateOf(key: Uint8Array, input: readonly number[]): Uint32Array {
  const k = words(key);
  const [first, second] = [k.slice(0, 4), k.slice(4)];
  return Uint32Array.from([sigma[0], ...first, sigma[1], ...input, sigma[2], ...second, sigma[3]]);
}

/** The words of a quarter round: of the four columns, then of the four rows. */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const;

function mix(state: Uint32Array): Uint32Array {
  const x = state.slice();
  const turn = (to: number, one: number, other: number, by: number) => {
    const sum = ((x[one] ?? 0) + (x[other] ?? 0)) >>> 0;
    x[to] = (x[to] ?? 0) ^ ((sum << by) | (sum >>> (32 - by)));
  };
  for (let round = 0; round < rounds; round++) {
    for (const [a, b, c, d] of quarters) {
      turn(b, a, d, 7);
      turn(c, b, a, 9);
      turn(d, c, b, 13);
      turn(a, d, c, 18);
    }
  }
  return x;
}

function hashed(key: Uint8Array, input: Uint8Array): Uint8Array {
  const x = mix(stateOf(key, words(input)));
  return toBytes([0, 5, 10, 15, 6, 7, 8, 9].map((at) => x[at] ?? 0));
}

function streamOf(key: Uint8Array, nonce: Uint8Array, length: number): Uint8Array {
  const stream = new Uint8Array(Math.ceil(length / 64) * 64);
  for (let block = 0; block * 64 < length; block++) {
    const state = stateOf(key, [...words(nonce), block, 0]);
    const x = mix(state);
    stream.set(toBytes(Array.from(x, (value, at) => value + (state[at] ?? 0))), block * 64);
  }
  return stream.subarray(0, length);
}

const prime = (1n << 130n) - 5n;
const clamp = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

function numberOf(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toReversed().toHex();
  return hex === "" ? 0n : BigInt(`0x${hex}`);
}

/** Poly1305. */
function tagOf(text: Uint8Array, key: Uint8Array): Uint8Array {
  const r = numberOf(key.subarray(0, 16)) & clamp;
  let sum = 0n;
  for (let at = 0; at < text.length; at += 16) {
    const block = text.subarray(at, at + 16);
    sum = ((sum + numberOf(block) + (1n << BigInt(block.length * 8))) * r) % prime;
  }
  const whole = (sum + numberOf(key.subarray(16, 32))) & ((1n << 128n) - 1n);
  return Buffer.from(whole.toString(16).padStart(32, "0"), "hex").toReversed();
}
