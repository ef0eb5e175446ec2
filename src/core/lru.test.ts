import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Lru } from "./lru.ts";

describe("a map with a cap", () => {
  test("never holds more than the cap and always the newest", () => {
    const writes = fc.array(fc.tuple(fc.nat(30), fc.nat()), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), writes, (entriesMax, entries) => {
        const lru = new Lru<number, number>(entriesMax);
        for (const [key, value] of entries) {
          lru.set(key, value);
          expect(lru.get(key)).toBe(value);
          expect(lru.size).toBeLessThanOrEqual(entriesMax);
        }
        const distinct = new Set(entries.map(([key]) => key)).size;
        expect(lru.size).toBe(Math.min(distinct, entriesMax));
      }),
    );
  });

  test("lets go of what was written longest ago", () => {
    const lru = new Lru<string, number>(2);
    lru.set("a", 1);
    lru.set("b", 2);
    lru.set("a", 3);
    lru.set("c", 4);
    expect([lru.get("a"), lru.get("b"), lru.get("c")]).toEqual([3, undefined, 4]);
  });

  test("keeps what was read when the cap was near", () => {
    const lru = new Lru<string, number>(3);
    for (const [key, value] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const)
      lru.set(key, value);
    expect(lru.get("a")).toBe(1);
    lru.set("d", 4);
    expect([lru.get("a"), lru.get("b")]).toEqual([1, undefined]);
  });

  test("agrees with a plain list once it is at least half full", () => {
    const steps = fc.array(fc.record({ key: fc.nat(9), isRead: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (chosen) => {
        const entriesMax = 6;
        const lru = new Lru<number, number>(entriesMax);
        let order = [100, 101, 102];
        for (const key of order) lru.set(key, key);
        for (const { key, isRead } of chosen) {
          const isThere = order.includes(key);
          if (isRead) expect(lru.get(key)).toBe(isThere ? key : undefined);
          else lru.set(key, key);
          if (isThere || !isRead) order = [...order.filter((other) => other !== key), key];
          order = order.slice(-entriesMax);
        }
        expect([...lru.values()]).toEqual(order);
      }),
    );
  });

  test("forgets what is deleted and everything that is cleared", () => {
    const lru = new Lru<string, number>(4);
    lru.set("a", 1);
    lru.set("b", 2);
    lru.delete("a");
    expect([...lru.values()]).toEqual([2]);
    lru.clear();
    expect([lru.size, lru.get("b")]).toEqual([0, undefined]);
  });
});
