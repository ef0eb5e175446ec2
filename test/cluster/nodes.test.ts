// Two real gateways on one database: what one of them changes holds on the other within a second,
// also when the notice of it was lost.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../harness/books.ts";
import { chatBody } from "../harness/ask.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import {
  clusterSecret,
  dropDatabase,
  newDatabase,
  openDatabase,
  sharedPostgres,
} from "../harness/postgres.ts";
import { findPostgres } from "../harness/postgres/find.ts";
import { missingProgram, testNeeding } from "../harness/requirements.ts";
import { completion, Vendor } from "../harness/vendor.ts";

/** One that is older than the server refuses to copy from it. */
async function whyNoPgDump(): Promise<string | null> {
  const missing = missingProgram("pg_dump");
  const programs = await findPostgres();
  if (missing !== null || "missing" in programs) return missing;
  const [client, server] = ["pg_dump", join(programs.bin, "postgres")].map(majorVersion);
  return Number(client) < Number(server) ? `pg_dump ${client} is older than ${server}` : null;
}

function majorVersion(program: string): string {
  const { stdout } = Bun.spawnSync([program, "--version"]);
  return /(\d+)/.exec(stdout.toString())?.[1] ?? "";
}

function findCommand(text: string): string {
  return /^ {2}(pg_.*)$/m.exec(text)?.[1] ?? "";
}

const testWithPgDump = testNeeding("pg_dump", await whyNoPgDump());
let url: string;
let one: Gateway;
let other: Gateway;
let vendor: Vendor;

const node = (secret = clusterSecret, folder?: string) =>
  startGateway({
    config: 'sandbox: "off"\n',
    environment: { SLUICE_DATABASE_URL: url, SLUICE_SECRET: secret },
    ...(folder !== undefined && { folder }),
  });

const ask = async (gateway: Gateway, key: string) =>
  (await gateway.post("/v1/chat/completions", chatBody("m"), key)).status;

const price = { model: "m", input_micros_per_million: 1, output_micros_per_million: 1 };

beforeAll(async () => {
  url = await newDatabase();
  vendor = new Vendor((_request, reply) => reply.json(completion("Yes.")));
  // At once, on a database that has its tables and no rows.
  [one, other] = await Promise.all([node(), node()]);
  await one.control("POST", "/api/price", price);
});

afterAll(async () => {
  await Promise.all([one, other].map((gateway) => gateway.stop()));
  vendor[Symbol.dispose]();
  await dropDatabase(url);
});

describe("what one node changes holds on the other", () => {
  test("a channel that is made, and a key that is made and revoked", async () => {
    const channel = vendor.channel({ name: "only", models: ["m"] });
    await one.control("POST", "/api/channel", channel);
    const payer = await one.customer(1_000_000);
    await eventually("the channel", async () =>
      (await ask(other, payer.key)) === 200 ? true : undefined,
    );
    await other.control("DELETE", `/api/token/${payer.keyId}`);
    await eventually("the revocation", async () =>
      (await ask(one, payer.key)) === 401 ? true : undefined,
    );
  });

  test("a change whose notice was lost", async () => {
    const payer = await one.customer(1_000_000);
    for (const gateway of [one, other]) {
      await eventually("the key", async () =>
        (await ask(gateway, payer.key)) === 200 ? true : undefined,
      );
    }
    const server = await sharedPostgres();
    await server.ask(
      new URL(url).pathname.slice(1),
      `with changed as (update sluice.api_key set status = 'disabled' where id = '${payer.keyId}')
       update sluice.version set n = n + 1 where topic = 'identity'`,
    );
    for (const gateway of [one, other]) {
      await eventually("the change", async () =>
        (await ask(gateway, payer.key)) === 401 ? true : undefined,
      );
    }
  });

  test("changes of both at once, none of which is lost", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `group-${at}`);
    await Promise.all(
      names.map((name, at) =>
        (at % 2 === 0 ? one : other).control("POST", "/api/group", { name, multiplier: 1 }),
      ),
    );
    for (const gateway of [one, other]) {
      const { items } = await gateway.control<{ items: { name: string }[] }>("GET", "/api/group");
      expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    }
  });
});

describe("a node", () => {
  test("with another secret than the others does not start", async () => {
    const refused = node("another secret than that of all the others");
    await expect(refused).rejects.toThrow("SLUICE_SECRET is not the secret that the other nodes");
  });

  test("with a short secret does not make a database, and goes on with one that has it", async () => {
    const server = await sharedPostgres();
    await server.ask("postgres", "create database bare_of_secrets");
    const bare = server.url("bare_of_secrets");
    const start = (secret: string) => {
      const environment = { SLUICE_DATABASE_URL: bare, SLUICE_SECRET: secret };
      return startGateway({ config: 'sandbox: "off"\n', environment });
    };
    await expect(start("short")).rejects.toThrow(
      "environment SLUICE_SECRET is shorter than 32 characters: make one with",
    );
    const made = "select 1 from information_schema.schemata where schema_name = 'sluice'";
    expect(await server.ask("bare_of_secrets", made)).toEqual([]);
    // Prepare the database as an earlier version left it.
    await (await openDatabase(bare)).close();
    const gateway = await start("short");
    expect(gateway.output).toContain("SLUICE_SECRET is short");
    await gateway.stop();
    await dropDatabase(bare);
  });

  test("that keeps results where no other finds them does not start", async () => {
    using folder = new Folder();
    const lonely = startGateway({
      config: 'sandbox: "off"\n',
      folder: folder.path,
      environment: {
        SLUICE_DATABASE_URL: url,
        SLUICE_SECRET: clusterSecret,
        SLUICE_MEDIA_FOLDER: "",
      },
    });
    await expect(lonely).rejects.toThrow("database_url needs results to be where every node");
  });

  test("with a root account that is there makes no other", async () => {
    const { items } = await one.control<{ items: { role: string }[] }>("GET", "/api/user");
    expect(items.filter(({ role }) => role === "root").length).toBe(1);
  });
});

describe("commands", () => {
  const environment = () => ({ SLUICE_DATABASE_URL: url, SLUICE_SECRET: clusterSecret });

  test("verify the books in the database, and name what does not agree", async () => {
    using folder = new Folder();
    const at = { folder: folder.path, environment: environment() };
    const fine = await runCommand(at, "ledger", "verify");
    expect([fine.code, fine.out]).toEqual([0, expect.stringMatching(/^ok: \d+ accounts/)]);
    const server = await sharedPostgres();
    const name = new URL(url).pathname.slice(1);
    await server.ask(name, "update sluice_log.usage_day set micros = micros + 1");
    const wrong = await runCommand(at, "ledger", "verify");
    await server.ask(name, "update sluice_log.usage_day set micros = micros - 1");
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain("a day's usage is the sum of its posts");
  });

  test("export all rows of one moment, with balances whole while nodes have parts of them", async () => {
    const payer = await one.customer(7_000_000);
    for (const gateway of [one, other]) {
      await eventually("the key", async () =>
        (await ask(gateway, payer.key)) === 200 ? true : undefined,
      );
    }
    using folder = new Folder();
    const at = { folder: folder.path, environment: environment() };
    const plain = await runCommand(at, "export");
    expect([plain.code, plain.error]).toEqual([0, ""]);
    expect(plain.out).not.toContain("sk-vendor-secret-0000");
    const secrets = await runCommand(at, "export", "--secrets");
    const lines = secrets.out
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    const balance = lines.find(({ line, account_id: id }) => line === "balance" && id === payer.id);
    const { available_micros: available, spent_micros: spent } = balance ?? {};
    expect(balance).toMatchObject({ granted_micros: 7_000_000, held_micros: 0 });
    expect(Number(available) + Number(spent)).toBe(7_000_000);
    const key = lines.find(({ line }) => line === "channel_key");
    expect(key).toMatchObject({ text: "sk-vendor-secret-0000" });
    const usage = lines.find(({ line, account_id: id }) => line === "usage" && id === payer.id);
    expect(usage).toMatchObject({ model: "m", status: 200 });
    expect(Object.keys(usage ?? {})).not.toContain("place");
    const end = lines.at(-1) as { line: string; rows: Record<string, number> };
    expect(end.line).toBe("end");
    expect(Object.values(end.rows).reduce((sum, count) => sum + count, 0)).toBe(lines.length - 2);
  });

  test("begin nothing on a database that no gateway was started on", async () => {
    using folder = new Folder();
    const bare = await newDatabase();
    const at = {
      folder: folder.path,
      environment: { SLUICE_DATABASE_URL: bare, SLUICE_SECRET: clusterSecret },
    };
    const refused = await runCommand(at, "channel", "list");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.error).toStartWith("there is no gateway's data in the database");
    await dropDatabase(bare);
  });

  test("find the gateway of the data folder, and say how a database is backed up", async () => {
    const at = { folder: one.folder, environment: environment() };
    const listed = await runCommand(at, "user", "list");
    expect([listed.code, listed.error]).toEqual([0, ""]);
    expect(listed.out).toContain("root");
    const backup = await runCommand(at, "backup", `${one.folder}/copy`);
    expect(backup).toMatchObject({ code: 1, out: "" });
    expect(backup.error).toContain(`the folder ${one.folder}/media`);
    const page = await one.control<{ elsewhere: string }>("GET", "/api/backup");
    expect(page.elsewhere).toContain(
      "  pg_dump --format=custom --schema=sluice --schema=sluice_log",
    );
    const taken = await one.controlEnvelope("POST", "/api/backup", { media: true });
    expect(taken).toMatchObject({ success: false, code: "conflict", message: page.elsewhere });
    const restore = await runCommand(at, "restore", `${one.folder}/copy`);
    expect(restore).toMatchObject({ code: 1, out: "" });
    const commands = [backup, restore].map(({ error }) => findCommand(error));
    expect(commands.map((text) => text.split(" ")[0])).toEqual(["pg_dump", "pg_restore"]);
  });

  testWithPgDump("say commands for a backup that PostgreSQL's own programs take", async () => {
    const at = { folder: one.folder, environment: environment() };
    const backup = await runCommand(at, "backup", `${one.folder}/copy`);
    const restore = await runCommand(at, "restore", `${one.folder}/copy`);
    await tryCommands([backup, restore].map(({ error }) => findCommand(error)));
  });

  /** Commands word by word as shown, into a database that is empty. */
  async function tryCommands([dump = "", restore = ""]: string[]): Promise<void> {
    const server = await sharedPostgres();
    await server.ask("postgres", "create database restored");
    const restored = server.url("restored");
    for (const [text, at] of [
      [dump, url],
      [restore, restored],
    ] as const) {
      const child = Bun.spawn(["sh", "-c", text], {
        env: { PATH: process.env["PATH"] ?? "", SLUICE_DATABASE_URL: at },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [code, complaint] = await Promise.all([child.exited, child.stderr.text()]);
      expect([text, code, complaint]).toEqual([text, 0, ""]);
    }
    using folder = new Folder();
    const environmentThere = { SLUICE_DATABASE_URL: restored, SLUICE_SECRET: clusterSecret };
    const at = { folder: folder.path, environment: environmentThere };
    const verified = await runCommand(at, "ledger", "verify");
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/^ok: /)]);
    await dropDatabase(restored);
  }
});
