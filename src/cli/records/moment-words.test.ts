import { expect, setSystemTime, test } from "bun:test";
import { pastOption } from "./moment-words.ts";

test("moments are said in words, and Unix seconds and days are handed on", () => {
  setSystemTime(new Date("2026-11-16T22:15:30Z"));
  try {
    expect(pastOption("today")).toBe("2026-11-16");
    expect(pastOption("yesterday")).toBe("2026-11-15");
    expect(pastOption("90m")).toBe(String(Date.parse("2026-11-16T20:45:30Z") / 1000));
    expect(pastOption("12h")).toBe(String(Date.parse("2026-11-16T10:15:30Z") / 1000));
    expect(pastOption("7d")).toBe(String(Date.parse("2026-11-09T22:15:30Z") / 1000));
    expect(pastOption("2026-01-01")).toBe("2026-01-01");
    expect(pastOption("1700000000")).toBe("1700000000");
  } finally {
    setSystemTime();
  }
});

test.each(["last week", "tomorrow", "2026-1-1", "7 d", ""])(
  "what is no moment is refused with every form that is one: %p",
  (text) => {
    expect(() => pastOption(text)).toThrow(
      "today, yesterday, a time ago such as 30m, 12h or 7d, a day such as 2026-11-30, or Unix",
    );
  },
);
