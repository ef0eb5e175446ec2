// Another program's money in ours, exactly. A part of a micro that no micro is left for stays
// behind, is added up, and is told.

const microsPerDollar = 1_000_000n;

export interface Converted {
  micros: bigint;
  /** Remainder of units times a million, in parts of the unit; below one micro. */
  rest: bigint;
}

/** Rounded down; of a debt nothing comes, and all of it is left over. */
export function toMicros(units: bigint, unitsPerDollar: bigint): Converted {
  const parts = units * microsPerDollar;
  if (parts <= 0n) return { micros: 0n, rest: parts };
  return { micros: parts / unitsPerDollar, rest: parts % unitsPerDollar };
}

/** An amount in parts of a unit, as dollars, to the nearest billionth of one. */
export function dollarsOf(parts: bigint, unitsPerDollar: bigint): string {
  const whole = unitsPerDollar * microsPerDollar;
  const size = parts < 0n ? -parts : parts;
  const billionths = (2n * size * 1_000_000_000n + whole) / (2n * whole);
  const decimals = String(billionths % 1_000_000_000n).padStart(9, "0");
  const shown = decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, "");
  return `${parts < 0n ? "-" : ""}$${billionths / 1_000_000_000n}.${shown}`;
}

export function dollarsOfUnits(units: bigint, unitsPerDollar: bigint): string {
  return dollarsOf(units * microsPerDollar, unitsPerDollar);
}

const priceMicrosMax = 1_000_000_000_000n;

/** Prices are whole micros; those that were none are noted. */
export class PriceRounding {
  readonly #noted: string[] = [];

  /** The product of decimal numbers, exact, by the unit, and rounded to a whole one once. */
  round(what: string, factors: readonly number[], unit = 1n): number {
    let [top, bottom] = [1n, unit];
    for (const factor of factors) {
      const fraction = toFraction(Math.max(0, factor));
      top *= fraction.top;
      bottom *= fraction.bottom;
    }
    const rounded = (2n * top + bottom) / (2n * bottom);
    const bounded = rounded > priceMicrosMax ? priceMicrosMax : rounded;
    if (bounded * bottom !== top) {
      const was = Number((top * 1_000_000n) / bottom) / 1_000_000;
      this.#noted.push(`${what} was ${was} micros and is ${bounded}`);
    }
    return Number(bounded);
  }

  /** Null where every price came as it was. */
  get why(): string | null {
    if (this.#noted.length === 0) return null;
    return `prices are whole micros here: ${this.#noted.join(", ")}`;
  }
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
