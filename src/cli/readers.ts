// Texts of options as values.
import { InvalidArgumentError } from "commander";
import type { Json } from "../core/json.ts";
import { dollarText } from "../core/money.ts";

export function wholeOption(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number.");
}

export function decimalOption(text: string): number {
  const value = /^\d{1,4}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(value)) return value;
  throw new InvalidArgumentError("It must be a number with at most 6 decimals, such as 0.8.");
}

/** Fields say their unit in their names. */
export function isMoneyName(field: string): boolean {
  return /(?:^|_)micros(?:_|$)/.test(field);
}

const microsPerDollar = 1_000_000;
const moneyHint = "It must be dollars in quotes such as '$2.50', or whole micros.";
/** A bare number below this was rather meant as dollars: it is less than a cent. */
const bareMicrosMin = 10_000;

/** Dollars behind their sign; programs say whole micros without one. */
export function moneyOption(text: string): number {
  const [, sign, whole, decimals = ""] = /^\$(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole !== undefined) {
    const micros = Number(whole) * microsPerDollar + Number(decimals.padEnd(6, "0"));
    return sign === "-" ? -micros : micros;
  }
  const micros = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(micros)) {
    const meant = /^-?\d{1,9}\.\d{1,6}$/.test(text) ? ` Did you mean '$${text}'?` : "";
    throw new InvalidArgumentError(moneyHint + meant);
  }
  if (micros !== 0 && Math.abs(micros) < bareMicrosMin) throw tooFewMicros(text, micros);
  return micros;
}

function tooFewMicros(text: string, micros: number): InvalidArgumentError {
  const amount = dollarText(Math.abs(micros)).replace("$", micros < 0 ? "$-" : "$");
  const micro = Math.abs(micros) === 1 ? "micro" : "micros";
  return new InvalidArgumentError(
    `Without a $ it is ${text} ${micro}, which is ${amount}. ` +
      `Did you mean '$${text}'? If not, write '${amount}'.`,
  );
}

export function list(text: string, before: string[] = []): string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== "")];
}

function splitPair(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must read name=value.");
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Reader of `name=value`, as often as it is said. */
export function pairOf<Value>(read: (text: string) => Value) {
  return (text: string, before: Record<string, Value> = {}): Record<string, Value> => {
    const [name, value] = splitPair(text);
    return { ...before, [name]: read(value) };
  };
}

export const pair = pairOf((text) => text);
export const moneyPair = pairOf(moneyOption);
export const countPair = pairOf(wholeOption);

type Percents = { input_percent: number; output_percent: number };

export function percents(text: string): Percents {
  const [, input, output] = /^(\d{1,5})%?\/(\d{1,5})%?$/.exec(text) ?? [];
  if (input === undefined || output === undefined) {
    throw new InvalidArgumentError("It must end with two percents such as 200/150.");
  }
  return { input_percent: Number(input), output_percent: Number(output) };
}

/** Input above so many tokens, and what it costs. */
export function longContext(text: string): Percents & { above_tokens: number } {
  const [tokens, value] = splitPair(text);
  return { above_tokens: Number(tokens), ...percents(value) };
}

export function jsonOption(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    throw new InvalidArgumentError("It must be JSON.");
  }
}

/** Unix seconds as they are, anything else as a date and time. */
export function momentOption(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

type Hours = Percents & { days?: string; from: string; to: string; zone: string };

/** Hours of every day, where no days are named. */
export function hours(text: string, before: Hours[] = []): Hours[] {
  const words = text.trim().split(/\s+/);
  const [times = "", zone = "", factor = ""] = words.slice(-3);
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(times) ?? [];
  if (from === undefined || to === undefined || words.length > 4) {
    throw new InvalidArgumentError("It must be such as: mon-fri 09:00-18:00 Asia/Shanghai 200/200");
  }
  const [days] = words.length === 4 ? words : [];
  return [...before, { ...(days && { days }), from, to, zone, ...percents(factor) }];
}
