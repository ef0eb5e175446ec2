import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mainVersions } from "../../src/store/sqlite/open.ts";
import { balanceOf } from "../harness/books.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { spawnGateway, startProcess } from "../harness/gateway.ts";
import { openDatabase, type DataFile } from "../harness/rows.ts";
import { completion, Vendor } from "../harness/vendor.ts";
import { keptNames, unpackKept } from "./kept-folder.ts";

setDefaultTimeout(60_000);

/** The number that each change of the tables counts up. */
function levelOf(folder: string, file: DataFile): number {
  using database = openDatabase(folder, file);
  return (
    database.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0
  );
}

function setLevel(folder: string, file: DataFile, level: number): void {
  using database = openDatabase(folder, file);
  database.run(`pragma user_version = ${level}`);
}

/** The vendor's address is nobody's any more, and the control plane moves no sealed key. */
function moveChannel(folder: string, url: string): void {
  using database = openDatabase(folder);
  database.run("update channel set base_url = ?", [url]);
}

/** Moves what SQLite's write-ahead log still has into the files themselves. */
function checkpoint(folder: string): void {
  for (const file of ["sluice.db", "log.db"] as const) {
    using database = openDatabase(folder, file);
    database.run("pragma wal_checkpoint(truncate)");
  }
}

test("there is a data folder of the first version, and one of a later one", () => {
  expect(keptNames().length).toBeGreaterThanOrEqual(2);
  using first = new Folder();
  unpackKept("0.1.0", first.path);
  expect(levelOf(first.path, "sluice.db")).toBe(1);
});

describe.each(keptNames())("the data folder that %s left when it was killed", (name) => {
  test("N17 N19 opens, migrates, has every charge, serves its keys, and verifies", async () => {
    using folder = new Folder();
    const book = unpackKept(name, folder.path);
    using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    moveChannel(folder.path, vendor.url);
    {
      await using gateway = await startProcess({ folder: folder.path });
      const { quota_micros, used_micros } = book;
      const found = await balanceOf(gateway, book.accountId);
      expect(found).toMatchObject({ quota_micros, used_micros, held_micros: 0 });
      const ask = { model: "kept-model", messages: [{ role: "user", content: "Still?" }] };
      expect((await gateway.post("/v1/chat/completions", ask, book.key)).status).toBe(200);
      // The secret beside the databases still opens what it sealed.
      expect(vendor.requests[0]?.headers["authorization"]).toBe("Bearer sk-vendor-kept-0123");
      const after = await balanceOf(gateway, book.accountId);
      expect(after.used_micros).toBe(used_micros + 700);
      expect(await gateway.stop()).toBe(0);
    }
    expect(levelOf(folder.path, "sluice.db")).toBe(mainVersions().length);
    const verified = await runCommand({ folder: folder.path }, "ledger", "verify");
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^ok: 2 accounts/) });
  });
});

describe("a data folder that a newer version has written", () => {
  test.each(["sluice.db", "log.db"])(
    "N17 is refused for its %s in a clear word, and stays as it is",
    async (file) => {
      using folder = new Folder();
      const book = unpackKept(keptNames().at(-1) ?? "", folder.path);
      {
        await using gateway = await startProcess({ folder: folder.path });
        expect(await gateway.stop()).toBe(0);
      }
      const level = levelOf(folder.path, file);
      setLevel(folder.path, file, level + 1);
      // The next process to open a file would do it, and change its bytes by that.
      checkpoint(folder.path);
      const before = contentOf(folder.path);
      const child = spawnGateway({}, folder.path);
      const [code, error] = await Promise.all([child.exited, child.stderr.text()]);
      expect(code).toBe(1);
      expect(error).toContain(`has version ${level + 1}, but this program knows only ${level}`);
      expect(error).toContain("start the newer program again or restore an older copy");
      expect(contentOf(folder.path)).toEqual(before);
      setLevel(folder.path, file, level);
      await using gateway = await startProcess({ folder: folder.path });
      const { used_micros } = await balanceOf(gateway, book.accountId);
      expect(used_micros).toBe(book.used_micros);
    },
  );
});

/** The bytes of what matters; SQLite's own files beside a database come and go. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /\.(?:db|log)$|^secret$/.test(name));
  const entries = names.map((name) => [
    name,
    new Bun.CryptoHasher("sha256").update(readFileSync(join(folder, name))).digest("hex"),
  ]);
  return Object.fromEntries(entries);
}
