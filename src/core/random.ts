// Randomness as a port, so that a simulation can replay a seed.

export interface Random {
  bytes(count: number): Uint8Array;
  /** In [0, 1). */
  unit(): number;
}

export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  unit: () => Math.random(),
};
