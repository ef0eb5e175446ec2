import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertFolderUsable, FolderUnusable, toFolderError } from "./data-folder.ts";

test("a folder of one's own, and one that is not there yet, can be used", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-folder-"));
  try {
    assertFolderUsable(folder);
    assertFolderUsable(join(folder, "not", "yet"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a full disk is told with the folder, and any other error stays as it is", () => {
  for (const text of ["database or disk is full", "ENOSPC: no space left on device, write"]) {
    const told = toFolderError(new Error(text), "/srv/sluice");
    expect(told).toBeInstanceOf(FolderUnusable);
    expect(String(told)).toContain(
      "The data folder /srv/sluice (SLUICE_DATA) is on a disk that is full. Make room",
    );
  }
  const other = new Error("disk image is malformed");
  expect(toFolderError(other, "/srv/sluice")).toBe(other);
});
