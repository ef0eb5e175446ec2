import { describe, expect, test } from "bun:test";
import { Abort, type AbortListener } from "./abort.ts";

class Ear implements AbortListener {
  heard = 0;

  handleEvent(): void {
    this.heard++;
  }
}

describe("an abort", () => {
  test("is heard once by everyone who listens", () => {
    const abort = new Abort();
    const ears = [new Ear(), new Ear(), new Ear()];
    for (const ear of ears) abort.addEventListener("abort", ear);
    expect(abort.aborted).toBe(false);
    abort.abort();
    abort.abort();
    expect(abort.aborted).toBe(true);
    expect(ears.map(({ heard }) => heard)).toEqual([1, 1, 1]);
  });

  test("is not heard by who has stopped listening", () => {
    const abort = new Abort();
    const [one, other] = [new Ear(), new Ear()];
    abort.addEventListener("abort", one);
    abort.addEventListener("abort", other);
    abort.removeEventListener("abort", one);
    abort.removeEventListener("abort", new Ear());
    abort.abort();
    expect([one.heard, other.heard]).toEqual([0, 1]);
  });

  test("passes from one to the next, and from a signal of the platform", () => {
    const platform = new AbortController();
    const [first, second, ear] = [new Abort(), new Abort(), new Ear()];
    platform.signal.addEventListener("abort", first);
    first.addEventListener("abort", second);
    second.addEventListener("abort", ear);
    platform.abort();
    expect([first.aborted, second.aborted, ear.heard]).toEqual([true, true, 1]);
  });
});
