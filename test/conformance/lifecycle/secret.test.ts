// The exchange of the secret: everything opens before, during and after, whenever a process dies.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeal } from "../../../src/core/seal.ts";
import { systemRandom } from "../../../src/core/random.ts";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import { Browser, password } from "../../harness/browser.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, type Gateway, type GatewayOptions } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { openDatabase } from "../../harness/rows.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

setDefaultTimeout(120_000);

interface Work {
  state: "running" | "done" | "failed";
  problem: string | null;
  result: { rows: number; unreadable: number; next: string | null } | null;
}

interface Secret {
  place: string;
  has_second: boolean;
  obstacle: string | null;
  work: Work | null;
}

const config = 'sandbox: "off"\nprices: [{ model: m, call_micros: 7 }]\n';

class Place implements Disposable {
  readonly #room = new Folder();
  readonly path = this.#room.path;
  readonly data = join(this.path, "data");
  readonly secret = join(this.data, "secret");
  readonly old = join(this.data, "secret.old");

  constructor() {
    keepOnFiles(this.path);
    mkdirSync(this.data);
  }

  /** Every text in the main database that looks sealed, and where it stands. */
  sealed(): Map<string, string> {
    using database = openDatabase(this.data);
    const tables = database
      .query<{ name: string }, []>("select name from sqlite_master where type = 'table'")
      .all();
    const texts = tables.flatMap(({ name }) =>
      database
        .query<Record<string, unknown>, []>(`select * from "${name}"`)
        .all()
        .flatMap((row) =>
          Object.entries(row).flatMap(([column, value]) =>
            [...String(value).matchAll(/v1\.[\w-]{38,}/g)].map(
              ([text]) => [text, `${name}.${column}`] as const,
            ),
          ),
        ),
    );
    return new Map(texts);
  }

  [Symbol.dispose](): void {
    this.#room[Symbol.dispose]();
  }
}

function vendorThatAnswers(): Vendor {
  return new Vendor((_request, reply) => reply.json(completion("Yes.")));
}

/** Sealed values of many kinds: a key, a header, the secret of an app, an answer. */
async function fill(gateway: Gateway, vendor: Vendor): Promise<string> {
  const headers = { "x-secret": "in-a-header" };
  const channel = { ...vendor.channel({ models: ["m"] }), headers };
  await gateway.control("POST", "/api/channel", channel);
  await gateway.control("POST", "/api/user", { username: "ann", password });
  const ann = await new Browser(gateway.url).signIn("ann");
  await ann.ask("POST", "/api/user/self/second-factor/totp", { password });
  const customer = await gateway.customer(1000);
  await serves(gateway, customer.key, "first");
  return customer.key;
}

async function serves(gateway: Gateway, key: string, repeat: string): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": repeat,
    },
    body: JSON.stringify(chatBody("m")),
  });
  expect(response.status).toBe(200);
}

function seenAt(path: string): true | undefined {
  return existsSync(path) || undefined;
}

/** Values that few gateways have, each bound to the row "one". */
const others: readonly Readonly<{
  table: string;
  column: string;
  id: string;
  context: string;
  before?: string;
}>[] = [
  { table: "captured", column: "sealed", id: "request_id", context: "one" },
  { table: "oauth_flow", column: "sealed", id: "state_hash", context: "oauth flow one" },
  { table: "mail", column: "data", id: "id", context: "letter one" },
  { table: "setting", column: "value", id: "name", context: "one", before: "sealed:" },
];

/** State that a death leaves: both proofs are there, keys are sealed anew, headers not. */
function leaveHalf({ data }: Place, { old, next }: { old: string; next: string }): void {
  using database = openDatabase(data);
  const [oldSeal, seal] = [createSeal(old, systemRandom), createSeal(next, systemRandom)];
  const proof = seal.close("next secret", "next secret");
  database.query("insert into canary values ('next secret', ?)").run(proof);
  for (const { table, column, id, context, before = "" } of others) {
    const text = `${before}${oldSeal.close('"what is sealed"', context)}`;
    const columns = database
      .query<{ name: string; type: string; notnull: number }, []>(`pragma table_info(${table})`)
      .all();
    const cells = columns.map(({ name, type, notnull: isNeeded }) => {
      if (name === column) return text;
      if (name === id) return "one";
      if (!isNeeded) return null;
      return /text/i.test(type) ? "" : 9e15;
    });
    const marks = cells.map(() => "?").join(", ");
    database.query(`insert into ${table} values (${marks})`).run(...cells);
  }
  const keys = database
    .query<{ channel_id: string; sealed: string }, []>("select * from channel_key")
    .all();
  for (const { channel_id: id, sealed } of keys) {
    const anew = seal.close(oldSeal.open(sealed, id), id);
    database.query("update channel_key set sealed = ? where sealed = ?").run(anew, sealed);
  }
}

async function ended(gateway: Gateway): Promise<Work> {
  return await eventually("the end of the exchange", async () => {
    const { work } = await gateway.control<Secret>("GET", "/api/secret");
    return work && work.state !== "running" ? work : undefined;
  });
}

test("a secret of the folder is exchanged while it serves, and the old one goes at the next start", async () => {
  using vendor = vendorThatAnswers();
  using place = new Place();
  let key = "";
  const before = await (async () => {
    await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
    key = await fill(gateway, vendor);
    const old = readFileSync(place.secret, "utf8");
    const texts = await eventually("the kept answer", async () => {
      const found = place.sealed();
      return [...found.values()].includes("kept_answer.sealed") ? found : undefined;
    });
    const kinds = new Set(texts.values());
    for (const kind of ["channel_key.sealed", "channel.headers", "totp.sealed", "canary.sealed"]) {
      expect(kinds).toContain(kind);
    }
    const command = await runCommand({ folder: place.data }, "secret", "rotate", "--json");
    expect(command).toMatchObject({ code: 0, error: "" });
    expect(JSON.parse(command.out)).toMatchObject({ state: "done", result: { unreadable: 0 } });
    await serves(gateway, key, "second");
    expect(readFileSync(place.old, "utf8")).toBe(old);
    expect(statSync(place.secret).mode & 0o077).toBe(0);
    expect(statSync(place.old).mode & 0o077).toBe(0);
    const { obstacle } = await gateway.control<Secret>("GET", "/api/secret");
    expect(obstacle).toContain("restart");
    expect(await gateway.controlEnvelope("POST", "/api/secret/rotate")).toMatchObject({
      code: "conflict",
    });
    expect(gateway.output + command.out).not.toContain(readFileSync(place.secret, "utf8"));
    await gateway.stop();
    return texts;
  })();
  const now = place.sealed();
  const left = [...before].filter(([text]) => now.has(text));
  expect(left).toEqual([]);
  expect(new Set(now.values()).isSupersetOf(new Set(before.values()))).toBe(true);
  await using again = await startGateway({ folder: place.data, config, isOnFiles: true });
  expect(await ended(again)).toMatchObject({ result: { rows: 0, unreadable: 0, next: null } });
  expect(existsSync(place.old)).toBe(false);
  await serves(again, key, "first");
  await serves(again, key, "third");
  const audit = await again.control<{ items: { action: string }[] }>(
    "GET",
    "/api/audit?target_kind=secret",
  );
  expect(audit.items.map(({ action }) => action)).toEqual(["secret.rotate"]);
});

test("a process that is killed at any moment of it leaves rows that a start opens and finishes", async () => {
  using vendor = vendorThatAnswers();
  using place = new Place();
  let key = "";
  let customer = "";
  const begin = (options: GatewayOptions = {}) =>
    startGateway({ ...options, folder: place.data, config, isOnFiles: true });
  await (async () => {
    await using gateway = await begin();
    key = await fill(gateway, vendor);
    for (let at = 0; at < 40; at++) {
      const channel = { ...vendor.channel({ models: [`m${at}`] }), name: `one of many ${at}` };
      await gateway.control("POST", "/api/channel", channel);
    }
    customer = (await gateway.customer(1000)).id;
    await gateway.stop();
  })();
  const old = readFileSync(place.secret, "utf8");
  for (const moment of ["first", "answered"] as const) {
    const gateway = await begin({ isProcess: true });
    await eventually("no exchange from before", async () => {
      const { has_second: isOpen } = await gateway.control<Secret>("GET", "/api/secret");
      return isOpen ? undefined : true;
    });
    const asked = gateway.controlEnvelope("POST", "/api/secret/rotate").catch(() => null);
    await (moment === "answered"
      ? asked
      : eventually("the old one", async () => seenAt(place.old)));
    await gateway.kill();
    await asked;
    expect(existsSync(place.old)).toBe(true);
    await using again = await begin();
    await serves(again, key, `after ${moment}`);
    await again.stop();
  }
  await using last = await begin();
  await serves(last, key, "last");
  await eventually("its end", async () => {
    const { has_second: isOpen } = await last.control<Secret>("GET", "/api/secret");
    return isOpen ? undefined : true;
  });
  expect(await balanceOf(last, customer)).toMatchObject({ quota_micros: 1000, held_micros: 0 });
  expect(last.output).not.toContain("sealed with another secret");
  expect(existsSync(place.old)).toBe(false);
  expect(readFileSync(place.secret, "utf8")).not.toBe(old);
});

test("rows half of which are under the new secret open with both, and start with neither alone", async () => {
  using vendor = vendorThatAnswers();
  using place = new Place();
  const old = "o".repeat(40);
  const next = "n".repeat(40);
  const start = (environment: Record<string, string>, options: GatewayOptions = {}) =>
    startGateway({ ...options, folder: place.data, config, environment, isOnFiles: true });
  /** A start that fails leaves its locks to the end of its process. */
  const refused = (secret: string) => start({ SLUICE_SECRET: secret }, { isProcess: true });
  let key = "";
  await (async () => {
    await using gateway = await start({ SLUICE_SECRET: old });
    key = await fill(gateway, vendor);
    const { obstacle } = await gateway.control<Secret>("GET", "/api/secret");
    expect(obstacle).toContain("SLUICE_SECRET_ALSO");
    expect(await gateway.controlEnvelope("POST", "/api/secret/rotate")).toMatchObject({
      success: false,
      code: "conflict",
    });
    await gateway.stop();
  })();
  leaveHalf(place, { old, next });
  for (const alone of [old, next]) {
    await expect(refused(alone)).rejects.toThrow("SLUICE_SECRET");
  }
  await (async () => {
    await using both = await start({ SLUICE_SECRET: next, SLUICE_SECRET_ALSO: old });
    await serves(both, key, "both");
    await both.control("POST", "/api/secret/rotate");
    const { result } = await ended(both);
    expect(result).toMatchObject({ unreadable: 0 });
    // Beside those: a header, the secret of an app, and the answer that was kept before.
    expect(result?.rows).toBe(others.length + 3);
    expect(result?.next).toContain("SLUICE_SECRET_ALSO");
    await both.stop();
  })();
  await expect(refused(old)).rejects.toThrow("SLUICE_SECRET must be the secret");
  for (const { table, column, id, context, before = "" } of others) {
    using database = openDatabase(place.data);
    const row = database
      .query<{ text: string }, []>(`select ${column} as text from ${table} where ${id} = 'one'`)
      .get();
    const text = row?.text.slice(before.length) ?? "";
    expect(createSeal(next, systemRandom).open(text, context)).toBe('"what is sealed"');
  }
  await using alone = await start({ SLUICE_SECRET: next });
  await serves(alone, key, "alone");
  expect(alone.output).not.toContain("sealed with another secret");
});

test("a backup that is taken in the midst of it opens where it is restored", async () => {
  using vendor = vendorThatAnswers();
  using place = new Place();
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  const key = await fill(gateway, vendor);
  await gateway.control("POST", "/api/secret/rotate");
  const copy = join(place.path, "copy");
  expect(await runCommand({ folder: place.data }, "backup", copy)).toMatchObject({ code: 0 });
  await ended(gateway);
  await gateway.stop();
  const restored = join(place.path, "restored");
  expect(await runCommand({ folder: restored }, "restore", copy)).toMatchObject({ code: 0 });
  await using again = await startGateway({ folder: restored, config, isOnFiles: true });
  await serves(again, key, "restored");
});

test("the secret is for root alone", async () => {
  using place = new Place();
  writeFileSync(place.secret, "s".repeat(40), { mode: 0o600 });
  await using gateway = await startGateway({ folder: place.data, config, isOnFiles: true });
  await gateway.control("POST", "/api/user", { username: "ann", password, role: "admin" });
  const admin = await new Browser(gateway.url).signIn("ann");
  const denied = { success: false, code: "permission_denied" };
  expect(await admin.call("GET", "/api/secret")).toMatchObject(denied);
  expect(await admin.call("POST", "/api/secret/rotate")).toMatchObject(denied);
});
