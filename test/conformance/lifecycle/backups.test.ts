// Backups that root takes, downloads, uploads and restores without a shell.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { Browser, password } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway, startProcess, type Gateway } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(120_000);

interface Work {
  kind: string;
  backup: string;
  state: "running" | "done" | "failed";
  steps_done: number;
  steps_total: number;
  problem: string | null;
  result: {
    accounts: number;
    entries: number;
    media_files: number | null;
    bytes: number | null;
    folder: string | null;
    command: string | null;
    notes: string[];
  } | null;
}

interface Backups {
  folder: string;
  elsewhere: string | null;
  last_at: number | null;
  items: { name: string; bytes: number }[];
  work: Work | null;
}

const config = 'sandbox: "off"\nprices: [{ model: m, call_micros: 7 }]\n';

/** A data folder in a room of its own, so that what is made beside it goes with the room. */
class Place implements Disposable {
  readonly #room = new Folder();
  readonly path = this.#room.path;
  readonly data = join(this.path, "data");

  constructor() {
    keepOnFiles(this.path);
    mkdirSync(this.data);
  }

  [Symbol.dispose](): void {
    this.#room[Symbol.dispose]();
  }
}

async function ended(gateway: Gateway): Promise<Work> {
  return await eventually("the end of the work", async () => {
    const { work } = await gateway.control<Backups>("GET", "/api/backup");
    return work && work.state !== "running" ? work : undefined;
  });
}

async function takeOne(gateway: Gateway, media = true): Promise<string> {
  const begun = await gateway.control<Work>("POST", "/api/backup", { media });
  expect(begun).toMatchObject({ kind: "take", state: "running", result: null });
  const work = await ended(gateway);
  expect(work).toMatchObject({ backup: begun.backup, state: "done", problem: null });
  expect(work.steps_done).toBe(work.steps_total);
  return work.backup;
}

async function rootBrowser(gateway: Gateway): Promise<Browser> {
  const account = { username: "second-root", password, role: "root" };
  await gateway.control("POST", "/api/user", account);
  return await new Browser(gateway.url).signIn("second-root");
}

test("a backup is taken while it serves, restored beside the data, and its command starts on it", async () => {
  using vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  await gateway.control("POST", "/api/channel", vendor.channel({ models: ["m"] }));
  const customer = await gateway.customer(1000);
  const response = await gateway.post("/v1/chat/completions", chatBody("m"), customer.key);
  expect(response.status).toBe(200);
  const before = await gateway.control<Backups>("GET", "/api/backup");
  expect(before).toMatchObject({ elsewhere: null, last_at: null, items: [], work: null });
  const name = await takeOne(gateway);
  const after = await gateway.control<Backups>("GET", "/api/backup");
  expect(after.items).toMatchObject([{ name, bytes: after.work?.result?.bytes }]);
  expect(after.last_at).toBeGreaterThan(0);
  expect(after.work?.result).toMatchObject({
    accounts: 2,
    media_files: 0,
    folder: null,
    notes: [],
  });
  expect(statSync(join(after.folder, name)).mode & 0o077).toBe(0);
  await gateway.control("POST", `/api/backup/${name}/restore`, { folder: "again" });
  const restored = await ended(gateway);
  const { folder = "", command = "" } = restored.result ?? {};
  expect(restored).toMatchObject({ kind: "restore", state: "done", steps_done: 4 });
  expect(folder).toBe(join(place.path, "again"));
  expect(readdirSync(folder ?? "")).not.toContain(".restoring");
  // The command as it is shown, word by word.
  const [variable = "", program, ...words] = (command ?? "").split(" ");
  expect([program, words[0]]).toEqual(["sluice", "serve"]);
  const [key = "", value = ""] = variable.split("=");
  await gateway.stop();
  const environment = { [key]: value, SLUICE_DATA: place.data };
  const options = { folder: folder ?? "", environment, words: words.slice(1) };
  await using again = await startProcess(options);
  expect(await balanceOf(again, customer.id)).toMatchObject({ used_micros: 7 });
  const models = await again.control<{ items: { model: string }[] }>(
    "GET",
    "/api/price?page_size=100",
  );
  expect(models.items.map(({ model }) => model)).toContain("m");
});

test("a backup leaves by a fresh proof alone, once, to the session that asked, and comes back whole", async () => {
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  const name = await takeOne(gateway, false);
  const [{ bytes: size } = { bytes: 0 }] = (await gateway.control<Backups>("GET", "/api/backup"))
    .items;
  const browser = await rootBrowser(gateway);
  const other = await new Browser(gateway.url).signIn("second-root");
  const link = (body: object) => browser.call("POST", `/api/backup/${name}/link`, body);
  expect(await link({})).toMatchObject({ success: false, param: "password" });
  expect(await link({ password: "not this one at all" })).toMatchObject({
    success: false,
    code: "invalid_credentials",
  });
  const made = await link({ password });
  expect(made.success).toBe(true);
  const { path } = made.data as { path: string };
  expect(await other.call("GET", path)).toMatchObject({ success: false, code: "invalid_state" });
  expect(await browser.call("GET", path.replace(name, `x${name}`))).toMatchObject({
    code: "invalid_state",
  });
  const file = await browser.send("GET", path);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  const bytes = await file.bytes();
  expect(bytes.length).toBe(size);
  expect(await browser.call("GET", path)).toMatchObject({ code: "invalid_state" });
  const kept = join(place.path, "kept.tar.gz");
  writeFileSync(kept, bytes);
  const restored = await runCommand({ folder: join(place.path, "by-command") }, "restore", kept);
  expect(restored).toMatchObject({ code: 0, error: "" });
  await gateway.control("DELETE", `/api/backup/${name}`);
  const send = (as: string, body: Blob) =>
    fetch(`${gateway.url}/api/backup/upload?name=${as}`, {
      method: "POST",
      headers: { authorization: `Bearer ${rootToken}` },
      body,
    });
  expect((await send("back.tar.gz", new Blob([bytes]))).status).toBe(200);
  await gateway.control("POST", "/api/backup/back.tar.gz/restore", { folder: "uploaded" });
  expect(await ended(gateway)).toMatchObject({ state: "done" });
  const audit = await gateway.control<{ items: { action: string; target_id: string }[] }>(
    "GET",
    "/api/audit?target_kind=backup",
  );
  expect(audit.items.map(({ action }) => action).toReversed()).toEqual([
    "backup.take",
    "backup.download",
    "backup.remove",
    "backup.upload",
    "backup.restore",
  ]);
  expect(gateway.output).not.toContain(path);
});

test("what is no backup, is damaged, leads elsewhere or is there already is refused, and leaves nothing", async () => {
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  const name = await takeOne(gateway, false);
  const restore = (backup: string, folder: string) =>
    gateway.controlEnvelope("POST", `/api/backup/${backup}/restore`, { folder });
  for (const folder of ["../out", ".hidden", "a/b", "", "x".repeat(101)]) {
    expect(await restore(name, folder)).toMatchObject({ success: false, param: "folder" });
  }
  const onData = await restore(name, "data");
  expect(onData).toMatchObject({ success: false, param: "folder" });
  expect(onData.message).toContain("is already there");
  expect(await restore("none.tar.gz", "new")).toMatchObject({ success: false, code: "not_found" });
  expect(await restore("..%2F..%2Fsecret.tar.gz", "new")).toMatchObject({ success: false });
  const { folder } = await gateway.control<Backups>("GET", "/api/backup");
  writeFileSync(
    join(folder, "cut.tar.gz"),
    (await Bun.file(join(folder, name)).bytes()).slice(0, 900),
  );
  expect((await restore("cut.tar.gz", "new")).success).toBe(true);
  expect(await ended(gateway)).toMatchObject({
    state: "failed",
    problem: "the archive is damaged: it cannot be unpacked",
    result: null,
  });
  const links = join(place.path, "links");
  mkdirSync(links);
  symlinkSync(join(place.data, "sluice.db"), join(links, "sluice.db"));
  Bun.spawnSync(["tar", "-czf", join(folder, "links.tar.gz"), "-C", links, "."]);
  expect((await restore("links.tar.gz", "new")).success).toBe(true);
  expect(await ended(gateway)).toMatchObject({
    state: "failed",
    problem: "this is no backup: sluice.db is no file",
  });
  expect(existsSync(join(place.path, "new"))).toBe(false);
  const upload = (as: string) =>
    gateway.controlEnvelope("POST", `/api/backup/upload?name=${as}`, { not: 1 });
  expect(await upload("../x.tar.gz")).toMatchObject({ success: false, param: "name" });
  expect(await upload(name)).toMatchObject({ success: false, code: "conflict" });
  expect(await upload("text.tar.gz")).toMatchObject({ success: false, param: "file" });
  expect(readdirSync(folder).toSorted()).toEqual(["cut.tar.gz", "links.tar.gz", name].toSorted());
});

test("backups are for root alone", async () => {
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  await gateway.control("POST", "/api/user", { username: "ann", password, role: "admin" });
  const admin = await new Browser(gateway.url).signIn("ann");
  const denied = { success: false, code: "permission_denied" };
  expect(await admin.call("GET", "/api/backup")).toMatchObject(denied);
  expect(await admin.call("POST", "/api/backup", { media: true })).toMatchObject(denied);
  expect(existsSync(join(place.data, "backups"))).toBe(false);
});
