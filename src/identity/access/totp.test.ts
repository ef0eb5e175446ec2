import { describe, expect, test } from "bun:test";
import { codeAt, createTotpSecret, stepOf, fromBase32, toBase32, totpUri } from "./totp.ts";

const secret = new TextEncoder().encode("12345678901234567890");

/** Vectors of RFC 6238, appendix B, those with SHA-1. */
const vectors: [seconds: number, code: string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

describe("codes of an authenticator app", () => {
  test.each(vectors)("at %d seconds are those of the RFC", (seconds, code) => {
    expect(codeAt(secret, Math.floor(seconds / 30), 8)).toBe(code);
    expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code.slice(-6));
  });

  test("are those of RFC 4226, appendix D, whose counter is the step", () => {
    const codes = Array.from({ length: 10 }, (_, step) => codeAt(secret, step));
    expect(codes.join(" ")).toBe(
      "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489",
    );
  });

  test("are taken one step early or late and no further", () => {
    const step = 41_152_263;
    const nowMs = step * 30_000 + 7_000;
    const taken = [-2, -1, 0, 1, 2].map((off) =>
      stepOf(secret, codeAt(secret, step + off), { nowMs, lastStep: 0 }),
    );
    expect(taken).toEqual([null, step - 1, step, step + 1, null]);
  });

  test("are taken once, and none that is older than the last", () => {
    const step = 41_152_263;
    const nowMs = step * 30_000;
    const at = (lastStep: number, off: number) =>
      stepOf(secret, codeAt(secret, step + off), { nowMs, lastStep });
    expect(at(step - 1, 0)).toBe(step);
    expect(at(step, 0)).toBeNull();
    expect(at(step, -1)).toBeNull();
    expect(at(step, 1)).toBe(step + 1);
  });

  test("are six digits and nothing else", () => {
    const code = codeAt(secret, 1);
    for (const text of [
      "",
      code.slice(1),
      `${code}0`,
      ` ${code}`,
      code.replace(/./, "٣"),
      "abcdef",
    ]) {
      expect(stepOf(secret, text, { nowMs: 30_000, lastStep: 0 })).toBeNull();
    }
    expect(stepOf(secret, code, { nowMs: 30_000, lastStep: 0 })).toBe(1);
  });
});

test("base32 is that of RFC 4648, without padding", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
  expect(texts.map((text) => toBase32(new TextEncoder().encode(text)))).toEqual([
    "",
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
  const random = { bytes: (count: number) => new Uint8Array(count).fill(255), unit: () => 0 };
  expect(toBase32(createTotpSecret(random))).toBe("7".repeat(32));
});

test("an app reads the whole from one address", () => {
  const uri = new URL(totpUri(secret, "Sluice", "a@b c"));
  expect(uri.href).toStartWith("otpauth://totp/Sluice:a%40b%20c?secret=GEZDGNBVGY3TQOJQ");
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    issuer: "Sluice",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});

test("a secret is read back from the letters it is shown in", () => {
  for (const length of [1, 5, 19, 20, 33]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + 11) % 256);
    expect(fromBase32(toBase32(bytes))).toEqual(bytes);
  }
  expect(fromBase32("AB1")).toBeNull();
});
