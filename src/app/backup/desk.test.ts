// One backup at a time, and none that outlives the gateway.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { createLog } from "../../core/log.ts";
import { BackupDesk } from "./desk.ts";

test("a second one is refused while one runs, and a stop gives that up", () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "sluice-desk-"));
  try {
    const desk = new BackupDesk({
      source: { dataFolder, usageDays: 30, isSecretGiven: false, hasBucket: false },
      elsewhere: null,
      configPath: null,
      clock: systemClock,
      timers: systemTimers,
      log: createLog({
        level: "error",
        clock: systemClock,
        timers: systemTimers,
        write: () => {},
      }),
    });
    const work = desk.take(true);
    expect(work).toMatchObject({ kind: "take", endedAtMs: null, result: null });
    expect(() => desk.take(false)).toThrow("already");
    expect(() => desk.restore("one.tar.gz", "new")).toThrow("already");
    expect(() => desk.remove(work.name)).toThrow("worked on");
    desk.close();
    expect(desk.work).toMatchObject({ problem: "the gateway was stopped", result: null });
    expect(readdirSync(desk.folder)).toEqual([]);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
