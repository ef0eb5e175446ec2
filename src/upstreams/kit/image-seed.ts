// The seed of a picture, for vendors who make one for each call: with the same one, all of them
// would be the same.

/** Leaves it to chance, as saying nothing does. */
const anySeed = -1;
const seedMax = 2 ** 31 - 1;

/** The seed of the call at this place; null for none. */
export function seedAt(seed: number | null, index: number): number | null {
  return seed === null || seed === anySeed ? null : seed + index;
}

/** Whether every one of so many calls can have its seed. */
export function hasSeeds(seed: number | null, count: number): boolean {
  return (seedAt(seed, count - 1) ?? 0) <= seedMax;
}
