// JSON lines on one stream, buffered, with secrets taken out before anything is written.
import type { Clock, Timers } from "./clock.ts";
import { mayHoldSecret, scrub } from "./scrub.ts";

export { scrub };

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const;
export type LogLevel = keyof typeof levels;
type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  flush(): void;
}

interface LogNeeds {
  level: LogLevel;
  clock: Clock;
  timers: Timers;
  write(text: string): void;
}

const flushPeriodMs = 100;
const bufferedLinesMax = 512;
const causesMax = 8;

export function createLog({ level, clock, timers, write }: LogNeeds): Log {
  let lines = "";
  let count = 0;
  function flush(): void {
    if (count === 0) return;
    const text = lines;
    lines = "";
    count = 0;
    write(text);
  }
  timers.every(flushPeriodMs, flush);
  function line(name: LogLevel, message: string, fields: Fields = {}): void {
    if (levels[name] < levels[level]) return;
    const time = new Date(clock.nowMs()).toISOString();
    lines += `${compose(time, name, message, fields)}\n`;
    if (++count >= bufferedLinesMax || levels[name] >= levels.warn) flush();
  }
  return {
    debug: (message, fields) => line("debug", message, fields),
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields) => line("warn", message, fields),
    error: (message, fields) => line("error", message, fields),
    flush,
  };
}

/** Nearly every line is clean; only one that may not be is made again from its scrubbed parts. */
function compose(time: string, level: LogLevel, message: string, fields: Fields): string {
  const line = JSON.stringify({ time, level, message, ...fields });
  if (!mayHoldSecret(line) && !unprinted.test(line) && !hasOwnName(fields)) return line;
  const parts = Object.entries(fields)
    .filter(([name]) => !ownNames.includes(name))
    .map(([name, value]) => [name, typeof value === "string" ? scrub(value) : value]);
  const own = { time, level, message: scrub(message) };
  const clean = JSON.stringify({ ...own, ...Object.fromEntries(parts) });
  return clean.replace(everyUnprinted, escape);
}

/** A field of one of these names would stand twice in its line, and readers take the last. */
const ownNames: readonly string[] = ["time", "level", "message"];

function hasOwnName(fields: Fields): boolean {
  return "time" in fields || "level" in fields || "message" in fields;
}

/** Control characters and line ends that JSON leaves as they are. */
const unprinted = /[\u007f-\u009f\u2028\u2029]/;
const everyUnprinted = new RegExp(unprinted, "g");

function escape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The part of an unknown error that may be said: its message and name, never its fields. */
export function describe(error: unknown): string {
  return scrub(tell(error, causesMax));
}

function tell(error: unknown, causesLeft: number): string {
  if (!(error instanceof Error)) return String(error);
  const isLast = error.cause === undefined || causesLeft === 0;
  const cause = isLast ? "" : ` (${tell(error.cause, causesLeft - 1)})`;
  return `${error.name}: ${error.message}${cause}`;
}
