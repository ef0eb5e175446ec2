// Numbers as people read them: micros to dollars, tokens, milliseconds, moments.
import { entryOf, language, once } from "./words.ts";
import { zone, zoneName } from "./time/zone.ts";

const shorts = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumSignificantDigits: 3,
});
/** Whole numbers as the language writes them, and its sign before their decimals. */
const numbers = once(
  () => entryOf(language.value).locale,
  (locale) => {
    const wholes = new Intl.NumberFormat(locale);
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
    return { wholes, point: parts.find(({ type }) => type === "decimal")?.value ?? "." };
  },
);

export function count(value: number): string {
  return numbers().wholes.format(value);
}

/** 1.06K, 3.4M, alike in all languages: for where the exact number is a hover away. */
export function compact(value: number): string {
  return pointed(shorts.format(value));
}

/** A number that has no groups, with the language's sign for the point. */
export function pointed(text: string): string {
  return text.replace(".", numbers().point);
}

/** An amount that the gateway left out, as one may not see it. */
const hidden = "–";

/** For sums and lists: two digits, below a cent the first two that are not zero. */
export function money(micros: number | undefined): string {
  // A sum of what was left out is no number.
  if (micros === undefined || Number.isNaN(micros)) return hidden;
  const size = Math.abs(micros);
  const sign = micros < 0 ? "−" : "";
  if (size >= 100_000_000_000) return `${sign}$${compact(size / 1e6)}`;
  return `${sign}$${decimal(size, digitsOf(size))}`;
}

function digitsOf(size: number): number {
  if (size === 0 || size >= 10_000) return 2;
  return size >= 1000 ? 4 : size >= 100 ? 5 : 6;
}

/** For the ledger and for hints: to the micro, so that a column can be added up by eye. */
export function exactMoney(micros: number | undefined): string {
  if (micros === undefined) return hidden;
  return `${micros < 0 ? "−" : ""}$${decimal(Math.abs(micros), 6)}`;
}

/** All digits of an amount, and two at least: for prices, which sums are checked by. */
export function fullMoney(micros: number): string {
  const text = decimal(Math.abs(Math.round(micros)), 6).replace(/0{1,4}$/, "");
  return `${micros < 0 ? "−" : ""}$${text}`;
}

/** For axes and narrow places. */
export function shortMoney(micros: number | undefined): string {
  if (micros === undefined) return hidden;
  const size = Math.abs(micros);
  if (size === 0) return "$0";
  const text = size >= 1_000_000_000 ? compact(size / 1e6) : trimmed(size);
  return `${micros < 0 ? "−" : ""}$${text}`;
}

function trimmed(micros: number): string {
  return decimal(micros, 6).replace(/\D?0+$/, "");
}

/** Whole micros in, so that no fraction is ever added up; rounded half up to the digits. */
function decimal(micros: number, digits: number): string {
  const unit = 10 ** (6 - digits);
  const scaled = Math.floor(micros / unit + 0.5);
  const per = 10 ** digits;
  const part = String(scaled % per).padStart(digits, "0");
  return `${count(Math.floor(scaled / per))}${numbers().point}${part}`;
}

export function millis(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  // Bounds are those of the rounded number: there is no "60.0 s".
  if (ms < 59_950) return `${pointed((ms / 1000).toFixed(ms < 9995 ? 2 : 1))} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function percent(part: number, whole: number, digits = 1): string {
  if (whole === 0) return "–";
  const value = (part / whole) * 100;
  if (value === 100 || value === 0) return `${value} %`;
  // One failure of a hundred thousand is not none.
  const below = 100 - 10 ** -digits;
  const shown = value > below && value < 100 ? below : value;
  const least = 10 ** -digits;
  if (value > 0 && value < least / 2) return `< ${pointed(String(least))} %`;
  return `${pointed(shown.toFixed(digits))} %`;
}

/** Growth over what was before, also where that was below nothing: "+12.3 %". */
export function change(now: number, before: number): string {
  if (before === 0) return "–";
  const percents = ((now - before) / Math.abs(before)) * 100;
  const size = pointed(Math.abs(percents).toFixed(1));
  return `${percents < 0 ? "−" : "+"}${size} %`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const [unit, per] = value < 1e6 ? ["KB", 1e3] : value < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${pointed(String(Number((value / per).toPrecision(3))))} ${unit}`;
}

/** Styles that name the day; a bare time is for those who know it, see `clock`. */
type MomentStyle = "day" | "date" | "full" | "weekday";
type ClockStyle = "second" | "minute";
const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const day = { month: "short", day: "numeric" } as const;
const styles: Record<MomentStyle | ClockStyle, Intl.DateTimeFormatOptions> = {
  second: { ...hour, second: "2-digit" },
  minute: hour,
  day,
  date: { ...day, year: "numeric" },
  full: { year: "numeric", ...day, ...hour, second: "2-digit", timeZoneName: "short" },
  weekday: { weekday: "short" },
};
/** Making one takes longer than drawing a row, so each is made once. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** A moment of the API, which counts in seconds since 1970. */
export function moment(seconds: number, style: MomentStyle): string {
  return written(seconds, style);
}

/** Time without its day: for axes and steps that stand under one. */
export function clock(seconds: number, style: ClockStyle = "minute"): string {
  return written(seconds, style);
}

/** The day stands before the time where it is another one than today. */
export function lately(seconds: number): string {
  const isToday = moment(seconds, "date") === moment(Date.now() / 1000, "date");
  return isToday ? clock(seconds, "second") : `${moment(seconds, "day")} ${clock(seconds)}`;
}

function written(seconds: number, style: MomentStyle | ClockStyle): string {
  const name = `${language.value} ${zone.value} ${style}`;
  let formatter = formatters.get(name);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(entryOf(language.value).locale, {
      ...styles[style],
      timeZone: zoneName(),
    });
    formatters.set(name, formatter);
  }
  return formatter.format(seconds * 1000);
}
