// The sum of a request's money, done again from the price and the usage that the ledger keeps.

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
  const picos = all.reduce((sum, line) => sum + BigInt(line.tokens) * BigInt(line.picos), 0n);
  const rounded = (picos + BigInt(picosPerMicro - 1)) / BigInt(picosPerMicro);
  const lines = all.filter(({ tokens }) => tokens > 0);
  return { lines, callMicros, micros: Number(rounded) + callMicros };
}

function numbersOf(text: string): number[] | null {
  return /^\d+(?:\/\d+)*$/.test(text) ? text.split("/").map(Number) : null;
}

/** "$0.0000333": parts of a micro are shown where there are any. */
export function lineDollars({ tokens, picos }: BillLine): string {
  const total = BigInt(tokens) * BigInt(picos);
  const perDollar = 1_000_000_000_000n;
  const parts = String(total % perDollar)
    .padStart(12, "0")
    .replace(/0{1,6}$/, "");
  return `$${total / perDollar}.${parts.padEnd(6, "0")}`;
}
