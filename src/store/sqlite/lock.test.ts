import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderLocked, isFolderLocked, lockFolder } from "./lock.ts";

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
