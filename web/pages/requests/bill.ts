// The sum of a request's money, done again from the price and the usage that the ledger keeps.
import { pointed } from "../../core/format.ts";

export interface BillLine {
  name: "input" | "cacheRead" | "cacheWrite" | "output";
  tokens: number;
  /** A micro for a million tokens, which is a pico for one. */
  picos: number;
}

export interface Bill {
  lines: BillLine[];
  callMicros: number;
  /** Rounded up once, as the ledger does. */
  micros: number;
}

const picosPerMicro = 1_000_000;

/** Null where more than tokens was charged for, which the ledger's own words tell. */
export function billOf(price: string | null, usage: string | null): Bill | null {
  const prices = numbersOf(price ?? "");
  const used = numbersOf((usage ?? "").replace(/^[~!]/, ""));
  if (prices?.length !== 5 || used?.length !== 4) return null;
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0, callMicros = 0] = prices;
  const [inputTokens = 0, outputTokens = 0, read = 0, write = 0] = used;
  const readTokens = Math.min(read, inputTokens);
  const writeTokens = Math.min(write, inputTokens - readTokens);
  const all: BillLine[] = [
    { name: "input", tokens: inputTokens - readTokens - writeTokens, picos: input },
    { name: "cacheRead", tokens: readTokens, picos: cacheRead },
    { name: "cacheWrite", tokens: writeTokens, picos: cacheWrite },
    { name: "output", tokens: outputTokens, picos: output },
  ];
  const picos = all.reduce((sum, line) => sum + picosOf(line), 0n);
  const rounded = (picos + BigInt(picosPerMicro - 1)) / BigInt(picosPerMicro);
  const lines = all.filter(({ tokens }) => tokens > 0);
  return { lines, callMicros, micros: Number(rounded) + callMicros };
}

function numbersOf(text: string): number[] | null {
  return /^\d+(?:\/\d+)*$/.test(text) ? text.split("/").map(Number) : null;
}

const picosPerDollar = 1_000_000_000_000n;

/** "$0.0000333": parts of a micro are shown where one of the lines has any, in all of them. */
export function lineDollars(line: BillLine, lines: readonly BillLine[]): string {
  const total = picosOf(line);
  const digits = Math.max(...lines.map((one) => partsOf(one).replace(/0{1,6}$/, "").length));
  return pointed(`$${total / picosPerDollar}.${partsOf(line).slice(0, digits)}`);
}

function picosOf({ tokens, picos }: BillLine): bigint {
  return BigInt(tokens) * BigInt(picos);
}

function partsOf(line: BillLine): string {
  return String(picosOf(line) % picosPerDollar).padStart(12, "0");
}
