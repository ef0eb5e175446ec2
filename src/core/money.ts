// Money is whole micros (millionths of a US dollar); prices are whole picos (micros per million).
// One micro per million tokens is one pico per token, so a price table converts without a division.
import { assert, AssertionError } from "./assert.ts";

declare const microsBrand: unique symbol;
declare const picosBrand: unique symbol;

export type Micros = number & { readonly [microsBrand]: true };
export type Picos = number & { readonly [picosBrand]: true };

const picosPerMicro = 1_000_000;
const partsPerOne = 1_000_000;

export const zeroMicros = 0 as Micros;
/** A billion dollars: what comes to more is not an amount but a mistake or an attack. */
export const microsMax = 1_000_000_000_000_000 as Micros;

export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) fail("not a whole number of micros", value);
  return value as Micros;
}

export function picos(value: number): Picos {
  if (!isCount(value)) fail("not a price in whole picos", value);
  return value as Picos;
}

/** A price with a group's multiplier in it, rounded up to the next whole of its unit. */
export function multiplyPrice<Price extends Picos | Micros>(
  price: Price,
  multiplierPpm: number,
): Price {
  assert(Number.isSafeInteger(multiplierPpm) && multiplierPpm >= 0, "bad multiplier");
  if (multiplierPpm === partsPerOne) return price;
  const product = price * multiplierPpm;
  const multiplied = Number.isSafeInteger(product)
    ? Math.ceil(product / partsPerOne)
    : Number(ceilDivide(BigInt(price) * BigInt(multiplierPpm), BigInt(partsPerOne)));
  if (!Number.isSafeInteger(multiplied)) fail("not a whole price", multiplied);
  return multiplied as Price;
}

export interface Line {
  units: number;
  price: Picos;
}

/** The cost of the lines together, rounded up once to the next micro, at most `microsMax`. */
export function cost(lines: readonly Line[]): Micros {
  let total = 0;
  for (const { units, price } of lines) {
    if (!isCount(units)) fail("bad unit count", units);
    total += units * price;
  }
  if (Number.isSafeInteger(total)) return Math.ceil(total / picosPerMicro) as Micros;
  if (total > microsMax * picosPerMicro) return microsMax;
  const exact = lines.reduce((sum, line) => sum + BigInt(line.units) * BigInt(line.price), 0n);
  return micros(Number(ceilDivide(exact, BigInt(picosPerMicro))));
}

/** The amount for people: at least two digits behind the point, at most the six that there are. */
export function dollarText(amountMicros: number): string {
  return `${amountMicros < 0 ? "-" : ""}$${plainDollars(Math.abs(amountMicros))}`;
}

/** An amount that is not negative, without its sign: cents at least, and no zeros behind them. */
export function plainDollars(amountMicros: number): string {
  let part = amountMicros % partsPerOne;
  let digits = 6;
  for (; digits > 2 && part % 10 === 0; digits--) part /= 10;
  return `${Math.floor(amountMicros / partsPerOne)}.${String(part).padStart(digits, "0")}`;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Says what was wrong only where something is: amounts are checked several times a request. */
function fail(message: string, value: number): never {
  throw new AssertionError(`${message}: ${value}`);
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
