import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Timers } from "../../core/clock.ts";
import { FolderLocked, holdFolder, isFolderLocked, lockFolder } from "./lock.ts";

function openFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "sluice-lock-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A process that takes the lock, says so and sits on it. */
function holdInChild(folder: string) {
  const script = `
    import { lockFolder } from ${JSON.stringify(import.meta.resolve("./lock.ts"))};
    globalThis.kept = lockFolder(${JSON.stringify(folder)});
    process.stdout.write("locked");
    setInterval(() => {}, 1000);`;
  return Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
}

test("a folder has one owner at a time", () => {
  using folder = openFolder();
  expect(isFolderLocked(folder.path)).toBe(false);
  const lock = lockFolder(folder.path);
  expect(() => lockFolder(folder.path)).toThrow(FolderLocked);
  expect(isFolderLocked(folder.path)).toBe(true);
  lock.release();
  expect(isFolderLocked(folder.path)).toBe(false);
  lockFolder(folder.path).release();
});

test("asking whether a folder is locked does not lock it, and does not unlock it", () => {
  using folder = openFolder();
  const lock = lockFolder(folder.path);
  isFolderLocked(folder.path);
  expect(() => lockFolder(folder.path)).toThrow(folder.path);
  lock.release();
});

test("the lock of another process is respected, and ends with that process's death", async () => {
  using folder = openFolder();
  const child = holdInChild(folder.path);
  try {
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("locked");
    expect(isFolderLocked(folder.path)).toBe(true);
    expect(() => lockFolder(folder.path)).toThrow(FolderLocked);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  expect(isFolderLocked(folder.path)).toBe(false);
  lockFolder(folder.path).release();
});

/** Looks when it is told to. */
function byHand() {
  let look = () => {};
  const timers: Timers = {
    after: () => () => undefined,
    every(_ms, run) {
      look = run;
      return () => (look = () => {});
    },
  };
  return { timers, look: () => look() };
}

test("a lock whose file is removed is taken anew, and let go of as ever", () => {
  using folder = openFolder();
  const { timers, look } = byHand();
  let losses = 0;
  const lock = holdFolder(folder.path, { timers, lost: () => losses++ });
  look();
  rmSync(join(folder.path, "lock"));
  look();
  expect(isFolderLocked(folder.path)).toBe(true);
  expect(losses).toBe(0);
  lock.release();
  look();
  expect(isFolderLocked(folder.path)).toBe(false);
});

test("a lock that another has got meanwhile is told once, and taken when that one lets go", () => {
  using folder = openFolder();
  const { timers, look } = byHand();
  let losses = 0;
  const lock = holdFolder(folder.path, { timers, lost: () => losses++ });
  rmSync(join(folder.path, "lock"));
  const other = lockFolder(folder.path);
  look();
  look();
  expect(losses).toBe(1);
  other.release();
  look();
  expect(isFolderLocked(folder.path)).toBe(true);
  lock.release();
});
