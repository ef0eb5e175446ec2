// Numbers of settings in units that people think in, by the unit that the setting's name ends with.
import { readDollars } from "../../core/amounts.ts";
import { fullMoney } from "../../core/format.ts";
import type { Value } from "./text.ts";

type Unit = "micros" | "seconds" | "ms" | "bytes";
type Sizes = readonly (readonly [sign: string, size: number])[];

const times: Sizes = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
];
/** Largest first. */
const sizes: Readonly<Record<Exclude<Unit, "micros">, Sizes>> = {
  seconds: times,
  ms: [...times.map(([sign, size]) => [sign, size * 1000] as const), ["ms", 1]],
  bytes: [
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
    ["B", 1],
  ],
};

/** Null for a setting that is a plain number. */
function unitOf(name: string): Unit | null {
  const [, unit] = /(?:_|\.)(micros|seconds|ms|bytes)(?:_max|_min)?$/.exec(name) ?? [];
  return unit === "micros" || unit === "seconds" || unit === "ms" || unit === "bytes" ? unit : null;
}

const examples: Readonly<Record<Unit, string>> = {
  micros: "$5",
  seconds: "14 d, 2 h, 30 min",
  ms: "30 s, 5 min, 1 d",
  bytes: "512 MiB, 2 GiB",
};

/** Null where it is typed as a plain number alone. */
export function unitExamples(name: string): string | null {
  const unit = unitOf(name);
  return unit && examples[unit];
}

/** "$5", "14 d" or "2 GiB" in the setting's own unit; null for what is none of them. */
export function readInUnit(name: string, typed: string): number | null {
  const unit = unitOf(name);
  const text = typed.trim();
  if (unit === null) return null;
  if (unit === "micros") return text.startsWith("$") ? readDollars(text.slice(1)) : null;
  const [, digits, sign = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text) ?? [];
  const found = sizes[unit].find(([one]) => one.toLowerCase() === sign.toLowerCase());
  const number = Number(digits) * (found?.[1] ?? Number.NaN);
  return Number.isInteger(number) ? number : null;
}

/** The same backwards: in the largest unit that it is a whole number of. */
export function writeInUnit(name: string, value: Value): string | null {
  const unit = unitOf(name);
  if (unit === null || typeof value !== "number") return null;
  if (unit === "micros") return fullMoney(value);
  const [sign, size] = sizes[unit].find(([, one]) => value !== 0 && value % one === 0) ?? ["", 1];
  return size === 1 ? null : `${value / size} ${sign}`;
}
