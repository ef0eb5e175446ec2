// Error of the simulation when the ledger did what it must never do.

export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

export function must(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new BrokenPromise(message());
}

/** Compares plain values; the message shows both. */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  must(found === wanted, () => `${what}: found ${found}, expected ${wanted}`);
}
