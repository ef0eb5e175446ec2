import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Clock } from "./clock.ts";
import { createIds, timeOfId, type Ids } from "./ids.ts";
import { systemRandom, type Random } from "./random.ts";

function clockAt(nowMs: () => number): Clock {
  return { nowMs, monotonicMs: nowMs };
}

const kinds: [Exclude<keyof Ids, "of">, string][] = [
  ["request", "req_"],
  ["account", "acc_"],
  ["key", "key_"],
  ["channel", "chn_"],
  ["token", "tok_"],
  ["session", "ses_"],
  ["invitation", "inv_"],
  ["operation", "op_"],
  ["redemption", "rdm_"],
  ["passkey", "pky_"],
  ["audit", "aud_"],
];

describe("ids", () => {
  test.each(kinds)(
    "of a %s start with %s and hold 26 characters of the alphabet",
    (kind, prefix) => {
      const ids = createIds(clockAt(Date.now), systemRandom);
      for (let count = 0; count < 200; count++) {
        expect(ids[kind]()).toMatch(new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{26}$`));
      }
    },
  );

  test("of a kind that only its folder knows start with the prefix that is asked for", () => {
    const ids = createIds(clockAt(Date.now), systemRandom);
    expect(ids.of("ann_")).toMatch(/^ann_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  test("sort by the time they were made", () => {
    const timeMs = fc.integer({ min: 0, max: 2 ** 50 - 1 });
    fc.assert(
      fc.property(timeMs, timeMs, (firstMs, secondMs) => {
        fc.pre(firstMs < secondMs);
        let nowMs = firstMs;
        const ids = createIds(
          clockAt(() => nowMs),
          systemRandom,
        );
        const first = ids.request();
        nowMs = secondMs;
        expect(first < ids.request()).toBe(true);
      }),
    );
  });

  test("of entries sort as they were made, also within one millisecond", () => {
    const top: Random = { bytes: (length) => new Uint8Array(length).fill(31), unit: () => 0 };
    for (const random of [systemRandom, top]) {
      const ids = createIds(
        clockAt(() => 1),
        random,
      );
      const made = Array.from({ length: 300 }, () => ids.audit());
      expect(made.toSorted()).toEqual(made);
      expect(new Set(made).size).toBe(300);
    }
  });

  test("carry the milliseconds in their first ten characters", () => {
    const zeros: Random = { bytes: (count) => new Uint8Array(count), unit: () => 0 };
    const idAt = (nowMs: number) =>
      createIds(
        clockAt(() => nowMs),
        zeros,
      ).operation();
    expect(idAt(0)).toBe(`op_${"0".repeat(26)}`);
    expect(idAt(33)).toBe(`op_${"0".repeat(8)}11${"0".repeat(16)}`);
    expect(idAt(2 ** 50 - 1)).toBe(`op_${"z".repeat(10)}${"0".repeat(16)}`);
  });

  test("tell the millisecond they were made in", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 - 1 }), (nowMs) => {
        const ids = createIds(
          clockAt(() => nowMs),
          systemRandom,
        );
        expect(timeOfId(ids.request())).toBe(nowMs);
        expect(timeOfId(ids.operation())).toBe(nowMs);
      }),
    );
  });

  test.each(["", "req_", `req_${"0".repeat(25)}`, `req_${"0".repeat(25)}u`, "0".repeat(30)])(
    "are not what %p is",
    (text) => expect(timeOfId(text)).toBeNull(),
  );

  test("never repeat within one millisecond", () => {
    const ids = createIds(
      clockAt(() => 1),
      systemRandom,
    );
    const seen = new Set(Array.from({ length: 20_000 }, () => ids.request()));
    expect(seen.size).toBe(20_000);
  });

  test("use each random byte once", () => {
    let next = 0;
    const counting: Random = {
      bytes: (count) => Uint8Array.from({ length: count }, () => next++ >> 4),
      unit: () => 0,
    };
    const ids = createIds(
      clockAt(() => 0),
      counting,
    );
    const ends = Array.from({ length: 130 }, () => ids.operation().slice(-16));
    const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
    expect(ends).toEqual(ends.map((_, index) => alphabet.charAt(index % 32).repeat(16)));
  });
});
