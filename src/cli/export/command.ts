// sluice export: everything as lines of JSON, so that nobody is locked in.
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { logCalls } from "../../admin/log/contract.ts";
import { sealOf } from "../../app/base.ts";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../core/clock.ts";
import { isBegun, readStill } from "../../store/postgres/read-still.ts";
import { logFile, mainFile } from "../../store/sqlite/open.ts";
import { addCommand, control, guard, readConfig, type CommandNeeds } from "../command.ts";
import { ControlError } from "../control-client.ts";
import { noRows } from "../gateway-place.ts";
import type { Terminal } from "../terminal.ts";
import { exportLines } from "./lines.ts";
import { DatabaseTables, FileTables, type ExportTables } from "./queries.ts";

const charactersAtOnce = 65_536;

interface ExportOptions {
  to?: string;
  secrets?: true;
}

export function addExportCommand(program: Command, needs: CommandNeeds): void {
  addCommand(program, "export", {
    description: "write everything as lines of JSON; works while the gateway runs",
    examples: ["sluice export > backup.jsonl", "sluice export --secrets --to all.jsonl"],
  })
    .option("--to <file>", "a new file that only you can read (default: the standard output)")
    .option("--secrets", "with hashes, and the keys of upstreams in the clear")
    .action((options: ExportOptions) => guard(needs.terminal, () => exportAll(needs, options)));
}

async function exportAll(needs: CommandNeeds, options: ExportOptions): Promise<void> {
  const { terminal } = needs;
  const config = await readConfig(terminal);
  const { databaseUrl: url, dataFolder: folder } = config;
  if (url !== null) {
    if (!(await isBegun(url))) throw new ControlError(noRows);
    // Ledger and log are of one moment there.
    return await readStill(url, async (read) => {
      const tables = new DatabaseTables(read);
      await writeLines(terminal, options, { config, main: tables, log: tables });
    });
  }
  await control(needs, async (client) => {
    // Requests answered before are in the tables once this list shows them.
    await client.ask(logCalls.list, { query: { page_size: 1 } });
    using main = new FileTables(join(folder, mainFile));
    using log = existsSync(join(folder, logFile)) ? new FileTables(join(folder, logFile)) : null;
    await writeLines(terminal, options, { config, main, log });
  });
}

interface Exported {
  config: Config;
  main: ExportTables;
  log: ExportTables | null;
}

async function writeLines(
  terminal: Terminal,
  { secrets, to }: ExportOptions,
  { config, main, log }: Exported,
): Promise<void> {
  const seal = secrets ? sealOf(config) : null;
  const write = writer(terminal, to);
  let text = "";
  for await (const line of exportLines({ main, log, nowMs: systemClock.nowMs(), seal })) {
    text += line;
    if (text.length < charactersAtOnce) continue;
    write(text);
    text = "";
  }
  write(text);
}

/** Never over a file that is there. */
function writer(terminal: Terminal, path: string | undefined): (text: string) => void {
  if (path === undefined) return (text) => terminal.write(text);
  closeSync(openSync(path, "wx", 0o600));
  return (text) => {
    const file = openSync(path, "a");
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    closeSync(file);
  };
}
