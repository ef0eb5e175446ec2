// The few order statistics the tables need.

/** The value below which `share` (0 to 1) of the ascending values lie; 0 when there are none. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  const index = Math.ceil(ascending.length * share) - 1;
  return ascending[Math.max(0, index)] ?? 0;
}

/** The middle value, which one disturbed round cannot move far. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((left, right) => left - right);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? 0;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? 0) + upper) / 2;
}
