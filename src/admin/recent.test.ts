import { describe, expect, test } from "bun:test";
import { Recent } from "./recent.ts";

class StillClock {
  ms = 0;
  nowMs(): number {
    return this.ms;
  }
  monotonicMs(): number {
    return this.ms;
  }
}

describe("an answer that is kept for a while", () => {
  test("is made once however often it is asked for, and anew when its time is over", () => {
    const clock = new StillClock();
    const recent = new Recent<number>(clock, { forMs: 100, most: 2 });
    let made = 0;
    for (let turn = 0; turn < 5; turn++) expect(recent.of("a", () => ++made)).toBe(1);
    clock.ms = 100;
    expect(recent.of("a", () => ++made)).toBe(2);
  });

  test("makes place for others, the oldest first", () => {
    const recent = new Recent<number>(new StillClock(), { forMs: 100, most: 2 });
    let made = 0;
    for (const name of ["a", "b", "c"]) recent.of(name, () => ++made);
    expect(recent.of("c", () => ++made)).toBe(3);
    expect(recent.of("a", () => ++made)).toBe(4);
  });

  test("is forgotten when it fails", async () => {
    const recent = new Recent<Promise<string>>(new StillClock(), { forMs: 100, most: 2 });
    await expect(recent.of("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await recent.of("a", () => Promise.resolve("back"))).toBe("back");
  });
});
