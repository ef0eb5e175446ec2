import { expect, test } from "bun:test";
import { qrCode } from "./qr.ts";

/** Result of an independent decoder when this was written. */
test("a code has the size of its version and dark finders in three corners", () => {
  const uri = "otpauth://totp/Sluice:root?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Sluice";
  const grid = qrCode(uri) ?? [];
  expect(grid.length).toBe(5 * 4 + 17);
  const last = grid.length - 1;
  const corners = [grid[3]?.[3], grid[3]?.[last - 3], grid[last - 3]?.[3]];
  expect(corners).toEqual([true, true, true]);
  expect(grid[7]?.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => false));
  expect(new Bun.CryptoHasher("sha256").update(JSON.stringify(grid)).digest("hex")).toBe(
    "6c635086933f5f8b00e94c03615dc00a691238c6cda070b5987d6472d33b45fb",
  );
});

test("a text that is too long has none", () => {
  expect(qrCode("x".repeat(213))?.length).toBe(10 * 4 + 17);
  expect(qrCode("x".repeat(214))).toBeNull();
});
