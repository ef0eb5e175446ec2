// sluice ledger: the book, read without disturbing whoever is writing it.
import type { Command } from "commander";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { countBook } from "../quota/queries.ts";
import { verify } from "../quota/recover.ts";
import { SqliteConnection } from "../store/sqlite/connection.ts";
import { mainFile } from "../store/sqlite/open.ts";
import { addJsonCommand, guard, printOne, readConfig, type JsonOption } from "./command.ts";
import type { Terminal } from "./terminal.ts";

export function addLedgerCommands(program: Command, terminal: Terminal): void {
  const ledger = program.command("ledger").description("check the books");
  addJsonCommand(ledger, "verify", {
    description: "check every account against its entries; works while the gateway runs",
    examples: ["sluice ledger verify && echo all is well"],
  }).action((options: JsonOption) => guard(terminal, () => verifyLedger(terminal, options)));
}

async function verifyLedger(terminal: Terminal, options: JsonOption): Promise<void> {
  const path = join(readConfig(terminal).dataFolder, mainFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  const connection = new SqliteConnection({ path, readOnly: true });
  try {
    const violations = await verify(async (statement) => connection.all(statement));
    const [counts] = connection.all({ sql: countBook, parameters: [] });
    const { accounts = 0, entries = 0 } = counts ?? {};
    const lines = violations.map(({ invariant, row }) => `violated: ${invariant}: ${row}`);
    const text = lines.join("\n") || `ok: ${accounts} accounts, ${entries} entries`;
    const ok = violations.length === 0;
    const listed = violations.map(({ invariant, row }) => ({ invariant, row: JSON.parse(row) }));
    printOne(terminal, { ok, accounts, entries, violations: listed }, text, options);
    if (!ok) terminal.fail();
  } finally {
    connection.close();
  }
}
