// The command line. `serve` runs the gateway; the rest speak to one, or look at its files.
import { Command } from "commander";
import { addChannelCommands } from "./channels.ts";
import { addCommand, guard } from "./command.ts";
import { addConfigCommands } from "./config.ts";
import type { WithServer } from "./control-client.ts";
import { addHealthCommand } from "./health.ts";
import { addKeyCommands } from "./keys.ts";
import { addLedgerCommands } from "./ledger.ts";
import { addPriceCommands } from "./prices.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { addUserCommands } from "./users.ts";
import { versionText } from "./version-text.ts";

export interface Actions {
  serve(): Promise<void>;
  withServer: WithServer;
}

const overview = `
Configuration comes from environment variables and the file that SLUICE_CONFIG names.
The commands on keys, channels, prices and users use the gateway that runs on the data
folder; when none does, they start one for themselves.

Examples:
  $ sluice serve
  $ sluice channel add main --url https://api.example.com --key - --models gpt-5 < key.txt
  $ sluice key create laptop --quota 5000000
  $ sluice ledger verify
`;

export function createProgram(
  { serve, withServer }: Actions,
  terminal: Terminal = processTerminal,
): Command {
  const { environment } = terminal;
  const program = new Command("sluice")
    .description("A self-hosted gateway to many models, with exact prepaid billing.")
    .version(versionText(environment["SLUICE_HOME"]), "--version", "say which version this is")
    .addHelpText("after", overview)
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(text),
    });
  addCommand(program, "serve", {
    description: "run the gateway until it is told to stop",
    examples: ["sluice serve", "PORT=8080 sluice serve"],
  }).action(() => guard(terminal, serve));
  const needs = { terminal, withServer };
  addKeyCommands(program, needs);
  addChannelCommands(program, needs);
  addPriceCommands(program, needs);
  addUserCommands(program, needs);
  addLedgerCommands(program, terminal);
  addHealthCommand(program, terminal);
  addConfigCommands(program, terminal);
  return program;
}
