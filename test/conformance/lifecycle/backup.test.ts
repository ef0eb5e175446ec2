// Backups of a gateway that works, and what is made of them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf } from "../../harness/books.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, startProcess, type Gateway } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(180_000);

const config = 'sandbox: "off"\nprices: [{ model: m, call_micros: 7 }]\n';

interface Customer {
  id: string;
  key: string;
}

async function ask(gateway: Gateway, { key }: Customer): Promise<void> {
  const response = await gateway.post("/v1/chat/completions", chatBody("m"), key);
  expect(response.status).toBe(200);
  await response.text();
}

test("N17 a backup under load is of one moment, has all that was answered before, and restores to books that agree", async () => {
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  using room = new Folder();
  using data = new Folder();
  for (const { path } of [room, data]) keepOnFiles(path);
  await using gateway = await startProcess({ folder: data.path, config });
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  const first = await gateway.customer(1_000_000);
  let [answered, isDone] = [0, false];
  /** New accounts and keys all the while: what is journalled rests on what is not. */
  const work = async () => {
    while (!isDone) {
      await ask(gateway, await gateway.customer(1000));
      await ask(gateway, first);
      answered++;
    }
  };
  const working = [work(), work(), work()];
  const backups: { path: string; answeredBefore: number }[] = [];
  for (const name of ["one", "two", "three.tar.gz", "four"]) {
    const [path, answeredBefore] = [join(room.path, name), answered];
    const { code, out, error } = await runCommand({ folder: data.path }, "backup", path);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^backed up \d+ accounts, \d+ entries and 0 media files to /);
    backups.push({ path, answeredBefore });
  }
  isDone = true;
  await Promise.all(working);
  for (const { path, answeredBefore } of backups) {
    const folder = join(room.path, `restored-${path.split("/").at(-1)}`);
    const restored = await runCommand({ folder }, "restore", path);
    expect(restored).toMatchObject({ code: 0, error: "" });
    expect(restored.out).toMatch(/^ok: \d+ accounts, \d+ entries in /);
    await using again = await startGateway({ folder, config, isOnFiles: true });
    const { used_micros: used } = await balanceOf(again, first.id);
    expect(used).toBeGreaterThanOrEqual(answeredBefore * 7);
    expect(used).toBeLessThanOrEqual(answered * 7);
    const usage = await again.control<{ sum: { micros: number } }>("GET", "/api/usage?by=day");
    const users = await again.control<{ items: { used_micros: number }[] }>(
      "GET",
      "/api/user?page_size=100",
    );
    expect(users.items.length).toBeGreaterThan(1);
    expect(usage.sum.micros).toBeGreaterThanOrEqual(used);
    // It may have been opened to look, but nothing of the journal was refused.
    const refused = Bun.file(join(folder, "journal-rejected.log"));
    expect(refused.size).toBe(0);
    expect(await again.stop()).toBe(0);
    const verified = await runCommand({ folder }, "ledger", "verify");
    expect(verified.out).toMatch(/^ok: /);
  }
});

test("N17 a backup has the media or not, the secret, and files for its owner alone", async () => {
  using room = new Folder();
  using data = new Folder();
  for (const { path } of [room, data]) keepOnFiles(path);
  await using gateway = await startGateway({ folder: data.path, isOnFiles: true });
  const made = await gateway.post("/v1/images/generations", {
    model: "imageA-2.5-flare",
    prompt: "A fox",
    size: "1536x1024",
  });
  expect(made.status).toBe(200);
  const link = ((await made.json()) as { data: { url: string }[] }).data[0]?.url ?? "";
  const bytes = await (await fetch(link)).bytes();
  const [whole, lean] = [join(room.path, "whole.tar.gz"), join(room.path, "lean")];
  const run = (...words: string[]) => runCommand({ folder: data.path }, ...words);
  expect((await run("backup", whole)).out).toContain(" and 1 media files to ");
  expect((await run("backup", lean, "--no-media")).code).toBe(0);
  expect(readdirSync(lean).toSorted()).toEqual(
    ["backup.json", "journal-a.log", "log.db", "secret", "sluice.db"].toSorted(),
  );
  for (const path of [whole, ...readdirSync(lean).map((name) => join(lean, name))]) {
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  }
  const again = await run("backup", lean);
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(again.error).toContain("is already there");
  const folder = join(room.path, "data");
  expect(await runCommand({ folder }, "restore", whole)).toMatchObject({ code: 0 });
  await gateway.stop();
  await using next = await startGateway({ folder, isOnFiles: true });
  const path = new URL(link).pathname + new URL(link).search;
  expect(await (await fetch(next.url + path)).bytes()).toEqual(bytes);
});

test("N17 a restore is refused into what is not empty, from what is damaged, and leaves nothing behind", async () => {
  using room = new Folder();
  using data = new Folder();
  for (const { path } of [room, data]) keepOnFiles(path);
  {
    await using gateway = await startGateway({ folder: data.path, isOnFiles: true });
    expect(await gateway.stop()).toBe(0);
  }
  const backup = join(room.path, "backup");
  const run = (folder: string, ...words: string[]) => runCommand({ folder }, ...words);
  // A gateway that is stopped is backed up as well.
  expect((await run(data.path, "backup", backup)).code).toBe(0);
  const full = await run(data.path, "restore", backup);
  expect(full).toMatchObject({ code: 1, out: "" });
  expect(full.error).toContain("is not empty: a backup is restored into a folder of its own");
  const target = join(room.path, "target");
  const damaged = join(room.path, "damaged");
  cpSync(backup, damaged, { recursive: true });
  writeFileSync(join(damaged, "log.db"), "x", { flag: "a" });
  const broken = await run(target, "restore", damaged);
  expect(broken).toMatchObject({ code: 1, out: "" });
  expect(broken.error).toContain("log.db of the backup is damaged");
  expect(existsSync(target)).toBe(false);
  const none = await run(target, "restore", join(room.path, "nothing"));
  expect(none.error).toContain("there is no backup at ");
  expect(existsSync(target)).toBe(false);
  mkdirSync(join(target, ".restoring"), { recursive: true });
  const unfinished = await run(target, "serve");
  expect(unfinished.error).toContain("was not finished: empty that folder");
});
