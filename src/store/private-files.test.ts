import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivate } from "./private-files.ts";

function openFolder() {
  const path = mkdtempSync(join(tmpdir(), "sluice-modes-"));
  const put = (name: string) => {
    writeFileSync(join(path, name), "");
    chmodSync(join(path, name), 0o644);
  };
  const modeOf = (name: string) => (statSync(join(path, name)).mode & 0o777).toString(8);
  const dispose = () => rmSync(path, { recursive: true, force: true });
  return { path, put, modeOf, [Symbol.dispose]: dispose };
}

test("files of our own are closed to others, and what is not ours stays as it is", () => {
  using folder = openFolder();
  const own = ["sluice.db", "sluice.db-wal", "log.db", "journal-a.log", "secret", "server.json"];
  for (const name of [...own, "sluice.yaml"]) folder.put(name);
  expect(makePrivate(folder.path, ["sluice.db", "new.db"])).toEqual([]);
  expect(own.map(folder.modeOf)).toEqual(own.map(() => "600"));
  expect([folder.modeOf("new.db"), folder.modeOf("sluice.yaml")]).toEqual(["600", "644"]);
});

test("what cannot be closed is told, with the reason", () => {
  using folder = openFolder();
  folder.put("sluice.db");
  const deaf = makePrivate(folder.path, [], () => {});
  expect(deaf).toEqual([{ file: "sluice.db", reason: "the file system keeps no modes of files" }]);
  const refused = makePrivate(folder.path, [], () => {
    throw new Error("EPERM: operation not permitted");
  });
  expect(refused).toEqual([{ file: "sluice.db", reason: "EPERM: operation not permitted" }]);
});
