// The command line: the same commands beside a running gateway and on a folder that nobody uses,
// and of each kind one as a process: with its input, its status, a gateway of its own, its help.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatBody } from "../../harness/ask.ts";
import { balanceOf } from "../../harness/books.ts";
import { runCommand, type CommandEnd } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startProcess } from "../../harness/gateway.ts";
import { keepOnFiles } from "../../harness/postgres.ts";
import { complete, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor((request, reply) => complete(request, reply, "Yes.")));
const data = kept(new Folder());
const folder = data.path;
const config = 'sandbox: "off"\n';

const gateway = useStand(() => startProcess({ folder, config }));
setDefaultTimeout(180_000);

async function sluice(...words: string[]): Promise<CommandEnd> {
  return await runCommand({ folder }, ...words);
}

async function runProcess(...words: string[]): Promise<CommandEnd> {
  return await runCommand({ folder, isProcess: true }, ...words);
}

/** A command that must succeed, with what it says to programs. */
async function json<Data>(...words: string[]): Promise<Data> {
  const { code, out, error } = await sluice(...words, "--json");
  expect({ words, code, error }).toEqual({ words, code: 0, error: "" });
  return JSON.parse(out) as Data;
}

async function chatStatus(key: string): Promise<number> {
  return (await gateway.post("/v1/chat/completions", chatBody("m"), key)).status;
}

async function addChannel(): Promise<CommandEnd> {
  const words = ["--url", vendor.url, "--key", "-", "--models", "m,n", "--allow-private"];
  const objects = ["--allow-objects"];
  const more = ["--priority", "4", "--map", "n=upstream-n", "--header", "x-a=b", "--drop-store"];
  const waits = ["--first-byte-ms", "9000", "--stall-ms", "8000", "--total-ms", "99000"];
  const paid = ["--surcharges", "default=refuse", "--surcharges", "audio=ignore"];
  const input = "sk-from-standard-input\n";
  const all = [...words, ...objects, ...more, ...waits, ...paid];
  return await runCommand({ folder, input, isProcess: true }, "channel", "add", "main", ...all);
}

describe("beside a running gateway", () => {
  test("N17 channels are added, listed and tested", async () => {
    const added = await addChannel();
    expect(added).toMatchObject({ code: 0, error: "" });
    expect(added.out).toContain("added main");
    const [shown] = await json<Record<string, unknown>[]>("channel", "list");
    expect(shown).toMatchObject({
      name: "main",
      models: ["m", "n"],
      priority: 4,
      model_mapping: { n: "upstream-n" },
      headers: { "x-a": "********" },
      drop_store: true,
      allow_objects: true,
      surcharges: { default: "refuse", audio: "ignore" },
      first_byte_ms: 9000,
      stall_ms: 8000,
      total_ms: 99_000,
    });
    const table = await sluice("channel", "list");
    expect(table.out).toMatch(/^ID +NAME +TYPE/);
    expect(table.out).toContain(vendor.url);
    expect(table.out).not.toContain("sk-from-standard-input");
    const tested = await sluice("channel", "test", "main");
    expect(tested.out).toMatch(/^ok: status 200 after \d+ ms: It answered "Yes\."/m);
    expect(vendor.requests[0]?.headers["authorization"]).toBe("Bearer sk-from-standard-input");
    vendor.script = (_request, reply) => reply.json({ error: { message: "Spent." } }, 500);
    const failed = await runProcess("channel", "test", "main");
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.out).toContain("Spent.");
    vendor.script = (request, reply) => complete(request, reply, "Yes.");
  });

  test("N17 prices, users, credit and keys do what they say", async () => {
    await json("price", "set", "m", "--call", "$0.0001", "--yes");
    const user = await json<{ id: string }>("user", "create", "carol", "--quota", "$0.001");
    expect(user).toHaveProperty("password");
    const narrow = ["--quota", "$0.00015", "--models", "m"];
    const key = await json<{ key: string }>(
      ...["key", "create", "laptop", "--account", "carol"].concat(narrow),
    );
    expect([await chatStatus(key.key), await chatStatus(key.key)]).toEqual([200, 402]);
    const credit = await sluice(
      "user",
      "credit",
      "carol",
      "$0.0005",
      "--reason",
      "gift",
      "--id",
      "g1",
    );
    expect(credit.out).toBe("booked $0.0005; carol has $0.0014\n");
    await json("user", "credit", "carol", "$0.0005", "--reason", "gift", "--id", "g1");
    expect(await balanceOf(gateway, user.id)).toMatchObject({ quota_micros: 1400 });
    await json("user", "credit", "carol", "$-0.0004", "--reason", "correction");
    expect(await balanceOf(gateway, user.id)).toMatchObject({ quota_micros: 1000 });
    const keys = await json<object[]>("key", "list", "--account", "carol");
    expect(keys).toMatchObject([{ name: "laptop", used_micros: 100, quota_micros: 150 }]);
    const listed = await sluice("key", "list");
    expect(listed.out).toContain("laptop");
    expect(listed.out).not.toContain(key.key);
    const edited = await sluice("key", "edit", "laptop", "--quota", "$0.0002", "--log-content");
    expect(edited.out).toBe("changed quota_micros, log_content\nquota: $0.0002\n");
    const terms = { name: "laptop", quota_micros: 200, models: ["m"], log_content: true };
    expect(await json("key", "list", "--account", "carol")).toMatchObject([terms]);
    expect(await json("key", "edit", "laptop", "--no-log-content")).toMatchObject({
      ...terms,
      log_content: false,
    });
    expect(await chatStatus(key.key)).toBe(200);
    expect(await sluice("key", "edit", "laptop")).toMatchObject({ code: 1 });
    const watched = await json<object>("key", "create", "watched", "--log-content");
    expect(watched).toMatchObject({ log_content: true });
    expect((await sluice("key", "revoke", "laptop")).code).toBe(0);
    expect(await chatStatus(key.key)).toBe(401);
    const prices = await json<object[]>("price", "list", "--own");
    expect(prices).toMatchObject([{ model: "m", call_micros: 100, source: "own" }]);
    const users = await json<{ username: string }[]>("user", "list");
    expect(users.map(({ username }) => username).toSorted()).toEqual(["carol", "root"]);
  });

  test("N17 an access token from the command line opens the control API", async () => {
    const { token } = await json<{ token: string }>("user", "token", "root", "--name", "script");
    const self = await gateway.controlEnvelope("GET", "/api/user/self", undefined, token);
    expect(self).toMatchObject({ success: true, data: { username: "root" } });
  });

  test("N17 the ledger can be verified while the gateway writes it", async () => {
    const { code, out } = await runProcess("ledger", "verify");
    expect(out).toMatch(/^ok: \d+ accounts, \d+ entries\n$/);
    expect(code).toBe(0);
  });

  test("N17 what cannot be done is said in a line, with status 1", async () => {
    const wrong = [
      ["key", "revoke", "never-made"],
      ["user", "credit", "nobody", "$5", "--reason", "x"],
      ["channel", "add", "main", "--url", vendor.url, "--key", "k", "--models", "m"],
      ["price", "set", "m"],
    ];
    for (const words of wrong) {
      const { code, out, error } = await runProcess(...words);
      expect({ words, code, out }).toEqual({ words, code: 1, out: "" });
      expect(error.trim().split("\n")).toHaveLength(1);
      expect(error).not.toContain("    at ");
    }
  });
});

describe("without a gateway", () => {
  test("N17 the same commands work on the folder, and a gateway then sees what they did", async () => {
    using own = new Folder();
    keepOnFiles(own.path);
    const run = async (...words: string[]) => await runCommand({ folder: own.path }, ...words);
    const refused = await run("channel", "list");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.error).toStartWith(`there is no gateway's data in ${own.path}`);
    {
      await using first = await startProcess({ folder: own.path, config });
      expect(await first.stop()).toBe(0);
    }
    const words = ["--url", vendor.url, "--key", "sk-offline-0001", "--models", "m"];
    const added = await runCommand(
      { folder: own.path, isProcess: true },
      ...["channel", "add", "only", "--allow-private"].concat(words),
    );
    expect(added).toMatchObject({ code: 0, error: "" });
    expect((await run("channel", "test", "only")).out).toMatch(/^ok: status 200/m);
    expect((await run("price", "set", "m", "--call", "$0.000005", "--yes")).code).toBe(0);
    expect((await run("user", "create", "dave", "--quota", "$0.00005")).code).toBe(0);
    const made = await run("key", "create", "k", "--account", "dave", "--json");
    const { key } = JSON.parse(made.out) as { key: string };
    expect((await run("ledger", "verify")).code).toBe(0);
    await using next = await startProcess({ folder: own.path, config });
    const response = await next.post("/v1/chat/completions", chatBody("m"), key);
    expect(response.status).toBe(200);
    expect((await run("channel", "remove", "only")).code).toBe(0);
    const after = await next.post("/v1/chat/completions", chatBody("m"), key);
    expect(after.status).toBe(503);
  });

  test("N17 config check says ok, or names file, line and what was meant", async () => {
    const path = join(folder, "check.yaml");
    const environment = { SLUICE_CONFIG: path };
    writeFileSync(path, "log:\n  level: debug\n");
    const good = await runCommand({ folder, environment }, "config", "check");
    expect(good).toMatchObject({ code: 0, out: "ok\n" });
    writeFileSync(path, "log:\n  level: loud\nserver:\n  prot: 1\n");
    const bad = await runCommand({ folder, environment }, "config", "check");
    expect(bad.code).toBe(1);
    expect(bad.out).toContain("check.yaml:2:");
    expect(bad.out).toContain("check.yaml:4:");
    expect(bad.out).toContain("did you mean port?");
  });

  test("N17 config print shows what takes effect, without secrets", async () => {
    const environment = { SLUICE_ROOT_KEY: "sk-canary-0123456789abcdef", PORT: "4321" };
    const { code, out } = await runCommand({ folder, environment }, "config", "print");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ server: { port: 4321 } });
    expect(out).not.toContain("canary");
  });

  test("N17 Q10 config print is in the file's own spelling, and is itself a file", async () => {
    const environment = { PORT: "4321" };
    const printed = await runCommand({ folder, environment }, "config", "print");
    expect(JSON.parse(printed.out)).toMatchObject({
      server: { port: 4321, text_body_bytes_max: 33_554_432 },
      retention: { log_days: 90 },
    });
    const path = join(folder, "printed.yaml");
    writeFileSync(path, printed.out);
    const checked = { folder, environment: { SLUICE_CONFIG: path } };
    expect(await runCommand(checked, "config", "check")).toMatchObject({ code: 0, out: "ok\n" });
  });

  test("N17 a folder without a database cannot be verified", async () => {
    const nothing = { folder: join(folder, "nothing-here") };
    keepOnFiles(nothing.folder);
    const { code, error } = await runCommand(nothing, "ledger", "verify");
    expect(code).toBe(1);
    expect(error).toContain("there is no database");
  });
});

test("N17 every command explains itself", async () => {
  const commands = [
    [],
    ["serve"],
    ["key"],
    ["key", "create"],
    ["key", "edit"],
    ["key", "list"],
    ["key", "revoke"],
    ["channel", "add"],
    ["channel", "list"],
    ["channel", "test"],
    ["channel", "remove"],
    ["channel", "edit"],
    ["channel", "disable"],
    ["channel", "enable"],
    ["channel", "keys"],
    ["group", "set"],
    ["group", "list"],
    ["group", "remove"],
    ["usage"],
    ["log", "list"],
    ["log", "tail"],
    ["log", "show"],
    ["task", "list"],
    ["task", "show"],
    ["asset", "add"],
    ["asset", "list"],
    ["asset", "show"],
    ["api"],
    ["backup"],
    ["restore"],
    ["completion"],
    ["price", "set"],
    ["price", "list"],
    ["user", "create"],
    ["user", "list"],
    ["user", "credit"],
    ["user", "token"],
    ["ledger", "verify"],
    ["config", "check"],
    ["config", "print"],
    ["config", "schema"],
  ];
  const explain = async (words: readonly string[], run = sluice) => {
    const { code, out, error } = await run(...words, "--help");
    expect({ words, code, error }).toEqual({ words, code: 0, error: "" });
    expect(out).toContain(["Usage: sluice", ...words].join(" "));
    // A group of commands has its examples at each of them.
    if (words.length !== 1 || words[0] !== "key") expect(out).toMatch(/\n {2}\$ .*sluice/);
  };
  for (const words of commands) await explain(words);
  await explain([], runProcess);
  await explain(["key", "create"], runProcess);
});
