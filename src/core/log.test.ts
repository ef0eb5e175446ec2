import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Timers } from "./clock.ts";
import { createLog, describe as describeError, scrub, type Log, type LogLevel } from "./log.ts";

interface Recorder {
  log: Log;
  /** Runs what the log asked to be run from time to time. */
  tick(): void;
  writes: string[];
}

function record(level: LogLevel = "debug"): Recorder {
  const writes: string[] = [];
  let tick = (): void => {};
  const timers: Timers = {
    after: () => () => {},
    every(_periodMs, run) {
      tick = run;
      return () => {};
    },
  };
  const clock = { nowMs: () => Date.UTC(2030, 0, 1), monotonicMs: () => 0 };
  const log = createLog({ level, clock, timers, write: (text) => writes.push(text) });
  return { log, tick: () => tick(), writes };
}

function readLines({ log, writes }: Recorder): unknown[] {
  log.flush();
  const lines = writes.join("").split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line));
}

describe("the log", () => {
  test("writes one JSON object a line with time, level, message and fields", () => {
    const recorder = record();
    recorder.log.info("started", { port: 80, host: "a", isReady: true, none: null });
    expect(readLines(recorder)).toEqual([
      {
        time: "2030-01-01T00:00:00.000Z",
        level: "info",
        message: "started",
        port: 80,
        host: "a",
        isReady: true,
        none: null,
      },
    ]);
  });

  test.each<[LogLevel, string[]]>([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
  ])("at level %s writes %p", (level, wanted) => {
    const recorder = record(level);
    for (const name of ["debug", "info", "warn", "error"] as const) recorder.log[name](name);
    expect(readLines(recorder)).toMatchObject(
      wanted.map((message) => ({ level: message, message })),
    );
  });

  test("gathers what is not urgent and writes it at the next tick, once", () => {
    const { log, tick, writes } = record();
    log.info("a");
    log.debug("b");
    expect(writes).toEqual([]);
    tick();
    expect(writes).toHaveLength(1);
    tick();
    log.flush();
    expect(writes).toHaveLength(1);
  });

  test("writes a warning at once and in order with what came before", () => {
    const recorder = record();
    recorder.log.info("first");
    recorder.log.warn("second");
    expect(recorder.writes).toHaveLength(1);
    expect(readLines(recorder)).toMatchObject([{ message: "first" }, { message: "second" }]);
  });

  test("holds back a bounded number of lines", () => {
    const { log, writes } = record();
    for (let count = 0; count < 511; count++) log.info("a");
    expect(writes).toEqual([]);
    log.info("a");
    expect(writes).toHaveLength(1);
  });

  test("stays one line of plain characters whatever is logged", () => {
    const text = fc.string({
      unit: fc.constantFrom("\n", "\r", "\t", "\0", "\u001b", '"', "\\", "a"),
    });
    fc.assert(
      fc.property(text, text, (message, value) => {
        const recorder = record();
        recorder.log.info(message, { value });
        expect(readLines(recorder)).toMatchObject([{ message, value }]);
        expect(recorder.writes.join("").slice(0, -1)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

const keys = [
  "sk-0123456789abcdef",
  "sk-ant-api03-Abc_def-0123",
  "sat-0123456789abcdef",
  "rk-0123456789abcdef",
  "pk-0123456789abcdef",
  "AIzaSyA0123456789_-abc",
];

const carriers = [
  "$",
  "Authorization: Bearer $",
  "authorization: bearer $",
  "x-api-key: $",
  "x-goog-api-key: $",
  "/v1beta/models/a:generateContent?key=$&alt=sse",
  "/v1beta/models/a?alt=sse&key=$",
  "wss://example.com/v1/realtime,$",
  '{"api_key":"$"}',
  "Incorrect API key provided: $. See the docs.",
  "($)",
];

describe("scrub", () => {
  test.each(carriers)("takes a key out of %s", (carrier) => {
    for (const key of keys) {
      const text = carrier.replace("$", key);
      expect(scrub(text)).not.toContain(key);
      expect(scrub(text)).not.toContain(key.slice(8));
      expect(scrub(text)).toContain("[secret]");

      const recorder = record();
      recorder.log.info(text, { text });
      recorder.log.flush();
      expect(recorder.writes.join("")).not.toContain(key.slice(8));
    }
  });

  test("takes out any bearer and any key parameter, whatever they look like", () => {
    expect(scrub("Bearer eyJhbGciOi.J9.x-_~+/=")).toBe("[secret]");
    expect(scrub("authorization: bearer 0123456789")).toBe("authorization: [secret]");
    expect(scrub("GET /a?key=hunter2&b=1")).toBe("GET /a?key=[secret]&b=1");
  });

  test("takes out every key, not only the first", () => {
    expect(scrub(`${keys[0]} and ${keys[1]}`)).toBe("[secret] and [secret]");
  });

  test("is done after one pass", () => {
    fc.assert(
      fc.property(fc.constantFrom(...carriers), fc.constantFrom(...keys), (carrier, key) => {
        const once = scrub(carrier.replace("$", key));
        expect(scrub(once)).toBe(once);
      }),
    );
  });

  test.each([
    "task-0123456789abcdef",
    "the bearer of news",
    "disk-usage",
    "?monkey=1",
    "risk-free",
  ])("leaves %s alone", (text) => {
    expect(scrub(text)).toBe(text);
  });
});

describe("an error in words", () => {
  test("tells names and messages of an error and its causes, without keys", () => {
    const error = new TypeError("bad", { cause: new Error(`key ${keys[0]}`) });
    expect(describeError(error)).toBe("TypeError: bad (Error: key [secret])");
  });

  test("tells no other field of an error", () => {
    const error = new Error("failed");
    Object.defineProperty(error, "path", { value: "/v1?key=hunter2", enumerable: true });
    expect(describeError(error)).toBe("Error: failed");
  });

  test("tells what else was thrown, without keys", () => {
    expect(describeError(`no ${keys[0]}`)).toBe("no [secret]");
    expect(describeError(undefined)).toBe("undefined");
  });
});
