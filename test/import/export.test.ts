// Everything comes out as lines of JSON that other programs can read.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { leftOut, logKinds, mainKinds } from "../../src/cli/export/kinds.ts";
import { runCommand } from "../harness/command.ts";
import { startGateway, temporaryFolder } from "../harness/gateway.ts";
import { openDatabase, type DataFile } from "../harness/rows.ts";
import { Vendor } from "../harness/vendor.ts";

setDefaultTimeout(120_000);

type Line = Record<string, unknown> & { line: string };

const readLines = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

test("an export has every row with its money, and secrets only where they are asked for", async () => {
  using vendor = new Vendor((_request, reply) =>
    reply.json({
      id: "x",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  );
  await using gateway = await startGateway({ config: 'sandbox: "off"\n' });
  await gateway.control("POST", "/api/channel", {
    name: "main",
    type: "openai",
    base_url: vendor.url,
    key: "vendor-secret-0123456789",
    headers: { "x-own": "secret-header" },
    models: ["talk"],
    allow_private: true,
  });
  const price = { input_micros_per_million: 1_000_000, output_micros_per_million: 2_000_000 };
  await gateway.control("POST", "/api/price", { model: "talk", ...price });
  const { key, id } = await gateway.customer(5_000_000);
  const body = { model: "talk", messages: [{ role: "user", content: "hello" }] };
  expect((await gateway.post("/v1/chat/completions", body, key)).status).toBe(200);

  const plain = await runCommand({ folder: gateway.folder }, "export");
  expect(plain.error).toBe("");
  const lines = readLines(plain.out);
  const balance = lines.find((line) => line.line === "balance" && line["account_id"] === id);
  expect(balance).toMatchObject({
    granted_micros: 5_000_000,
    available_micros: 4_999_980,
    spent_micros: 20,
  });
  expect(lines.find(({ line }) => line === "usage")).toMatchObject({ model: "talk", micros: 20 });
  expect(lines.find(({ line }) => line === "channel")?.["models"]).toEqual(["talk"]);
  expect(lines.at(0)).toMatchObject({ line: "export", version: 1, secrets: false });
  const rows = lines.at(-1)?.["rows"] as Record<string, number>;
  expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBe(lines.length - 2);
  for (const secret of ["$argon2id$", "vendor-secret-0123456789", "secret-header", "v1."]) {
    expect(plain.out).not.toContain(secret);
  }

  const folder = temporaryFolder();
  const file = join(folder, "all.jsonl");
  const whole = await runCommand({ folder: gateway.folder }, "export", "--secrets", "--to", file);
  expect([whole.code, whole.error]).toEqual([0, ""]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const all = readLines(readFileSync(file, "utf8"));
  expect(all.find(({ line }) => line === "channel_key")?.["text"]).toBe("vendor-secret-0123456789");
  const account = all.find((line) => line.line === "account" && line["id"] === id);
  expect(account?.["password_hash"]).toStartWith("$argon2id$");
  const again = await runCommand({ folder: gateway.folder }, "export", "--to", file);
  expect(again.code).toBe(1);
  rmSync(folder, { recursive: true, force: true });
});

test("every table is in the export, or is named as one that is left out", async () => {
  await using gateway = await startGateway({});
  const tablesOf = (file: DataFile) => {
    using database = openDatabase(gateway.folder, file);
    const text = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
    return database
      .query<{ name: string }, []>(text)
      .all()
      .map(({ name }) => name);
  };
  const tables = [...tablesOf("sluice.db"), ...tablesOf("log.db")];
  const told = [...mainKinds, ...logKinds].map(({ table }) => table).concat(leftOut);
  const own = /^(?:journal|log)_?(?:state|sequence)/;
  expect(tables.filter((name) => !told.includes(name) && !own.test(name))).toEqual([]);
});
