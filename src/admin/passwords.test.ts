import { expect, test } from "bun:test";
import { hashPassword, isPassword, isPasswordLength } from "./passwords.ts";

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
