// Amounts as people type them, and back. Dollars become micros digit by digit, never by a fraction.

/** Null where it is not an amount of at most six decimals. */
export function readDollars(text: string): number | null {
  const [, whole = "", part = ""] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (whole === "") return null;
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, "0"));
}

export function writeDollars(micros: number): string {
  const part = String(micros % 1_000_000)
    .padStart(6, "0")
    .replace(/0+$/, "");
  const whole = String(Math.floor(micros / 1_000_000));
  return part === "" ? whole : `${whole}.${part}`;
}

/** Null for nothing; undefined where it is no whole number. */
export function readWhole(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** One name a line, or with commas between. */
export function readNames(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** A local date and time of a form, as unix seconds. */
export function readMoment(text: string): number | null {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

/** For `datetime-local`. */
export function writeMoment(seconds: number): string {
  const date = new Date(seconds * 1000);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
