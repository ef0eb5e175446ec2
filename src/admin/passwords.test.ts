import { expect, test } from "bun:test";
import { hashPassword, isForeignHash, isPassword, isPasswordOf, nobodysHash } from "./passwords.ts";
import { isPasswordLength } from "./password-length.ts";

test("many passwords at once are all hashed, and each opens only with itself", async () => {
  const words = Array.from({ length: 6 }, (_, at) => `password ${at}`);
  const hashes = await Promise.all(words.map(hashPassword));
  expect(new Set(hashes).size).toBe(6);
  expect(hashes[0]).toStartWith("$argon2id$");
  expect(await isPassword("password 3", hashes[3] ?? "")).toBe(true);
  expect(await isPassword("password 2", hashes[3] ?? "")).toBe(false);
});

test("a password has 8 to 256 characters", () => {
  expect([7, 8, 256, 257].map((length) => isPasswordLength("x".repeat(length)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("hazard F17 where there is no account the same work is done, and nothing fits", async () => {
  const costs = (hash: string) => hash.split("$").slice(0, 4);
  const hash = await hashPassword("a long password");
  expect(costs(nobodysHash)).toEqual(costs(hash));
  expect(nobodysHash).toHaveLength(hash.length);
  expect(await isPasswordOf(null, "a long password")).toBe(false);
  expect(await isPasswordOf({ password_hash: "" }, "")).toBe(false);
  expect(await isPasswordOf({ password_hash: hash }, "a long password")).toBe(true);
});

test("a hash of bcrypt opens as it did elsewhere, and one that cannot be read opens nothing", async () => {
  const hash = await Bun.password.hash("a long password", { algorithm: "bcrypt", cost: 4 });
  const goHash = hash.replace(/^\$2b\$/, "$2a$");
  expect(await isPassword("a long password", goHash)).toBe(true);
  expect(await isPassword("another password", goHash)).toBe(false);
  expect(isForeignHash(goHash)).toBe(true);
  expect([isForeignHash(nobodysHash), isForeignHash("")]).toEqual([false, false]);
  for (const strange of ["scrypt:abc", "plain text", goHash.slice(0, 40)]) {
    expect(await isPasswordOf({ password_hash: strange }, "a long password")).toBe(false);
  }
});
