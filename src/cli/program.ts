// The command line. `serve` runs the gateway; the rest speak to one, or look at its files.
import { Command, InvalidArgumentError } from "commander";
import { addApiCommand } from "./api.ts";
import { addAssetCommands } from "./records/assets.ts";
import { addBackupCommand } from "./backup/take.ts";
import { addChannelCommands } from "./channels.ts";
import { addCommand, guard, wholeOption } from "./command.ts";
import { addCompletionCommand } from "./completion.ts";
import { addConfigCommands } from "./config.ts";
import type { Environment } from "../config/environment.ts";
import { addExportCommand } from "./export/command.ts";
import type { WithServer } from "./gateway-place.ts";
import { addGroupCommands } from "./groups.ts";
import { addHealthCommand } from "./health.ts";
import { addImportCommand } from "./import/command.ts";
import { addKeyCommands } from "./keys.ts";
import { addLedgerCommands } from "./ledger.ts";
import { addMigrateCommand } from "./migrate/command.ts";
import { addLogCommands } from "./records/log.ts";
import { addNodeCommands } from "./records/nodes.ts";
import { addNoticeCommands } from "./records/notices.ts";
import { addPlaceOptions } from "./place-options.ts";
import { addPriceCommands } from "./prices.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { addRestoreCommand } from "./backup/restore.ts";
import { addTaskCommands } from "./records/tasks.ts";
import { addUsageCommand } from "./records/usage.ts";
import { addUserCommands } from "./users.ts";
import { versionText } from "./version-text.ts";

export interface ServeOptions {
  /** How many nodes are to share the port; undefined for a gateway without any. */
  nodes?: number;
  /** The first of the ports that each of them has for itself. */
  nodePorts?: number;
}

export interface Actions {
  serve(environment: Environment, options: ServeOptions): Promise<void>;
  withServer: WithServer;
}

const overview = `
Configuration comes from environment variables and the file that SLUICE_CONFIG names.
Commands use the gateway that runs on the data folder; when none does, they start one for
themselves. --data names another folder, --url a gateway elsewhere, with a token in
SLUICE_TOKEN. Only serve, restore and migrate make a data folder.

Examples:
  $ sluice serve
  $ sluice channel add main --url https://api.example.com --key - --models gpt-5 < key.txt
  $ sluice key create laptop --quota '$5'
  $ sluice ledger verify
`;

export function createProgram(
  { serve, withServer }: Actions,
  real: Terminal = processTerminal,
): Command {
  // Options may say what variables say; whoever reads the environment sees both.
  const environment = { ...real.environment };
  const terminal: Terminal = { ...real, environment };
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
    examples: ["sluice serve", "PORT=8080 sluice serve", "sluice serve --nodes 4"],
  })
    .option("--nodes <count>", "so many nodes on one port, on one PostgreSQL", nodesOption)
    .option("--node-ports <first>", "where each is found alone, on this machine", portOption)
    .action((options: ServeOptions) => guard(terminal, () => serve(environment, options)));
  const needs = { terminal, withServer };
  addKeyCommands(program, needs);
  addChannelCommands(program, needs);
  addPriceCommands(program, needs);
  addUserCommands(program, needs);
  addGroupCommands(program, needs);
  addUsageCommand(program, needs);
  addLogCommands(program, needs);
  addTaskCommands(program, needs);
  addAssetCommands(program, needs);
  addNodeCommands(program, needs);
  addNoticeCommands(program, needs);
  addApiCommand(program, needs);
  addImportCommand(program, needs);
  addExportCommand(program, needs);
  addLedgerCommands(program, terminal);
  addBackupCommand(program, terminal);
  addRestoreCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addHealthCommand(program, terminal);
  addConfigCommands(program, terminal);
  addCompletionCommand(program, terminal);
  addPlaceOptions(program, terminal, environment);
  return program;
}

const nodesMax = 256;
const portMax = 65_535;

function nodesOption(text: string): number {
  const count = wholeOption(text);
  if (count >= 1 && count <= nodesMax) return count;
  throw new InvalidArgumentError(`It must be a number of nodes from 1 to ${nodesMax}.`);
}

function portOption(text: string): number {
  const port = wholeOption(text);
  if (port >= 1 && port <= portMax - nodesMax) return port;
  throw new InvalidArgumentError("It must be a port; the nodes have those that follow it.");
}
