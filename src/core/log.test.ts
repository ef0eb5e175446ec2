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

  test("keeps its own time, level and message whatever the fields are called", () => {
    const recorder = record();
    recorder.log.info("m", { level: "error", message: "x", time: null, other: 1 });
    expect(readLines(recorder)).toEqual([
      { time: "2030-01-01T00:00:00.000Z", level: "info", message: "m", other: 1 },
    ]);
    expect(recorder.writes.join("")).not.toContain("error");
  });

  test("leaves out what is undefined, and needs no fields", () => {
    const recorder = record();
    recorder.log.info("a", { left: undefined });
    recorder.log.info("b", {});
    recorder.log.info("c");
    expect(readLines(recorder)).toEqual(
      ["a", "b", "c"].map((message) => ({
        time: "2030-01-01T00:00:00.000Z",
        level: "info",
        message,
      })),
    );
  });

  test("stays one line of plain characters whatever is logged", () => {
    const control = ["\n", "\r", "\t", "\0", "\u001b", "\u007f", "\u009b", "\u2028", "\u2029"];
    const text = fc.string({ unit: fc.constantFrom(...control, '"', "\\", "a") });
    fc.assert(
      fc.property(text, text, (message, value) => {
        const recorder = record();
        recorder.log.info(message, { value });
        expect(readLines(recorder)).toMatchObject([{ message, value }]);
        expect(recorder.writes.join("").slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

describe("a line with secrets", () => {
  const secrets = ["sk-0123456789abcdef", "Bearer 0123456789", "?key=hunter2", "postgres://a:b@c"];
  const traces = ["AIzaSyA0123456789", "basic", "bearer%20", "token=", "=", "@", "%", "sk-", "a:b"];
  const signs = [
    "\n",
    "\t",
    "\u001f",
    "\u007f",
    "\u2028",
    '"',
    "\\",
    "\\n",
    " ",
    "a",
    "é",
    "\ud800",
  ];
  const parts = fc.array(fc.constantFrom(...secrets, ...traces, ...signs), { maxLength: 8 });

  test("says what is left of its values, and all that was never secret", () => {
    fc.assert(
      fc.property(parts, parts, (first, second) => {
        const [message, value] = [first.join(""), second.join("")];
        const recorder = record();
        recorder.log.info(message, { value, count: 1 });
        expect(readLines(recorder)).toEqual([
          {
            time: "2030-01-01T00:00:00.000Z",
            level: "info",
            message: scrub(message),
            value: scrub(value),
            count: 1,
          },
        ]);
        expect(recorder.writes.join("").slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["\n", "\t", "\r", "\b", "\f", "\u001f"])("hides a key behind %j", (sign) => {
    const recorder = record();
    recorder.log.info(`header:${sign}sk-0123456789abcdef`);
    recorder.log.info("header", { value: `${sign}Bearer 0123456789abcdef` });
    recorder.log.flush();
    expect(recorder.writes.join("")).not.toContain("0123456789abcdef");
  });

  test.each(['GET /a?key=x","level":"error","b":"', 'GET /a?key=x"', "GET /a?key=x\\"])(
    "cannot be ended by %s",
    (message) => {
      const recorder = record();
      recorder.log.info(message);
      expect(readLines(recorder)).toMatchObject([{ level: "info", message: scrub(message) }]);
    },
  );
});

describe("an error in words", () => {
  const key = "sk-0123456789abcdef";

  test("tells names and messages of an error and its causes, without keys", () => {
    const error = new TypeError("bad", { cause: new Error(`key ${key}`) });
    expect(describeError(error)).toBe("TypeError: bad (Error: key [secret])");
  });

  test("tells no other field of an error", () => {
    const error = new Error("failed");
    Object.defineProperty(error, "path", { value: "/v1?key=hunter2", enumerable: true });
    expect(describeError(error)).toBe("Error: failed");
  });

  test("comes to an end when it is its own cause", () => {
    const first = new Error("a");
    const second = new Error("b", { cause: first });
    first.cause = second;
    expect(describeError(first)).toStartWith("Error: a (Error: b (Error: a (");
    second.cause = second;
    expect(describeError(second).length).toBeLessThan(200);
  });

  test("tells what else was thrown, without keys", () => {
    expect(describeError(`no ${key}`)).toBe("no [secret]");
    expect(describeError(undefined)).toBe("undefined");
  });
});
