// Numbers as people read them: micros to dollars, tokens, milliseconds, moments.
import { language } from "./words.ts";
import { zone, zoneName } from "./zone.ts";

const wholes = new Intl.NumberFormat("en-US");
const shorts = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumSignificantDigits: 3,
});

export function count(value: number): string {
  return wholes.format(value);
}

/** 1.06K, 3.4M: for where the exact number is a hover away. */
export function compact(value: number): string {
  return shorts.format(value);
}

/** For sums: cents are not enough below a cent, and too much above a thousand dollars. */
export function money(micros: number): string {
  const size = Math.abs(micros);
  const sign = micros < 0 ? "−" : "";
  if (size >= 100_000_000_000) return `${sign}$${compact(size / 1e6)}`;
  const digits = size === 0 || size >= 1_000_000 ? 2 : size >= 10_000 ? 4 : 6;
  return `${sign}$${decimal(size, digits)}`;
}

/** For lists and the ledger: to the micro, so that a column can be added up by eye. */
export function exactMoney(micros: number): string {
  return `${micros < 0 ? "−" : ""}$${decimal(Math.abs(micros), 6)}`;
}

/** For axes and narrow places. */
export function shortMoney(micros: number): string {
  const size = Math.abs(micros);
  if (size === 0) return "$0";
  const text = size >= 1_000_000_000 ? compact(size / 1e6) : trimmed(size);
  return `${micros < 0 ? "−" : ""}$${text}`;
}

function trimmed(micros: number): string {
  return decimal(micros, 6).replace(/\.?0+$/, "");
}

/** Whole micros in, so that no fraction is ever added up; rounded half up to the digits. */
function decimal(micros: number, digits: number): string {
  const unit = 10 ** (6 - digits);
  const scaled = Math.floor(micros / unit + 0.5);
  const per = 10 ** digits;
  return `${count(Math.floor(scaled / per))}.${String(scaled % per).padStart(digits, "0")}`;
}

export function millis(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function percent(part: number, whole: number, digits = 1): string {
  if (whole === 0) return "–";
  const value = (part / whole) * 100;
  if (value === 100 || value === 0) return `${value} %`;
  // One failure of a hundred thousand is not none.
  const below = 100 - 10 ** -digits;
  return `${(value > below && value < 100 ? below : value).toFixed(digits)} %`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const [unit, per] = value < 1e6 ? ["KB", 1e3] : value < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${Number((value / per).toPrecision(3))} ${unit}`;
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
    const locale = language.value === "zh" ? "zh-CN" : "en-US";
    formatter = new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zoneName() });
    formatters.set(name, formatter);
  }
  return formatter.format(seconds * 1000);
}

/** A cell of CSV: what a spreadsheet would take for a formula is made plain text. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
