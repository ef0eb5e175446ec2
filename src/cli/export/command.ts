// sluice export: everything as lines of JSON, so that nobody is locked in.
import { closeSync, openSync, writeSync } from "node:fs";
import type { Command } from "commander";
import { secretOf } from "../../app/base.ts";
import { systemClock } from "../../core/clock.ts";
import { systemRandom } from "../../core/random.ts";
import { createSeal } from "../../core/seal.ts";
import { addCommand, control, readConfig, type CommandNeeds } from "../command.ts";
import { ControlError } from "../control-client.ts";
import type { Terminal } from "../terminal.ts";
import { exportLines } from "./lines.ts";

const inDatabase =
  "the rows are in PostgreSQL, and only those of a data folder are exported as yet: " +
  "psql and pg_dump read them there, in the schemas sluice and sluice_log";
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
    .action((options: ExportOptions) =>
      control(needs, async (client) => {
        const { terminal } = needs;
        const config = readConfig(terminal);
        if (config.databaseUrl !== null) throw new ControlError(inDatabase);
        // What was answered before is in the tables once this list shows it.
        await client.get("/api/log?page_size=1");
        const seal = options.secrets ? createSeal(secretOf(config), systemRandom) : null;
        const ask = { folder: config.dataFolder, nowMs: systemClock.nowMs(), seal };
        const write = writer(terminal, options.to);
        let text = "";
        for (const line of exportLines(ask)) {
          text += line;
          if (text.length < charactersAtOnce) continue;
          write(text);
          text = "";
        }
        write(text);
      }),
    );
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
