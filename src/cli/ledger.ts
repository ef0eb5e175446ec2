// sluice ledger: the book, read without disturbing whoever is writing it.
import type { Command } from "commander";
import { verifySource } from "../app/books/verify-books.ts";
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
  const config = await readConfig(terminal);
  const { rows, violations } = await verifySource(config, config.retention.usageDays);
  const { accounts, entries } = rows;
  const lines = violations.map(({ invariant, row }) => `violated: ${invariant}: ${row}`);
  const text = lines.join("\n") || `ok: ${accounts} accounts, ${entries} entries`;
  const ok = violations.length === 0;
  const listed = violations.map(({ invariant, row }) => ({ invariant, row: JSON.parse(row) }));
  printOne(terminal, { ok, accounts, entries, violations: listed }, text, options);
  if (!ok) terminal.fail();
}
