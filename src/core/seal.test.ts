import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemRandom } from "./random.ts";
import { createSeal } from "./seal.ts";

const seal = createSeal("a secret of the operator", systemRandom);

describe("a sealed text", () => {
  test("opens to what was closed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, context) => {
        expect(seal.open(seal.close(plain, context), context)).toBe(plain);
      }),
    );
  });

  test("opens for a seal made anew of the same secret", () => {
    const again = createSeal("a secret of the operator", systemRandom);
    expect(again.open(seal.close("sk-1", "channel 1"), "channel 1")).toBe("sk-1");
  });

  test("does not open in another context", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (plain, context, other) => {
        fc.pre(Buffer.from(context).compare(Buffer.from(other)) !== 0);
        const sealed = seal.close(plain, context);
        expect(() => seal.open(sealed, other)).toThrow();
      }),
    );
  });

  test("does not open with another secret", () => {
    const sealed = seal.close("sk-1", "channel 1");
    const other = createSeal("a secret of the operator ", systemRandom);
    expect(() => other.open(sealed, "channel 1")).toThrow();
  });

  test("does not open when it says it is of another version, or of none", () => {
    const sealed = seal.close("sk-1", "channel 1");
    for (const prefix of ["v2.", "xyz", "V1.", "v1", ""]) {
      expect(() => seal.open(`${prefix}${sealed.slice(3)}`, "channel 1")).toThrow();
    }
  });

  test("does not open when any bit of it was flipped", () => {
    const sealed = seal.close("sk-1", "channel 1");
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => seal.open(`v1.${changed.toString("base64url")}`, "channel 1")).toThrow();
    }
  });

  test("does not open when it was cut", () => {
    const sealed = seal.close("", "channel 1");
    for (let length = 0; length < sealed.length; length++) {
      expect(() => seal.open(sealed.slice(0, length), "channel 1")).toThrow();
    }
  });

  test("shows neither its text nor that two texts are the same", () => {
    const first = seal.close("sk-1-very-secret", "channel 1");
    const second = seal.close("sk-1-very-secret", "channel 1");
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[\w-]+$/);
    expect(Buffer.from(first.slice(3), "base64url").toString("latin1")).not.toContain("secret");
  });
});
