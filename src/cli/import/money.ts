// Another program's money in ours, exactly. A part of a micro that no micro is left for stays
// behind, is added up, and is told.

const microsPerDollar = 1_000_000n;

export interface Converted {
  micros: bigint;
  /** What is left over of units times a million, in parts of the unit; below one micro. */
  rest: bigint;
}

/** Rounded down; of a debt nothing comes, and all of it is left over. */
export function toMicros(units: bigint, unitsPerDollar: bigint): Converted {
  const parts = units * microsPerDollar;
  if (parts <= 0n) return { micros: 0n, rest: parts };
  return { micros: parts / unitsPerDollar, rest: parts % unitsPerDollar };
}

/** Whether everything that was there is either here or told to be left behind. */
export function isBalanced({
  totalUnits,
  leftUnits,
  unitsPerDollar,
  converted,
}: {
  totalUnits: bigint;
  leftUnits: bigint;
  unitsPerDollar: bigint;
  converted: readonly Converted[];
}): boolean {
  const parts = converted.reduce(
    (sum, { micros, rest }) => sum + micros * unitsPerDollar + rest,
    0n,
  );
  return (totalUnits - leftUnits) * microsPerDollar === parts;
}

/** A decimal number of another program as a fraction of whole numbers. */
export function toFraction(value: number): { top: bigint; bottom: bigint } {
  const [, sign = "", whole = "0", part = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  const shift = part.length - Number(exponent);
  const digits = BigInt(`${sign}${whole}${part}`);
  return shift >= 0
    ? { top: digits, bottom: 10n ** BigInt(shift) }
    : { top: digits * 10n ** BigInt(-shift), bottom: 1n };
}
