// JSON lines on one stream, buffered, with secrets taken out before anything is written.
import type { Clock, Timers } from "./clock.ts";

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const;
export type LogLevel = keyof typeof levels;
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  flush(): void;
}

export interface LogOptions {
  level: LogLevel;
  clock: Clock;
  timers: Timers;
  write(text: string): void;
}

const flushPeriodMs = 100;
const bufferedLinesMax = 512;

export function createLog({ level, clock, timers, write }: LogOptions): Log {
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
  function line(name: LogLevel, message: string, fields?: Fields): void {
    if (levels[name] < levels[level]) return;
    const time = new Date(clock.nowMs()).toISOString();
    lines += `${scrub(JSON.stringify({ time, level: name, message, ...fields }))}\n`;
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

/** Shapes of credentials: our own keys, vendors' keys, bearer headers and the `key` parameter. */
const secrets =
  /\b(?:sk|sat|rk|pk)-[A-Za-z0-9_-]{8,}|AIza[A-Za-z0-9_-]{10,}|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}|([?&]key=)[^&\s"']+/gi;

/** Takes anything that looks like a credential out of a text. */
export function scrub(text: string): string {
  return text.replace(secrets, (_match, parameter: string | undefined) =>
    parameter === undefined ? "[secret]" : `${parameter}[secret]`,
  );
}

/** What may be said of an unknown error: its message and name, never its fields. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return scrub(String(error));
  const cause = error.cause === undefined ? "" : ` (${describe(error.cause)})`;
  return scrub(`${error.name}: ${error.message}${cause}`);
}
